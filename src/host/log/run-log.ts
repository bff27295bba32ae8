/** A run told to logs: its events in their words. */
import type { RunEvent } from '../../schema/events.ts';
import type { JournalRecord } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import type { StoredText } from '../../schema/text.ts';
import type { LogSink } from './sink.ts';

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
      case 'turn_retry':
        each((sink) => sink.warned(`attempt ${event.attempt} in ${event.waitMs}ms: ${event.why}`));
        break;
      case 'model_switched': {
        const { from, to, why } = event;
        const words = `${from.provider}:${from.model} -> ${to.provider}:${to.model}: ${why}`;
        each((sink) => sink.warned(words));
        break;
      }
      case 'notice':
        if (event.level === 'warning') each((sink) => sink.warned(event.text));
        break;
      default:
    }
  };
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

const textIn = (text: StoredText): string => (typeof text === 'string' ? text : text.head);
