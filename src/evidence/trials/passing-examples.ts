/** What literal examples of the goal show that hold. */
import {
  type Answer,
  type Ask,
  type Evidence,
  listed,
  unproved,
  type Verdict,
} from '../evidence.ts';

interface NewlyPassing {
  /** Examples that hold and did not before: one that did tells how things were. */
  readonly shown: readonly string[];
  /** Why the copy did not say how it was before, of one at least; `null`: it did. */
  readonly missing: Answer | null;
}

export async function newlyPassing({ examples }: Evidence, ask: Ask): Promise<NewlyPassing> {
  const shown: string[] = [];
  let missing: Answer | null = null;
  for (const example of examples.held) {
    const before = await ask({ what: 'example', example });
    if (before.kind !== 'ran') missing = before;
    else if (!before.passed) shown.push(example.says);
  }
  return { shown, missing };
}

/** Inputs beside those of the examples: what they give nobody has said, but not always the same. */
export async function givesOnlyThat({ calls }: Evidence, ask: Ask): Promise<Verdict | null> {
  const given: string[] = [];
  for (const call of calls) {
    const answer = await ask({ what: 'call', call });
    if (answer.kind !== 'ran') return null;
    // The command compares with the example: it ends well where the same comes out.
    given.push(answer.passed ? 'same' : 'other');
  }
  return given.length > 0 && given.every((one) => one === 'same')
    ? unproved(
        `what the goal says of ${listed(calls.map(({ says }) => says))} comes out for any input`,
      )
    : null;
}

/** A model that is led makes the same mistake in its code and in its tests of it. */
export async function withoutExample(evidence: Evidence, ask: Ask): Promise<Verdict | null> {
  const { shown, missing } = await newlyPassing(evidence, ask);
  if (shown.length > 0) return givesOnlyThat(evidence, ask);
  const why =
    whyExamplesProveNothing(evidence, missing) ??
    'the goal shows no example that they were held against';
  return unproved(`${evidence.proof.cmd} passes, but by tests of this run alone: ${why}`);
}

/** Why no example of the goal shows anything; `null`: it has none. */
export function whyExamplesProveNothing(
  { examples: { held, others } }: Pick<Evidence, 'examples'>,
  missing: Answer | null,
): string | null {
  if (missing !== null) return `it is not known what held before this run: ${noAnswer(missing)}`;
  if (held.length > 0)
    return `what the goal says held before this run too: ${listed(held.map(({ says }) => says))}`;
  if (others.length > 0)
    return `what the goal says was set aside or could not be tried: ${listed(others)}`;
  return null;
}

/** Why the copy did not say it. */
export const noAnswer = (answer: Answer): string =>
  answer.kind === 'none' ? answer.why : 'what was there before is not kept';
