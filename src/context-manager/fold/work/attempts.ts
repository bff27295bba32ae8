// Counts the attempts of the current turn, and the turns before it that failed. Pure.

import { mayPass } from '../../../schema/model/turn.ts';
import type { RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import { lengthOfReply } from '../messages/text.ts';

type Counters = RunState['counters'];

export const withoutAttempts = ({
  passing: _passing,
  givenUp: _givenUp,
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
  const passing = (isNext ? 0 : (before.passing ?? 0)) + (mayPass(status) ? 1 : 0);
  const givenUp = (before.givenUp ?? 0) + (isNext ? 1 : 0);
  return {
    ...rest,
    turns: turn - 1,
    attempts: attempt,
    ...(passing > 0 ? { passing } : {}),
    ...(givenUp > 0 ? { givenUp } : {}),
  };
}

const MOST_EMPTY_CUTS = 2;

/**
 * True when thinking, or a call without an end, used up all the room. A message would not help, but more room
 * may.
 * @param before how many such answers came in a row before
 */
export const isCutEmpty = (
  { status, response }: Pick<RecordOf<'turn_finished'>, 'status' | 'response'>,
  before: number,
): boolean =>
  status.kind === 'truncated' && lengthOfReply(response) === 0 && before < MOST_EMPTY_CUTS;
