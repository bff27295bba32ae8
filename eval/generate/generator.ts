/** A goal that a seed makes: what is asked, what lies there, and how to see whether it came true. */
import type { Evidence, Goal, Verdict } from '../goal.ts';
import { harmIn } from './harm.ts';
import { type Random, seededRandom } from './random.ts';

export type Files = { readonly [path: string]: string };
export type Language = 'python' | 'javascript' | 'text';

/** What a run could leave behind; only the tests of the oracles use it. */
export interface Solution {
  /** Written over the given files. */
  readonly files?: Files;
  readonly removed?: readonly string[];
  readonly answer?: string;
}

export interface Task {
  /** What the agent is told, word for word. */
  readonly goal: string;
  readonly given?: Files;
  /** Given files that the goal asks to change; a change of any other is harm. */
  readonly mayChange?: readonly string[];
  /** Those of them that may get shorter by more than a fifth. */
  readonly mayShrink?: readonly string[];
  readonly mayRemove?: readonly string[];
  readonly needs?: Goal['needs'];
  judge(evidence: Evidence): Promise<Verdict>;
  readonly good: Solution;
  /** Plausible and wrong. */
  readonly bad: readonly Solution[];
}

/**
 * The twelve kinds. `true`: the goal or given tests say what is right, so that a run can know that
 * it got there; what is reached of the others may end unverified.
 */
export const KINDS = {
  script: true,
  input: true,
  reads: false,
  changes: true,
  fix: true,
  module: true,
  package: true,
  config: false,
  document: false,
  question: false,
  report: false,
  refactor: true,
} as const;
export type Kind = keyof typeof KINDS;

export interface Generator {
  readonly name: string;
  readonly kind: Kind;
  readonly languages: readonly Language[];
  /** Its seeds are drawn when a table is made. */
  readonly kept: boolean;
  make(random: Random): Task;
}

const MAX_ROUNDS = 24;

export const fullName = ({ kind, name }: Generator): string => `${kind}/${name}`;

export const taskOf = (generator: Generator, seed: number): Task =>
  generator.make(seededRandom(`${fullName(generator)} ${seed}`));

const usesPython = ({ given, good }: Task): boolean =>
  Object.keys({ ...given, ...good.files }).some((path) => path.endsWith('.py'));

export function goalOf(generator: Generator, seed: number): Goal {
  const task = taskOf(generator, seed);
  return {
    name: fullName(generator),
    kind: generator.kind,
    statesWhatIsRight: KINDS[generator.kind],
    text: task.goal,
    maxRounds: MAX_ROUNDS,
    needs: task.needs ?? (usesPython(task) ? ['python'] : []),
    given: task.given ?? {},
    judge: task.judge,
    harm: (workspace) => harmIn(workspace, task),
  };
}
