/** A run told to logs: its events in their words. */
import type { SessionEvent } from '../../schema/chat-events.ts';
import type { CandidateName, RunEvent } from '../../schema/events.ts';
import type { JournalRecord } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import type { LogSink } from './sink.ts';
import { textIn } from './words.ts';

/** Hands each event to every log. Nothing is looked at twice, so it may run for ever. */
export function runLog(sinks: readonly LogSink[]): (event: RunEvent) => void {
  let turn = 0;
  let settings: RunState['settings'] = null;
  const each = (tell: (sink: LogSink) => void): void => sinks.forEach(tell);
  return (event) => {
    switch (event.type) {
      case 'begun': {
        const { run, goal, counters } = event.state;
        settings = event.state.settings;
        turn = counters.turns;
        each((sink) => sink.begun(run, settings?.model ?? ''));
        each((sink) => sink.said(goal));
        break;
      }
      case 'record':
        settings = event.state.settings;
        if (event.record.type === 'turn_finished' && event.record.status.kind === 'success')
          turn = event.record.turn;
        tellRecord(event.whole ?? event.record, each);
        break;
      case 'turn_started': {
        const { provider = '', model = '' } = settings ?? {};
        const request = event.request?.();
        if (request === undefined) break;
        each((sink) => sink.asked({ turn: turn + 1, provider, model, request, isFinal: false }));
        break;
      }
      case 'action_started':
        each((sink) => sink.called({ ...event.call, id: event.id }));
        break;
      default: {
        const trouble = troubleOf(event);
        if (trouble !== null) each((sink) => sink.warned(trouble.text, trouble.of));
      }
    }
  };
}

/** What may pass, of a run or a conversation; `null`: the event says nothing of that kind. */
export function troubleOf(
  event: RunEvent | SessionEvent,
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

function tellRecord(record: JournalRecord, each: (tell: (sink: LogSink) => void) => void): void {
  switch (record.type) {
    case 'turn_finished': {
      const { status, detail, response, usage, cost } = record;
      const reply = { ...response, content: textIn(response.content) };
      each((sink) => sink.answered({ status, detail, reply, usage, costUsd: cost ?? null }));
      break;
    }
    case 'action_finished':
      each((sink) =>
        sink.returned({
          ...{ id: record.id, isOk: record.status === 'ok' },
          result: textIn(record.result),
        }),
      );
      break;
    case 'person_said':
      each((sink) => sink.said(textIn(record.text)));
      break;
    case 'run_paused': {
      const { status, why, detail } = record;
      const words = detail === '' ? why : detail;
      each((sink) =>
        status === undefined ? sink.warned(`paused: ${words}`) : sink.failed(status.kind, words),
      );
      break;
    }
    case 'run_finished':
      if (record.ending === 'failed') each((sink) => sink.failed('error', record.detail));
      break;
    default:
  }
}
