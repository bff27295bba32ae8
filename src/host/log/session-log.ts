/** A conversation told to logs: its events in their words. */
import type { SessionEvent } from '../../schema/chat-events.ts';
import type { ChatRecord } from '../../schema/chat-records.ts';
import type { ChatState } from '../../schema/chat-state.ts';
import { troubleOf } from './run-log.ts';
import type { LogSink } from './sink.ts';
import { textIn } from './words.ts';

/** Hands each event to every log. Nothing is looked at twice, so it may run for ever. */
export function sessionLog(sinks: readonly LogSink[]): (event: SessionEvent) => void {
  let state: ChatState | null = null;
  let isBegun = false;
  const each = (tell: (sink: LogSink) => void): void => sinks.forEach(tell);
  /** Once the model is known. */
  const begin = (): void => {
    if (isBegun || state?.settings == null) return;
    const { session, settings } = state;
    isBegun = true;
    each((sink) => sink.begun(session, settings.model));
  };
  return (event) => {
    switch (event.type) {
      case 'record':
        state = event.state;
        begin();
        tellRecord(event.whole ?? event.record, state, each);
        break;
      case 'turn_started': {
        const { provider = '', model = '' } = state?.settings ?? {};
        const turn = (state?.counters.turns ?? 0) + 1;
        const { isFinal } = event;
        const request = event.request();
        each((sink) => sink.asked({ turn, provider, model, request, isFinal }));
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

function tellRecord(
  record: ChatRecord,
  { lastTurn }: ChatState,
  each: (tell: (sink: LogSink) => void) => void,
): void {
  switch (record.type) {
    case 'person_said':
      each((sink) => sink.said(textIn(record.text)));
      break;
    case 'turn_finished': {
      const { status, detail, response, words, usage, cost } = record;
      const reply = { ...response, content: textIn(response.content) };
      const said = words === undefined ? {} : { words: textIn(words) };
      each((sink) =>
        sink.answered({ status, detail, reply, ...said, usage, costUsd: cost ?? null }),
      );
      break;
    }
    case 'action_finished': {
      const { id, status, result } = record;
      each((sink) => sink.returned({ id, isOk: status === 'ok', result: textIn(result) }));
      break;
    }
    case 'message_ended':
      tellEnding(record, lastTurn, each);
      break;
    case 'command_used': {
      const { command, text, result } = record;
      each((sink) => sink.commanded(command, textIn(text), textIn(result)));
      break;
    }
    case 'session_cleared':
      each((sink) => sink.cleared());
      break;
    default:
  }
}

function tellEnding(
  { ending, detail }: Extract<ChatRecord, { type: 'message_ended' }>,
  lastTurn: ChatState['lastTurn'],
  each: (tell: (sink: LogSink) => void) => void,
): void {
  switch (ending) {
    case 'replied':
      break;
    case 'failed':
    case 'refused': {
      const kind = lastTurn?.status.kind ?? 'error';
      each((sink) => sink.failed(kind === 'success' ? 'error' : kind, detail));
      break;
    }
    case 'limit':
    case 'permission':
    case 'interrupted':
      each((sink) => sink.warned(detail === '' ? ending : `${ending}: ${detail}`));
      break;
    default:
      ending satisfies never;
  }
}
