/** What the goal's literal examples show. */
import {
  type AskTrial,
  type Evidence,
  listed,
  type TrialAnswer,
  unproved,
  type Verdict,
} from '../evidence.ts';

export function failedExample({ examples: { failed } }: Evidence): Verdict | null {
  return failed.length === 0
    ? null
    : unproved(`the goal says ${listed(failed.map(({ says }) => says))}, which does not hold`);
}

/** If tests contain only the example, code that always returns the example's result passes them. */
export function ignoredInput({ ignoredInputs }: Evidence): Verdict | null {
  return ignoredInputs.length === 0
    ? null
    : unproved(
        `what the goal says comes out for any input: ${listed(ignoredInputs)}`,
        'tests_notice_nothing',
      );
}

interface NewlyPassing {
  /** Examples that pass now and failed before. One that passed before only describes how things were. */
  readonly shown: readonly string[];
  /** The answer of a trial that could not tell how an example ended before; `null`: all trials could. */
  readonly missing: TrialAnswer | null;
}

export async function newlyPassing({ examples }: Evidence, ask: AskTrial): Promise<NewlyPassing> {
  const shown: string[] = [];
  let missing: TrialAnswer | null = null;
  for (const example of examples.held) {
    const before = await ask({ what: 'example', example });
    if (before.kind !== 'ran') missing = before;
    else if (!before.passed) shown.push(example.says);
  }
  return { shown, missing };
}

/** Tries inputs close to the examples. Their right results are unknown, but they must not all equal the example's. */
export async function givesOnlyThat({ calls }: Evidence, ask: AskTrial): Promise<Verdict | null> {
  const outcomes: string[] = [];
  for (const call of calls) {
    const answer = await ask({ what: 'call', call });
    if (answer.kind !== 'ran') return null;
    // The command compares with the example's result: it passes when both are equal.
    outcomes.push(answer.passed ? 'same' : 'other');
  }
  return outcomes.length > 0 && outcomes.every((one) => one === 'same')
    ? unproved(
        `what the goal says of ${listed(calls.map(({ says }) => says))} comes out for any input`,
      )
    : null;
}

/** Requires a passing example: a guided model repeats the mistake of its code in the tests that it writes for it. */
export async function withoutExample(evidence: Evidence, ask: AskTrial): Promise<Verdict | null> {
  const { shown, missing } = await newlyPassing(evidence, ask);
  if (shown.length > 0) return givesOnlyThat(evidence, ask);
  const why =
    whyExamplesProveNothing(evidence, missing) ??
    'the goal shows no example that they were held against';
  return unproved(`${evidence.proof.cmd} passes, but by tests of this run alone: ${why}`);
}

/** Why none of the goal's examples is evidence; `null`: the goal has none. */
export function whyExamplesProveNothing(
  { examples: { held, others } }: Pick<Evidence, 'examples'>,
  missing: TrialAnswer | null,
): string | null {
  if (missing !== null) return `it is not known what held before this run: ${noAnswer(missing)}`;
  if (held.length > 0)
    return `what the goal says held before this run too: ${listed(held.map(({ says }) => says))}`;
  if (others.length > 0)
    return `what the goal says was set aside or could not be tried: ${listed(others)}`;
  return null;
}

/** Why the copy gave no answer. */
export const noAnswer = (answer: TrialAnswer): string =>
  answer.kind === 'none' ? answer.why : 'what was there before is not kept';
