/**
 * One record per line with fifteen fixed keys and nine kinds of events, for programs that watch agents of several
 * kinds.
 */
import type { ToolCall } from '../../schema/model/messages.ts';
import type { TurnStatus } from '../../schema/model/turn.ts';
import { tokensIn } from '../../schema/model/usage.ts';
import { remoteOf } from '../../shown/calls.ts';
import type { AnsweredTurn, LoggedRequest, LogSink, Returned } from './sink.ts';
import { loggedError } from './words.ts';

export type EventName =
  | 'session_start'
  | 'user_message'
  | 'assistant_message'
  | 'tool_call'
  | 'tool_result'
  | 'mcp_call'
  | 'mcp_result'
  | 'session_clear'
  | 'error';

export interface EventRecord {
  /** ISO, with milliseconds, UTC. */
  readonly ts: string;
  readonly level: 'INFO' | 'WARN' | 'ERROR';
  readonly event: EventName;
  readonly session_id: string;
  readonly turn: number;
  readonly actor: 'user' | 'assistant' | 'tool' | 'system';
  readonly model: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly tool_name: string | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly thinking_tokens: number | null;
  readonly latency_ms: number | null;
  readonly error: string | null;
}

export interface EventLogDeps {
  /** Milliseconds since 1970. */
  now(): number;
  write(record: EventRecord): void;
}

const NOTHING = {
  input: null,
  output: null,
  tool_name: null,
  prompt_tokens: null,
  completion_tokens: null,
  thinking_tokens: null,
  latency_ms: null,
  error: null,
} as const;

export class EventLog implements LogSink {
  readonly #deps: EventLogDeps;
  readonly #calls = new Map<string, { readonly name: string; readonly at: number }>();
  #id = '';
  #model = '';
  #turn = 0;
  #askedAt = 0;

  constructor(deps: EventLogDeps) {
    this.#deps = deps;
  }

  started(id: string, model: string): void {
    this.#id = id;
    this.#model = model;
    this.#write('session_start', 'system', {});
  }

  personMessage(text: string): void {
    this.#write('user_message', 'user', { input: text });
  }

  modelRequest({ turn, model }: LoggedRequest): void {
    this.#turn = turn;
    this.#model = model;
    this.#askedAt = this.#deps.now();
  }

  answered({ status, detail, reply, words = reply.content, usage }: AnsweredTurn): void {
    const latency_ms = this.#deps.now() - this.#askedAt;
    if (status.kind !== 'success') {
      this.#write('error', 'assistant', {
        level: 'WARN',
        latency_ms,
        error: loggedError(status.kind, detail, false),
      });
      return;
    }
    this.#write('assistant_message', 'assistant', {
      output: words,
      prompt_tokens: tokensIn(usage),
      completion_tokens: usage.output,
      thinking_tokens: usage.thinking,
      latency_ms,
    });
  }

  called({ id, name, args }: ToolCall): void {
    this.#calls.set(id, { name, at: this.#deps.now() });
    const event = isOfServer(name) ? 'mcp_call' : 'tool_call';
    this.#write(event, 'assistant', { input: args, tool_name: name });
  }

  returned({ id, isOk, result }: Returned): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    this.#write(isOfServer(call.name) ? 'mcp_result' : 'tool_result', 'tool', {
      output: result,
      tool_name: call.name,
      latency_ms: this.#deps.now() - call.at,
      ...(isOk ? {} : { level: 'WARN', error: result.split('\n', 1)[0] ?? '' }),
    });
  }

  failed(kind: TurnStatus['kind'] | 'error', text: string): void {
    this.#write('error', 'system', { level: 'ERROR', error: loggedError(kind, text, true) });
  }

  commanded(command: string, text: string, result: string): void {
    this.#write('tool_result', 'tool', { input: text, output: result, tool_name: `/${command}` });
  }

  cleared(): void {
    this.#write('session_clear', 'user', {});
  }

  #write(
    event: EventName,
    actor: EventRecord['actor'],
    { level = 'INFO', ...more }: Partial<EventRecord>,
  ): void {
    const { input, ...rest } = NOTHING;
    this.#deps.write({
      ts: new Date(this.#deps.now()).toISOString(),
      level,
      event,
      session_id: this.#id,
      turn: this.#turn,
      actor,
      model: this.#model,
      input,
      ...rest,
      ...more,
    });
  }
}

const isOfServer = (name: string): boolean => remoteOf(name).server !== 'builtin';
