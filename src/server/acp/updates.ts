/**
 * Translates the events of a conversation, or of a run in it, into updates for an editor.
 *
 * 1. Text that was sent in pieces is not sent again as a whole.
 * 2. A turn that nobody heard live is sent from the journal as if it arrived now, including the person's message.
 */

import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk';
import { driverNamed } from '../../drivers/driver-of.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import type { StreamEvent, StreamEventOf } from '../../schema/events/stream.ts';
import { type Plan, type SubtaskStatus, statusOfTask } from '../../schema/plan.ts';
import { withStatus } from '../../schema/state-parts/plan-status.ts';
import { storedHead } from '../../schema/stored-head.ts';
import type { StoredText } from '../../schema/text.ts';
import type { ToolCalls } from './tool-calls.ts';

export interface UpdateParts {
  readonly calls: ToolCalls;
  /** True: the person's messages are sent, too. */
  readonly isReplay: boolean;
  /** Whether the editor shows notices in a place of their own. */
  hasNotices(): boolean;
  /** How full the context window is; `null`: irrelevant here. */
  usage(): SessionUpdate | null;
}

const ASKED_AGAIN = '\n\n*The model is asked again; what stands above is no answer of it.*\n\n';

export class Updates {
  readonly #parts: UpdateParts;
  /** Characters of this turn's text that have been sent. */
  #said = 0;
  #purpose = '';
  /** The model's text is meant for the engine, not for a person. */
  #isMute = false;
  #isTrial = false;
  #plan: Plan | null = null;

  constructor(parts: UpdateParts) {
    this.#parts = parts;
  }

  of(event: StreamEvent): readonly SessionUpdate[] {
    const { calls, isReplay } = this.#parts;
    switch (event.type) {
      case 'started':
        this.#isMute = isForEngine(event.driver);
        return [];
      case 'turn_started':
        return this.#turnStarted(event.purpose);
      case 'text_delta':
        if (this.#isMute || this.#purpose === 'summary') return [];
        this.#said += event.text.length;
        return [messageChunk(event.text)];
      case 'thinking_delta':
        return [{ sessionUpdate: 'agent_thought_chunk', content: textBlock(event.text) }];
      case 'turn_finished':
        return this.#turnFinished(event);
      case 'record':
        return this.#record(event.record);
      case 'tool_started':
        return calls.started(event);
      case 'tool_output':
        return calls.output(event.text);
      case 'tool_result':
        return calls.ended(event);
      case 'check':
        return [calls.checked(event, this.#isTrial)];
      case 'person_said':
        return isReplay ? [userChunk(event.text)] : [];
      case 'message_ended':
        return endedText(event, isReplay);
      case 'plan':
      case 'subtask_started':
      case 'subtask_finished':
        return this.#planned(event);
      default:
        return this.#notices(event);
    }
  }

  #turnStarted(purpose: string): readonly SessionUpdate[] {
    const isAgain = this.#said > 0;
    this.#said = 0;
    this.#purpose = purpose;
    return isAgain ? [messageChunk(ASKED_AGAIN)] : [];
  }

  #turnFinished(event: StreamEventOf<'turn_finished'>): readonly SessionUpdate[] {
    const { purpose, text, calls = [] } = event;
    const rest = this.#isMute || purpose === 'summary' ? '' : text.slice(this.#said);
    this.#said = 0;
    const usage = this.#parts.usage();
    return [
      ...(rest === '' ? [] : [messageChunk(rest)]),
      ...calls.map((call) => this.#parts.calls.wanted(call)),
      ...(usage === null ? [] : [usage]),
    ];
  }

  #record(record: StreamEventOf<'record'>['record']): readonly SessionUpdate[] {
    // The event that tells a check follows its record.
    this.#isTrial = record.type === 'check_ran' && record.scratch !== undefined;
    if (record.type === 'action_intended') {
      const { id, files } = record as unknown as Intended;
      this.#parts.calls.intended(id, files);
    }
    if (record.type !== 'command_used' || !this.#parts.isReplay) return [];
    const { command, text, result } = record as unknown as Used;
    return [userChunk(`/${command} ${storedHead(text)}`.trim()), messageChunk(storedHead(result))];
  }

  planOf(plan: Plan): SessionUpdate {
    this.#plan = plan;
    return { sessionUpdate: 'plan', entries: planEntries(plan) };
  }

  #planned(
    event: StreamEventOf<'plan' | 'subtask_started' | 'subtask_finished'>,
  ): readonly SessionUpdate[] {
    if (event.type === 'plan') return [this.planOf(event.plan)];
    const status = event.type === 'subtask_started' ? 'in_progress' : event.status;
    const plan = withStatus(this.#plan, event.subtask, status);
    return plan === null ? [] : [this.planOf(plan)];
  }

  #notices(event: StreamEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case 'notice':
        return this.#notice(event.level, event.text);
      case 'turn_retry': {
        const { why, waitMs } = event;
        return this.#notice(
          'warning',
          `${why} It is tried again in ${Math.ceil(waitMs / 1000)} s.`,
        );
      }
      case 'model_switched': {
        const { to, why } = event;
        return this.#notice('warning', `${why} From here on ${to.provider} ${to.model} is asked.`);
      }
      case 'compaction':
        return this.#notice('info', 'What was said so far was summed up.');
      default:
        return [];
    }
  }

  #notice(severity: 'info' | 'warning', title: string): readonly SessionUpdate[] {
    if (this.#parts.hasNotices()) return [{ sessionUpdate: 'notice', severity, title }];
    return severity === 'warning' ? [noteChunk(title)] : [];
  }
}

