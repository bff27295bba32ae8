// How often the turn under way was tried, and the turns before it that came to nothing; pure.

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

/** A turn that follows on one without an end gives that one up, which counts as a turn all the same. */
export function countersAfter(
  before: Counters,
  { turn, attempt, status }: RecordOf<'turn_finished'>,
  isConcluded: boolean,
): Counters {
  const rest = withoutAttempts(before);
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
 * All of its room went into thoughts, or into a call that had no end: a word to it would not help,
 * and more room may. @param before how many such answers it gave in a row
 */
export const isCutEmpty = (
  { status, response }: Pick<RecordOf<'turn_finished'>, 'status' | 'response'>,
  before: number,
): boolean =>
  status.kind === 'truncated' && lengthOfReply(response) === 0 && before < MOST_EMPTY_CUTS;
