// Counts the attempts of the current turn, and the turns before it that failed. Pure.

import { defined } from '../../../lib/defined.ts';
import { adviceIn } from '../../../lib/errors.ts';
import { isTransient } from '../../../schema/model/turn.ts';
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { LastTurn, RunState } from '../../../schema/state.ts';
import { lengthOfReply } from '../messages/text.ts';

type Counters = RunState['counters'];

export const withoutAttempts = ({
  transientFailures: _transientFailures,
  abandonedTurns: _abandonedTurns,
  ...counters
}: Counters): Counters => ({ ...counters, attempts: 0 });

/** A turn that follows an unfinished one gives that one up, which still counts as a turn. */
export function countersAfter(
  before: Counters,
  { turn, attempt, status }: RecordOf<'turn_finished'>,
  isConcluded: boolean,
): Counters {
  const { idleRounds: _asked, ...rest } = withoutAttempts(before);
  if (isConcluded) return { ...rest, turns: turn };
  const isNext = before.attempts > 0 && turn > before.turns + 1;
  const transientFailures =
    (isNext ? 0 : (before.transientFailures ?? 0)) + (isTransient(status) ? 1 : 0);
  const abandonedTurns = (before.abandonedTurns ?? 0) + (isNext ? 1 : 0);
  return {
    ...rest,
    turns: turn - 1,
    attempts: attempt,
    ...(transientFailures > 0 ? { transientFailures } : {}),
    ...(abandonedTurns > 0 ? { abandonedTurns } : {}),
  };
}

const MAX_EMPTY_CUTS = 2;

/**
 * True when thinking, or a call without an end, used up all the room. A message would not help, but more room
 * may.
 * @param before how many such answers came in a row before
 */
export const isCutEmpty = (
  { status, response }: Pick<RecordOf<'turn_finished'>, 'status' | 'response'>,
  before: number,
): boolean =>
  status.kind === 'truncated' && lengthOfReply(response) === 0 && before < MAX_EMPTY_CUTS;

export const errorOf = ({ decoded }: RecordOf<'turn_finished'>): string =>
  decoded.kind === 'invalid' ? decoded.error : '';

export function lastTurnOf(record: Located<RecordOf<'turn_finished'>>): LastTurn {
  const { seq, offset, turn, purpose, target = null, status, detail, hint, decoded } = record;
  return {
    seq,
    offset,
    turn,
    purpose,
    target,
    status,
    detail,
    ...defined({ hint, ...adviceIn(record) }),
    decoded: decoded.kind,
    error: errorOf(record),
  };
}
