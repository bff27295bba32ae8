/**
 * Turns what a run or conversation reports into events of the stream: each record is one event, followed by
 * events that explain it. Pure.
 */

import { defined } from '../../lib/defined.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import type { StreamBody } from '../../schema/events/stream.ts';
import { TRIALS_SKIPPED } from '../../schema/evidence.ts';
import type { StampedRecord } from '../../schema/journal/stamp.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { JournalRecord, RecordOf } from '../../schema/records.ts';
import { storedHead } from '../../schema/stored-head.ts';
import { commandResult, publicStatus } from '../../tools/public-status.ts';

/** An event and the seq of its record. */
export interface EventWithRecord {
  readonly body: StreamBody;
  readonly seq?: number;
}

/** What the stream must know from before the event. */
export interface BeforeEvent {
  /** The current turn. */
  readonly turn: number;
  /** Messages in the conversation before this event; `null`: unknown. */
  readonly messages: number | null;
}

export function eventsFrom(event: RunEvent, before: BeforeEvent): readonly EventWithRecord[] {
  switch (event.type) {
    case 'record': {
      const { record, whole = record, state } = event;
      const messages = { before: before.messages, after: state.conversation.length };
      return recordEvents(record, meaningsOf(whole, messages));
    }
    case 'turn_started': {
      const { type, purpose, target, iteration } = event;
      return [{ body: { type, turn: before.turn, purpose, target, ...defined({ iteration }) } }];
    }
    case 'text':
      return [{ body: { type: 'text_delta', text: event.text } }];
    case 'thinking':
      return [{ body: { type: 'thinking_delta', text: event.text } }];
    case 'tool_call_ready': {
      const { id, name, args } = event.call;
      return [{ body: { type: 'tool_call_ready', id, name, args } }];
    }
    case 'action_started': {
      const { id, name } = event.call;
      return [{ body: { type: 'tool_started', id: event.id, callId: id, name } }];
    }
    case 'action_output':
      return [{ body: { type: 'tool_output', text: event.text } }];
    case 'prompt_read':
    case 'tool_call_started':
    case 'tool_call_arguments':
    case 'turn_retry':
    case 'model_switched':
      return [{ body: event }];
    case 'notice': {
      const { type, level, text, option, server } = event;
      return [{ body: { type, level, text, ...defined({ option, server }) } }];
    }
    case 'trial_started': {
      const { type, n, of, words } = event;
      return [{ body: { type, n, of, words } }];
    }
    // The first event of the stream contains these.
    case 'begun':
    case 'permissions':
      return [];
    default:
      return event satisfies never;
  }
}

/** The record as it is on disk, without its offset, followed by the events that explain it. */
export function recordEvents(
  record: StampedRecord<{ readonly type: string }>,
  meanings: readonly StreamBody[],
): readonly EventWithRecord[] {
  const { offset: _offset, ...shown } = record as typeof record & { readonly offset?: number };
  const { seq } = record;
  return [{ type: 'record', record: shown } as const, ...meanings].map((body) => ({ body, seq }));
}

type Messages = { readonly before: number | null; readonly after: number | null };

/** Explains a record to readers who do not know the journal. */
export function meaningsOf(record: JournalRecord, messages: Messages): readonly StreamBody[] {
  const compaction = { type: 'compaction', ...messages } as const;
  switch (record.type) {
    case 'plan_set':
    case 'replanned': {
      const { plan, why, type } = record;
      return [{ type: 'plan', plan, why, isReplan: type === 'replanned' }];
    }
    case 'subtask_started':
      return [{ type: 'subtask_started', subtask: record.subtask }];
    case 'child_started':
      return record.again ? [] : [{ type: 'subtask_started', subtask: record.subtask }];
    case 'child_joined': {
      const { subtask, status, summary } = record;
      return status === undefined ? [] : [{ type: 'subtask_finished', subtask, status, summary }];
    }
    case 'subtask_finished': {
      const { subtask, status, summary } = record;
      return [{ type: 'subtask_finished', subtask, status, summary }];
    }
    case 'check_ran': {
      const { subtask, proof, passed, text } = record;
      return [{ type: 'check', subtask, isProof: proof, passed, text: storedHead(text) }];
    }
    case 'turn_finished': {
      const isShorter = record.purpose === 'summary' && record.status.kind === 'success';
      return [turnFinished(record), ...(isShorter ? [compaction] : [])];
    }
    case 'compacted':
      return [compaction];
    case 'action_finished':
      return [toolResult(record)];
    case 'approval_asked':
    case 'permission_noted':
      return [permissionRequestBody(record)];
    case 'approval_given': {
      const { id, allowed, why, rule, scope } = record;
      const further = rule === undefined || scope === 'call' ? {} : { rule };
      return [{ type: 'permission_answered', id, allowed, why, ...further }];
    }
    case 'person_said':
      return [{ type: 'person_said', text: storedHead(record.text) }];
    case 'note':
      return record.kind === TRIALS_SKIPPED ? [{ type: 'trials_skipped' }] : [];
    case 'message_ended': {
      const { type, ending, detail, hint } = record;
      return [{ type, ending, detail, ...defined({ hint }) }];
    }
    default:
      return [];
  }
}

function turnFinished(record: RecordOf<'turn_finished'>): StreamBody {
  const { turn, purpose, status, detail, response, decoded, usage, cost } = record;
  // The part of the response that is meant for the person, if that is not all of it.
  const { words = response.content } = record;
  return {
    type: 'turn_finished',
    turn,
    purpose,
    status: status.kind,
    detail,
    text: storedHead(words),
    usage,
    ...('calls' in decoded ? { calls: decoded.calls.map(callIn) } : {}),
    ...(cost === undefined ? {} : { costUsd: cost }),
  };
}

function toolResult(record: RecordOf<'action_finished'>): StreamBody {
  const { id, callId, tool, status, result, facts } = record;
  const { durationMs } = facts;
  const command = commandResult({ status, facts }, storedHead);
  return {
    type: 'tool_result',
    id,
    callId,
    name: tool,
    status,
    content: storedHead(result),
    publicStatus: publicStatus({ status, facts }),
    ...(command === null ? {} : { command }),
    ...(durationMs === undefined ? {} : { durationMs }),
  };
}

function permissionRequestBody(
  record: RecordOf<'approval_asked' | 'permission_noted'>,
): StreamBody {
  const { type, id, tool = '', target = '', reason = '', rules = [] } = record;
  return {
    type: 'permission_asked',
    id,
    tool,
    target,
    reason,
    rules,
    isNoted: type === 'permission_noted',
  };
}

const callIn = ({ id, name, args }: ToolCall) => ({ id, name, args });