/** A run whose driver uses no native tool calls lets the engine read all of the model's text. */
const isForEngine = (driver: StreamEventOf<'started'>['driver']): boolean =>
  driver !== null && driver !== 'chat' && !driverNamed(driver).callsTools;

type Intended = { readonly id: string; readonly files: Parameters<ToolCalls['intended']>[1] };
type Used = {
  readonly command: string;
  readonly text: StoredText;
  readonly result: StoredText;
};

/** Why there is no answer. During the work, the answer to the prompt says what failed. */
function endedText(
  { ending, detail, hint = '' }: StreamEventOf<'message_ended'>,
  isReplay: boolean,
): readonly SessionUpdate[] {
  if (ending === 'replied' || (ending === 'failed' && !isReplay)) return [];
  const why = [detail, hint].filter(Boolean).join(' ');
  return [noteChunk(why === '' ? `The message ended: ${ending}.` : why)];
}

const textBlock = (text: string) => ({ type: 'text', text }) as const;

export const messageChunk = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: textBlock(text),
});

const userChunk = (text: string): SessionUpdate => ({
  sessionUpdate: 'user_message_chunk',
  content: textBlock(text),
});

/** A paragraph by this program, not by the model. */
export const noteChunk = (text: string): SessionUpdate =>
  messageChunk(`\n\n> ${text.replaceAll('\n', '\n> ')}\n\n`);

/** An editor knows three states. A failed or unproved subtask is never shown as done and proved. */
const SHOWN: {
  readonly [status in SubtaskStatus]: { readonly as: PlanEntry['status']; readonly words: string };
} = {
  pending: { as: 'pending', words: '' },
  in_progress: { as: 'in_progress', words: '' },
  completed: { as: 'completed', words: '' },
  unverified: { as: 'completed', words: ' (not verified)' },
  failed: { as: 'pending', words: ' (failed)' },
};

/** The plan tree of a run as the flat list that editors show; a number gives each entry's place in the tree. */
export function planEntries(plan: Plan): PlanEntry[] {
  return plan.tasks.flatMap((task) => {
    const { id, description, subtasks } = task;
    const whole = entry(id, description, statusOfTask(task));
    const [first, second] = subtasks;
    // If the only subtask equals the goal, the goal is listed once.
    if (second === undefined && first?.purpose === description) return [whole];
    return [whole, ...subtasks.map((one) => entry(one.id, one.purpose, one.status))];
  });
}

function entry(id: string, words: string, status: SubtaskStatus): PlanEntry {
  const { as, words: more } = SHOWN[status];
  return { content: `${id} ${oneLine(words)}${more}`, priority: 'medium', status: as };
}
