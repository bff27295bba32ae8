/** Tells tests that fail by a comparison from tests that crash. Pure except for the trials it requests. */
import { plainOutput } from '../../languages/testing/test-output.ts';
import type { PlacedAlteration } from '../alterable.ts';
import { comparable } from '../compare.ts';
import type { Expected } from '../compared.ts';
import type { AskTrial, TrialAnswer, TrialQuestion } from '../evidence.ts';
import { linesNamed } from '../expected.ts';
import { mayNotBuild } from './blind-tests.ts';
import { reachedTests } from './reached-tests.ts';

type Ran = Extract<TrialAnswer, { kind: 'ran' }>;

interface Failing extends Pick<Expected, 'compared' | 'others'> {
  /** The code that differs in the copy. */
  readonly path: string;
  /** What it gives there; '': unknown. */
  readonly given: string;
}

/**
 * True if the tests could be built and what they expect matters: in the same copy they pass once they expect
 * something else, or the failure named a line of theirs and is another one then. A crash that names none may
 * come behind a comparison that holds.
 * @param altered asks for the same copy with these alterations of its tests
 */
export async function isCompared(
  answer: Ran,
  { compared, others, path, given }: Failing,
  ask: AskTrial,
  altered: (tests: readonly PlacedAlteration[]) => TrialQuestion,
): Promise<boolean> {
  const tests = [...compared.flatMap(({ alternatives }) => alternatives.slice(0, 1)), ...others];
  const paths = tests.map((one) => one.path);
  if (!(await reachedTests(answer, [path, ...paths], ask))) return false;
  const isNamed = await namesOneOf(paths, answer, ask);
  const values = oneALine(tests.filter((one) => !mayNotBuild(one)));
  const ways = [
    values,
    // Where a failure shows no values, the tests expect what the altered code gives.
    given === '' ? [] : values.map((one) => ({ ...one, to: given })),
    oneALine(tests.filter(mayNotBuild)),
  ];
  for (const way of ways.filter(({ length }) => length > 0)) {
    const other = await ask(altered(way));
    if (other.kind !== 'ran' || other.passed) return true;
    const isOther = isNamed && lacksLine(other, answer);
    if (isOther && (await reachedTests(other, paths, ask))) return true;
  }
  return false;
}

/** True if the failure names a line of the tests. What is printed without a failure, too, is a warning. */
async function namesOneOf(paths: readonly string[], failed: Ran, ask: AskTrial): Promise<boolean> {
  const green = await ask({ what: 'unchanged' });
  const usual = new Set(green.kind === 'ran' ? green.output.split('\n') : []);
  const text = failed.output.split('\n').filter((line) => !usual.has(line));
  return paths.some((path) => linesNamed(path, text.join('\n')).length > 0);
}

/** More lines may be warnings about what was altered. */
function lacksLine(other: Ran, than: Ran): boolean {
  const [lines, were] = [other, than].map(({ output }) =>
    comparable(plainOutput(output), '.').split('\n'),
  );
  return were?.some((line) => lines?.includes(line) !== true) === true;
}

const oneALine = (all: readonly PlacedAlteration[]): readonly PlacedAlteration[] => [
  ...new Map(all.toReversed().map((one) => [`${one.path}:${one.line}`, one])).values(),
];
