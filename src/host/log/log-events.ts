/** Translates events of runs and conversations into log entries. */

import type { CandidateName, RunEvent } from '../../schema/events/events.ts';
import type { TurnStatus } from '../../schema/model/turn.ts';
import type { JournalRecord, RecordOf } from '../../schema/records.ts';
import { storedHead } from '../../schema/stored-head.ts';
import type { LogSink } from './sink.ts';

type Each = (tell: (sink: LogSink) => void) => void;

/** Hands each event to every log. Keeps no history, so it may run forever. */
export function logEvents(sinks: readonly LogSink[]): (event: RunEvent) => void {
  let turns = 0;
  let by = { provider: '', model: '' };
  const each: Each = (tell) => sinks.forEach(tell);
  const remember = ({ counters, settings }: Stateful['state']): void => {
    turns = counters.turns;
    by = settings ?? by;
  };
  return (event) => {
    switch (event.type) {
      case 'begun': {
        const { state } = event;
        remember(state);
        each((sink) => sink.started?.(state.run, by.model));
        if (state.chat === undefined) each((sink) => sink.personMessage?.(state.goal));
        break;
      }
      case 'record':
        remember(event.state);
        logRecord(event.whole ?? event.record, event.state.lastTurn?.status.kind, each);
        break;
      case 'turn_started': {
        const { request, isFinal = false } = event;
        if (request === undefined) break;
        const { provider, model } = by;
        const asked = { turn: turns + 1, provider, model, request: request(), isFinal };
        each((sink) => sink.modelRequest(asked));
        break;
      }
      case 'action_started':
        each((sink) => sink.called({ ...event.call, id: event.id }));
        break;
      default: {
        const trouble = troubleOf(event);
        if (trouble !== null) each((sink) => sink.warned?.(trouble.text, trouble.of));
      }
    }
  };
}

type Stateful = Extract<RunEvent, { readonly state: unknown }>;

/** A temporary problem; `null`: the event reports none. */
export function troubleOf(
  event: RunEvent,
): { readonly text: string; readonly of?: CandidateName | { readonly server: string } } | null {
  switch (event.type) {
    case 'turn_retry':
      return { text: `attempt ${event.attempt} in ${event.waitMs}ms: ${event.why}` };
    case 'model_switched': {
      const { from, to, why } = event;
      const names = `${from.provider}:${from.model} -> ${to.provider}:${to.model}`;
      return { text: `${names}: ${why}`, of: from };
    }
    case 'notice':
      if (event.level !== 'warning') return null;
      return { text: event.text, ...(event.server ? { of: { server: event.server } } : {}) };
    default:
      return null;
  }
}

type LastTurn = TurnStatus['kind'] | undefined;

/** @param lastTurn how the last request ended */
function logRecord(record: JournalRecord, lastTurn: LastTurn, each: Each): void {
  switch (record.type) {
    case 'person_said':
      each((sink) => sink.personMessage?.(storedHead(record.text)));
      break;
    case 'turn_finished': {
      const { status, detail, response, words, usage, cost } = record;
      const reply = { ...response, content: storedHead(response.content) };
      const said = words === undefined ? {} : { words: storedHead(words) };
      const answered = { status, detail, reply, ...said, usage, costUsd: cost ?? null };
      each((sink) => sink.answered(answered));
      break;
    }
    case 'action_finished': {
      const { id, status, result } = record;
      each((sink) => sink.returned({ id, isOk: status === 'ok', result: storedHead(result) }));
      break;
    }
    case 'run_paused': {
      const { status, why, detail } = record;
      const words = detail === '' ? why : detail;
      each((sink) =>
        status === undefined ? sink.warned?.(`paused: ${words}`) : sink.failed(status.kind, words),
      );
      break;
    }
    case 'run_finished':
      if (record.ending === 'failed') each((sink) => sink.failed('error', record.detail));
      break;
    case 'message_ended':
      logEnding(record, lastTurn, each);
      break;
    case 'command_used': {
      const { command, text, result } = record;
      each((sink) => sink.commanded?.(command, storedHead(text), storedHead(result)));
      break;
    }
    case 'session_cleared':
      each((sink) => sink.cleared?.());
      break;
    default:
  }
}

function logEnding(
  { ending, detail }: RecordOf<'message_ended'>,
  lastTurn: LastTurn,
  each: Each,
): void {
  switch (ending) {
    case 'replied':
      break;
    case 'failed':
    case 'refused': {
      const kind = lastTurn === 'success' ? 'error' : (lastTurn ?? 'error');
      each((sink) => sink.failed(kind, detail));
      break;
    }
    case 'limit':
    case 'permission':
    case 'interrupted':
      each((sink) => sink.warned?.(detail === '' ? ending : `${ending}: ${detail}`));
      break;
    default:
      ending satisfies never;
  }
}
