/**
 * The calls of one conversation or run as the editor sees them. Each gets an id of its own, because a model may repeat
 * an id, and the engine's own actions have none.
 */
import type {
  SessionUpdate,
  ToolCallContent,
  ToolCallLocation,
  ToolCallStatus,
} from '@agentclientprotocol/sdk';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import type { FileChange } from '../../schema/actions.ts';
import type { StreamEventOf } from '../../schema/events/stream.ts';
import { callView } from '../../tools/call-view.ts';
import { fenced } from './permission.ts';

export interface CallPlace {
  /** Absolute real path. */
  readonly workspace: string;
  readonly platform: NodeJS.Platform;
  editOf(change: FileChange): ToolCallContent | null;
  /** Milliseconds on a monotonic clock. */
  monotonic(): number;
}

type Call = NonNullable<StreamEventOf<'turn_finished'>['calls']>[number];

interface Open {
  readonly id: string;
  readonly isCommand: boolean;
}

/** The most characters shown of a program's output while it runs. */
const MAX_OUTPUT = 4_000;
const OUTPUT_EVERY_MS = 250;
/** The most characters shown of a result. */
const MAX_RESULT = 20_000;

export class ToolCalls {
  readonly #place: CallPlace;
  readonly #prefix: string;
  /** The latest call by the model's id. */
  readonly #byCall = new Map<string, Open>();
  /** By the id of the action. */
  readonly #byAction = new Map<string, Open>();
  readonly #changes = new Map<string, readonly FileChange[]>();
  readonly #open = new Set<string>();
  #count = 0;
  #running: Open | null = null;
  #output = '';
  #toldAt = Number.NEGATIVE_INFINITY;

  /** @param prefix unique within a session */
  constructor(place: CallPlace, prefix: string) {
    this.#place = place;
    this.#prefix = prefix;
  }

  /** The id of the call that a question is about, whether the editor knows it or not. */
  idOf(callId: string, question: string): string {
    return this.#byCall.get(callId)?.id ?? `${this.#prefix}q-${question}`;
  }

  /** The model has asked for this call. */
  wanted({ id: callId, name, args }: Call): SessionUpdate {
    const { kind, title, paths } = callView(name, args);
    const open = { id: this.#next(), isCommand: kind === 'execute' };
    this.#byCall.set(callId, open);
    this.#open.add(open.id);
    return {
      sessionUpdate: 'tool_call',
      toolCallId: open.id,
      title,
      kind,
      status: 'pending',
      rawInput: args,
      locations: this.#locations(paths),
    };
  }

  intended(action: string, changes: readonly FileChange[]): void {
    this.#changes.set(action, changes);
  }

  started({ id: action, callId, name }: StreamEventOf<'tool_started'>): readonly SessionUpdate[] {
    const known = callId === '' ? undefined : this.#byCall.get(callId);
    const open = known ?? { id: this.#next(), isCommand: false };
    this.#byAction.set(action, open);
    this.#open.add(open.id);
    this.#running = open;
    this.#output = '';
    const { id: toolCallId } = open;
    if (known !== undefined)
      return [{ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' }];
    const { title, kind } = callView(name, {});
    return [{ sessionUpdate: 'tool_call', toolCallId, title, kind, status: 'in_progress' }];
  }

  /** The end of the output so far, at intervals. */
  output(text: string): readonly SessionUpdate[] {
    const open = this.#running;
    this.#output = (this.#output + text).slice(-MAX_OUTPUT);
    const now = this.#place.monotonic();
    if (open === null || now - this.#toldAt < OUTPUT_EVERY_MS) return [];
    this.#toldAt = now;
    return [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: open.id,
        content: [textContent(fenced(this.#output))],
      },
    ];
  }

  ended(result: StreamEventOf<'tool_result'>): readonly SessionUpdate[] {
    const { id: action, callId, name, status, content } = result;
    const open = this.#byAction.get(action) ?? this.#byCall.get(callId);
    const changes = this.#changes.get(action) ?? [];
    this.#byAction.delete(action);
    this.#changes.delete(action);
    if (open !== undefined) this.#open.delete(open.id);
    this.#running = null;
    const isDone = status === 'ok';
    const edits = isDone ? changes.flatMap((change) => this.#place.editOf(change) ?? []) : [];
    const text = content.slice(0, MAX_RESULT);
    const said = open?.isCommand === true ? fenced(text) : text;
    const about = {
      status: isDone ? ('completed' as const) : ('failed' as const),
      content: edits.length > 0 ? edits : text === '' ? [] : [textContent(said)],
      ...(changes.length === 0
        ? {}
        : { locations: this.#locations(changes.map(({ path }) => path)) }),
    };
    if (open !== undefined)
      return [{ sessionUpdate: 'tool_call_update', toolCallId: open.id, ...about }];
    const { title, kind } = callView(name, {});
    return [{ sessionUpdate: 'tool_call', toolCallId: this.#next(), title, kind, ...about }];
  }

  /**
   * A check that the engine makes itself.
   * @param isTrial true for a check in a copy: most copies lack the work, so a failure is what is hoped for
   */
  checked(
    { subtask, isProof, passed, text }: StreamEventOf<'check'>,
    isTrial: boolean,
  ): SessionUpdate {
    const what = isTrial ? 'Tried in a copy' : isProof ? 'Proof' : `Check of ${subtask}`;
    const status: ToolCallStatus = passed || isTrial ? 'completed' : 'failed';
    return {
      sessionUpdate: 'tool_call',
      toolCallId: this.#next(),
      kind: 'other',
      status,
      title: `${what}: ${passed ? 'passed' : 'failed'}`,
      content: text === '' ? [] : [textContent(text.slice(0, MAX_RESULT))],
    };
  }

  /** Closes calls about which nothing more will be reported. */
  leftOpen(): readonly SessionUpdate[] {
    const ids = [...this.#open];
    this.#open.clear();
    return ids.map((toolCallId) => ({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'failed',
    }));
  }

  #next(): string {
    this.#count += 1;
    return `${this.#prefix}${this.#count}`;
  }

  #locations(paths: readonly string[]): ToolCallLocation[] {
    const { resolve } = pathsOf(this.#place.platform);
    return paths.map((path) => ({ path: resolve(this.#place.workspace, path) }));
  }
}

export const textContent = (text: string): ToolCallContent => ({
  type: 'content',
  content: { type: 'text', text },
});
