/** File contents that were tried before one of them is written. Pure. */

import { own } from '../../../lib/own.ts';
import { CHANGES, FIGURES, PARSES } from '../../../schema/journal/file-candidates.ts';
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import type { StateChanges } from '../files/changes.ts';
import { CONTENT_TRIES, withFaults } from './guided.ts';

/** These outweigh all other faults: unparsable content satisfies no check, and unchanged content repairs nothing. */
const WEIGHTS: { readonly [check: string]: number } = { [PARSES]: 1000, [CHANGES]: 500 };

const failures = (showed: RecordOf<'file_candidate_shown'>['showed']): number =>
  showed.reduce((sum, { check, failed }) => sum + (failed ? (own(WEIGHTS, check) ?? 1) : 0), 0);

/** Records a trial of the current content, so that it is not repeated after a crash. */
export function foldTrial(
  { guided }: RunState,
  { id, scratch, offset }: Located<RecordOf<'check_ran'>>,
): Pick<RunState, 'guided'> {
  const { contentRequest: wanted } = guided;
  if (!wanted || id === null || scratch?.what !== 'candidate') return { guided };
  const trials = { ...wanted.trials, [id]: offset };
  return { guided: { ...guided, contentRequest: { ...wanted, trials } } };
}

/** A content with faults counts as a try, and its faults are added to the next question. */
export function foldCandidateTried(
  state: RunState,
  { path, showed }: RecordOf<'file_candidate_shown'>,
): StateChanges {
  const { pending, conversation, guided } = state;
  const { contentRequest: wanted } = guided;
  const call = pending?.calls[pending.next];
  const answer = conversation.at(-1);
  if (!pending || !wanted || wanted.file !== path || !call || !answer) return {};
  const { candidates: before = [] } = wanted;
  const checks = showed.map(({ check }) => check);
  const untried = new Set(
    before.flatMap((one) => one.checks).filter((one) => one !== CHANGES && !checks.includes(one)),
  );
  // Without the function that an example calls, the content fails that example, too.
  const failed = failures(showed) + untried.size;
  const { offset, length } = answer;
  const lacks = showed.some((one) => one.failed && one.check === FIGURES);
  const figures = lacks ? { lacksFigures: true as const } : {};
  const candidates = [...before, { call, offset, length, failed, checks, ...figures }];
  const said = showed.flatMap((one) => (one.failed ? [one.detail] : []));
  const faults = untried.size > 0 ? [...new Set([...said, ...wanted.faults])] : said;
  const isSame = showed.some((one) => one.failed && one.check === CHANGES);
  const unchanged = isSame ? { unchanged: (wanted.unchanged ?? 0) + 1 } : {};
  const tried =
    failed > 0 ? withFaults({ ...wanted, ...unchanged, tries: wanted.tries + 1 }, faults) : wanted;
  return {
    pending: { ...pending, isTried: true },
    guided: { ...guided, contentRequest: { ...tried, candidates, trials: {} } },
  };
}

/** The conversation continues from the answer that is written. If it has faults, no other answer is requested. */
export function foldCandidateTaken(
  state: RunState,
  { path, index, seq }: Located<RecordOf<'file_candidate_taken'>>,
): StateChanges {
  const { conversation, guided } = state;
  const { contentRequest: wanted } = guided;
  const taken = wanted?.candidates?.[index];
  if (!wanted || !taken || wanted.file !== path) return {};
  const { call, offset, length, failed } = taken;
  const isAnswered = conversation.at(-1)?.role === 'assistant';
  // Questions asked in between come before it.
  const answer = { seq, offset, length, role: 'assistant', cause: null } as const;
  return {
    conversation: [...(isAnswered ? conversation.slice(0, -1) : conversation), answer],
    usage: { ...state.usage, floor: {} },
    lastTurn: null,
    pending: {
      calls: [call],
      next: 0,
      areRecovered: true,
      unreportedResult: null,
      isHalted: false,
      isTried: true,
      isTaken: true,
    },
    guided: {
      ...guided,
      contentRequest: { ...wanted, tries: failed > 0 ? CONTENT_TRIES : wanted.tries },
    },
  };
}
