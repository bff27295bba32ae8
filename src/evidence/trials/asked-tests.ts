/**
 * If tests were asked for, the test files that the run made must pass three checks, each without the existing
 * tests: pass after the work, fail before it, and fail with the code emptied. Pure except for the trials it
 * requests.
 */
import {
  type AskTrial,
  type Evidence,
  type TrialAnswer,
  unproved,
  type Verdict,
} from '../evidence.ts';
import { noAnswer } from './passing-examples.ts';

/** The first check that is not met; `null`: all are met, or no tests were asked for. */
export async function missingOfTests(evidence: Evidence, ask: AskTrial): Promise<Verdict | null> {
  const { askedTests: tests, isTestRun, proof } = evidence;
  if (tests === null) return null;
  if (tests.length === 0) return lacking('this run made no test file');
  if (!isTestRun) return lacking(`the proof runs none: ${proof.cmd}`);
  const own = evidence.hasGivenTests ? ({ own: true } as const) : {};
  return (
    (await notGreenAfter(own, ask)) ??
    (await notRedBefore(evidence, own, ask)) ??
    (await notRedEmptied(evidence, own, ask))
  );
}

type Own = { readonly own?: true };
type Silent = Exclude<TrialAnswer, { kind: 'ran' }>;

const lacking = (what: string): Verdict =>
  unproved(`tests were asked for, and ${what}`, 'tests_notice_nothing');

const notKnown = (what: string, answer: Silent): Verdict =>
  unproved(`tests were asked for, and it is not known whether they ${what}: ${noAnswer(answer)}`);

async function notGreenAfter(own: Own, ask: AskTrial): Promise<Verdict | null> {
  if (!own.own) return null;
  const answer = await ask({ what: 'unchanged', ...own });
  if (answer.kind !== 'ran') return notKnown('pass after the work', answer);
  return answer.passed
    ? null
    : lacking('those of this run do not pass without the tests that were there');
}

/** If all the code is new, the tests cannot have passed before. */
async function notRedBefore(
  { hasChangedOldCode, newCode }: Evidence,
  own: Own,
  ask: AskTrial,
): Promise<Verdict | null> {
  if (!hasChangedOldCode && newCode.length > 0) return null;
  const answer = await ask({ what: 'old_code', ...own });
  if (answer.kind !== 'ran') return notKnown('fail before the work', answer);
  return answer.passed ? lacking('those of this run pass before the work, too') : null;
}

async function notRedEmptied({ code }: Evidence, own: Own, ask: AskTrial): Promise<Verdict | null> {
  let silent: Silent = { kind: 'nothing' };
  let hasPassed = false;
  for (const path of code) {
    const answer = await ask({ what: 'emptied', path, ...own });
    if (answer.kind !== 'ran') silent = answer;
    else if (!answer.passed) return null;
    else hasPassed = true;
  }
  if (hasPassed) return lacking('those of this run pass with the code emptied, too');
  return silent.kind === 'none'
    ? notKnown('fail with the code emptied', silent)
    : lacking('there is no code that could be emptied to see whether they notice');
}
