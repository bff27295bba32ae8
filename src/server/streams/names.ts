/**
 * Pure: names the events of the stream for two kinds of clients: by our own names, and by the seven of the earlier
 * design.
 */
import type { StreamEvent, StreamEventOf } from '../../schema/events/stream.ts';
import { NO_USAGE, type Usage } from '../../schema/model/turn.ts';
import { addUsage } from '../../schema/model/usage.ts';
import { endsTurn, type NamedFrame, type Naming, PIECES, RESTART } from './client-stream.ts';

export interface Shown {
  readonly records: boolean;
  readonly pieces: boolean;
}

/** Our own names; shared by all clients with the same options. */
export const ownNames = ({ records, pieces }: Shown): Naming =>
  OWN[Number(records)]?.[Number(pieces)] ?? (() => []);

const own =
  ({ records, pieces }: Shown): Naming =>
  (event) => {
    if (event.type === 'record' && !records) return [];
    if (PIECES.has(event.type) && !pieces) return [];
    return [{ event: event.type, data: event }];
  };

const OWN = [false, true].map((records) => [false, true].map((pieces) => own({ records, pieces })));

/**
 * The seven names: any other event is a `trace` with its own name inside. A turn that the client did not hear
 * live is reported from the journal as if it arrived now. If it is unknown which part of a turn the client
 * has, the turn is reported as requested again.
 */
export function sevenNames({ records, pieces }: Shown): Naming {
  const has = new OfTurn();
  /** The usage of the current message; `null` if this stream did not report its beginning. */
  let spent: Spent | null = null;
  const named = (event: StreamEvent): readonly NamedFrame[] => {
    if (endsTurn(event)) has.begin();
    switch (event.type) {
      case 'record':
        return records ? [{ event: 'record', data: event.record }] : [];
      case 'text_delta':
        if (has.said === null) return [];
        has.said += event.text.length;
        return pieces ? [textFrame(event.text)] : [];
      case 'thinking_delta':
      case 'tool_call_arguments':
      case 'tool_output':
        return pieces ? [{ ...traced(event), isUnplaced: true }] : [];
      case 'tool_call_ready':
        if (has.said === null) return [];
        has.calls.add(event.id);
        return [callFrame(event)];
      case 'turn_finished':
        spent = spent === null ? null : spentWith(spent, event);
        return [...has.rest(event, pieces), traced(event)];
      case 'tool_result': {
        const { callId, name, status, content, durationMs = null } = event;
        const data = { callId, name, ok: status === 'ok', status, result: content, durationMs };
        return [{ event: 'tool_result', data }];
      }
      case 'person_said':
        spent = NOTHING_SPENT;
        return [traced(event)];
      case 'message_ended': {
        const frames = messageEnded(event, spent);
        spent = null;
        return frames;
      }
      case 'result':
        return ended(event);
      default:
        return [traced(event)];
    }
  };
  const lose = (hasPart: boolean): void => has.lose(hasPart);
  return Object.assign(named, { lose, isLost: () => has.said === null });
}

/** The part of the current turn that the client has. */
class OfTurn {
  /** Characters of the turn's text; `null`: unknown. */
  said: number | null = 0;
  calls = new Set<string>();
  /** True if the client may have an unknown part. */
  #hasPart = false;

  begin(): void {
    this.said = 0;
    this.calls = new Set();
    this.#hasPart = false;
  }

  lose(hasPart: boolean): void {
    this.said = null;
    this.calls = new Set();
    this.#hasPart ||= hasPart;
  }

  /** The missing part at the end of the turn. */
  rest(
    { calls = [], purpose, text }: StreamEventOf<'turn_finished'>,
    pieces: boolean,
  ): readonly NamedFrame[] {
    const whole = purpose === 'summary' || !pieces ? '' : text;
    const { said, calls: heard } = this;
    const isRestart = said === null && this.#hasPart;
    const rest = whole.slice(said ?? 0);
    this.begin();
    return [
      ...(isRestart ? [RESTART] : []),
      ...(rest === '' ? [] : [textFrame(rest)]),
      ...calls.filter(({ id }) => !heard.has(id)).map(callFrame),
    ];
  }
}

const textFrame = (text: string): NamedFrame => ({ event: 'text_delta', data: { text } });

const callFrame = (
  call: Pick<StreamEventOf<'tool_call_ready'>, 'id' | 'name' | 'args'>,
): NamedFrame => ({
  event: 'tool_call',
  data: { callId: call.id, name: call.name, args: call.args },
});

function traced({ type, v: _v, run: _run, seq: _seq, ...data }: StreamEvent): NamedFrame {
  return { event: 'trace', data: { kind: type, data } };
}

interface Spent {
  readonly usage: Usage;
  readonly lastTurnUsage: Usage | null;
  /** `null`: the price of a turn is unknown. */
  readonly costUsd: number | null;
}

const NOTHING_SPENT: Spent = { usage: NO_USAGE, lastTurnUsage: null, costUsd: 0 };

function spentWith(before: Spent, { usage, costUsd }: StreamEventOf<'turn_finished'>): Spent {
  const isKnown = before.costUsd !== null && costUsd != null;
  return {
    usage: addUsage(before.usage, usage),
    lastTurnUsage: usage,
    costUsd: isKnown ? (before.costUsd ?? 0) + (costUsd ?? 0) : null,
  };
}

/** The usage goes only to a client that has followed the message from its beginning. */
function messageEnded(
  { ending, detail, hint = '' }: StreamEventOf<'message_ended'>,
  spent: Spent | null,
): readonly NamedFrame[] {
  const reason = ending === 'replied' ? 'answered' : ending;
  const unknown = { usage: null, lastTurnUsage: null, costUsd: null };
  const completed = { event: 'completed', data: { reason, ...(spent ?? unknown) } };
  if (ending !== 'failed') return [completed];
  return [{ event: 'error', data: { code: 'E_PROVIDER', message: detail, hint } }, completed];
}

function ended(event: StreamEventOf<'result'>): readonly NamedFrame[] {
  const { ending, error, detail = '', hint, usage = null, lastTurnUsage = null } = event;
  const completed = {
    event: 'completed',
    data: {
      reason: ending === 'replied' ? 'answered' : ending,
      usage,
      lastTurnUsage,
      costUsd: event.costUsd ?? null,
    },
  };
  if (error !== null) {
    const { code, message, hint: next } = error;
    return [{ event: 'error', data: { code, message, hint: next } }, completed];
  }
  if (ending !== 'failed') return [completed];
  const data = { code: 'E_PROVIDER', message: detail, hint: hint ?? '' };
  return [{ event: 'error', data }, completed];
}
