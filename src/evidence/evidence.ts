/** What is known of a run that wants to claim its goal, and which questions the scratch copy can answer. */
import { defined } from '../lib/defined.ts';
import type { ActionFacts } from '../schema/actions.ts';
import type { MendableDoubt, NotCovered, RedTest, SeenTests } from '../schema/evidence.ts';
import type { Proof } from '../schema/plan.ts';
import type { AlterableLine, PlacedAlteration } from './alterable.ts';
import type { Expected, TestOrigin } from './compared.ts';
import type { NoticeableCode } from './noticeable.ts';
import type { ChangedOfProof } from './program-of-proof.ts';

/**
 * One run of the proof in a copy that differs from the workspace in one way. `own`: test files that existed
 * before the run are removed as well.
 */
export type TrialQuestion =
  /** The workspace as it is; `again` repeats it to see whether the output is stable. */
  | { readonly what: 'unchanged'; readonly again?: true; readonly own?: true }
  /** All files as they were before the run; `again`: the proof failed with them, and must do so once more. */
  | { readonly what: 'before'; readonly again?: true }
  /**
   * The tests as they were, in a run that names each test that passes: those that were red must be among
   * them. `now`: the tests as they are.
   */
  | { readonly what: 'seen'; readonly red: readonly RedTest[]; readonly now?: true }
  /** The code as it was before the run, with the tests as they are now. */
  | { readonly what: 'old_code'; readonly own?: true }
  /** New functions of the file have empty bodies. */
  | {
      readonly what: 'emptied';
      readonly path: string;
      readonly own?: true;
      /** Alterations of what tests expect. */
      readonly tests?: readonly PlacedAlteration[];
    }
  /** New functions of the file return a constant of their type. */
  | { readonly what: 'constant'; readonly path: string }
  /** New functions of the file exit the process with a failure when they return a value. */
  | { readonly what: 'no_value'; readonly path: string }
  /** Places in new code, or in tests, are altered; `isOld`: the code is as it was before the run. */
  | {
      readonly what: 'altered';
      readonly changes: readonly PlacedAlteration[];
      readonly isOld?: true;
    }
  /** One alteration of new code, with the tests as they were before the run. */
  | { readonly what: 'altered_old_tests'; readonly change: PlacedAlteration }
  /** These places get one more space in front of them. */
  | { readonly what: 'respaced'; readonly changes: readonly PlacedAlteration[] }
  /** Calls a function that the file exports. */
  | { readonly what: 'call'; readonly call: TriedCall }
  /** Tests and their support files as they were before the run; `path`: only this one. */
  | { readonly what: 'old_tests'; readonly path?: string }
  /** `old_tests`, where new functions of the file have empty bodies. */
  | { readonly what: 'old_tests_emptied'; readonly path: string }
  /**
   * Runs the tests that the folder had, as they were: with the new code, or with all files as they were;
   * `now`: all files as they are. `path`: only tests in the language of this file.
   */
  | { readonly what: 'given_tests'; readonly code: 'new' | 'old' | 'now'; readonly path?: string }
  /** The file is empty. */
  | { readonly what: 'blank'; readonly path: string }
  /** The file holds text that is code in no language. */
  | { readonly what: 'broken'; readonly path: string }
  /** The file only fails when it is run. */
  | { readonly what: 'failing'; readonly path: string }
  /** The named file or folder is removed. */
  | { readonly what: 'without'; readonly path: string }
  /** Repeats a test run that failed during this run. */
  | { readonly what: 'red'; readonly run: RedRun }
  /** An example from the goal, with all files as they were before the run. */
  | { readonly what: 'example'; readonly example: TriedExample }
  /** A command that was the proof earlier. */
  | { readonly what: 'first_proof'; readonly proof: Proof }
  /** The files as they were before the run, all of them. */
  | { readonly what: 'put_back'; readonly paths: readonly string[] };

/** A call with an input close to one of the goal's examples; its right result is unknown. */
export interface TriedCall {
  readonly path: string;
  /** The call as people write it. */
  readonly says: string;
  readonly cmd: string;
}

/** A literal example from the goal, in the form in which it is tried. */
export interface TriedExample {
  /** One line for people. */
  readonly says: string;
  readonly command: Proof;
}

/** A test run that failed during this run. */
export interface RedRun {
  readonly cmd: string;
  /** The folder it ran in; left out: the workspace itself. */
  readonly cwd?: string;
  /** The tests that failed in it before the run's first change; left out when unknown. */
  readonly failedBefore?: readonly string[];
  /** The file of each test that failed in it; left out when unknown. */
  readonly files?: readonly string[] | undefined;
  /** Only tests that this run wrote failed in it. */
  readonly isOwn?: true;
}

/** A command that was the proof earlier, with what the run has seen of it. */
export interface FirstProof {
  readonly proof: Proof;
  /** How many of its tests passed before the run's first change; left out when they were not counted. */
  readonly passedBefore?: number;
  /** Set when it failed after the last change just as it did before the first; left out when it must be tried. */
  readonly asBefore?: CheckFailure;
}

/** A command that failed. */
export interface CheckFailure {
  /** How many of its tests passed, if the runner counts them. */
  readonly passed?: number;
  /** Names of the failed tests, as far as the runner prints them. */
  readonly failed: readonly string[];
}

export type TrialAnswer =
  | {
      readonly kind: 'ran';
      /** Judged as a proof: exit code, tests, and the output that the goal states. */
      readonly passed: boolean;
      /** `null`: it did not finish within several times its usual duration. */
      readonly exitCode: number | null;
      /** The output, up to the limit that is kept. */
      readonly output: string;
      /** The test counts of the whole output; left out when it shows none. */
      readonly tests?: NonNullable<ActionFacts['tests']>;
      /** A hash of its output without times and paths. */
      readonly word: string;
      /** Names of the failed tests, as far as the runner prints them. */
      readonly failed?: readonly string[];
      /** The command failed no worse than before the run's first change. */
      readonly asBefore?: true;
      readonly red?: readonly RedTest[];
      readonly seen?: SeenTests;
      /** Files that were put back and that the command made again, as they are now. */
      readonly made?: readonly string[];
      /** A command failed that makes something which the proof needs, so the proof itself did not run. */
      readonly isUnmade?: true;
    }
  /** No evidence either way: too many files, no time left, refused, could not start, or cut off. */
  | {
      readonly kind: 'none';
      readonly why: string;
      /** There was too little time; a later attempt may give an answer. */
      readonly isLate?: true;
      /** The run came to its end, and no test passed or failed. */
      readonly hasNoTests?: true;
      /** A command failed that makes something which the proof needs. */
      readonly isUnmade?: true;
    }
  /** There is nothing to remove or to restore. */
  | { readonly kind: 'nothing' };

export type AskTrial = (question: TrialQuestion) => Promise<TrialAnswer>;

/** Whether a claim is proved, in words that a person can check: how it is known, or what contradicts it. */
export type Verdict =
  | Proved
  | {
      readonly isProved: false;
      readonly words: string;
      /** What further work could repair; left out when work cannot help. */
      readonly mend?: MendableDoubt;
      /** Trials that the user skipped. */
      readonly untried?: readonly string[];
    };

export interface Evidence {
  readonly proof: Proof;
  /** What the proof printed when it passed; `null`: not kept. */
  readonly printed: string | null;
  /** The test counts of the whole output; left out when it shows none. */
  readonly tests?: NonNullable<ActionFacts['tests']>;
  /** True when the language recognises the proof as a test run. */
  readonly isTestRun: boolean;
  /** The proof only shows what files hold. */
  readonly isReading: boolean;
  /** How the proof ended before the run's first change; `null`: it was not run then. */
  readonly before: 'passed' | 'failing' | null;
  /** How many tests passed or failed before the run's first change; `null`: they were not counted. */
  readonly testsBefore: number | null;
  /** True when the proof runs something that did not exist before the run. */
  readonly isNew: boolean;
  /** Code files that this run created. That they were missing before is not a failure. */
  readonly newCode: readonly string[];
  /** True when tests existed before the run. */
  readonly hasGivenTests: boolean;
  /** Existing tests and their support files that the run changed or removed without being asked. */
  readonly changedTests: readonly string[];
  /** Files of code among `changedTests`: tests that stand in them are not as they were. */
  readonly innerTests: readonly string[];
  /** Files among `changedTests` that only tests and the proof use: results to compare with, inputs. */
  readonly testData: readonly string[];
  /** The renames, if `changedTests` differ by nothing else: `HttpEvent for OldEvent`. */
  readonly renames: readonly string[];
  /** The settings among `changedTests` that are new: they decide how tests run. */
  readonly newSettings: readonly string[];
  /** Tests and support files that this run created. */
  readonly ownTests: readonly string[];
  /** Test files that this run made because tests were asked for; `null`: no tests were asked for. */
  readonly askedTests: readonly string[] | null;
  /** Test settings that the goal names and the run changed; they count as the run's own. */
  readonly wantedTests: readonly string[];
  /**
   * Alterations of new code whose functions the engine cannot empty, in the order of their trials; for a run
   * of tests, of code whose functions it cannot make return constants.
   */
  readonly alterable: readonly AlterableLine[];
  /** @param output of the proof that failed: with the files as they were, or without the run's code */
  expectedIn(output: string, origin?: TestOrigin): Expected;
  /** Code files that this run made or changed. If it made only tests: the code files that the goal names. */
  readonly code: readonly string[];
  /** Code whose absence a proof that was red before must notice; empty if a person chose the proof. */
  readonly noticeable: readonly NoticeableCode[];
  /** True when the run changed code that existed before. */
  readonly hasChangedOldCode: boolean;
  /** Files that the plan wanted changed and that are still as they were. */
  readonly ineffectiveEdits: readonly string[];
  /** True when the run changed anything other than test settings or dependencies. */
  readonly hasOtherWork: boolean;
  /** Files that the run made or changed inside dependency folders. */
  readonly ownDependencies: readonly string[];
  /** Test runs that failed in this run and have not passed since its last change. */
  readonly reds: readonly RedRun[];
  /** Unsteady tests of the proof: they failed and passed although the run changed nothing in between. */
  readonly unsteady: readonly string[];
  /** Tests that failed in the proof before the run's first change; empty when they are not known. */
  readonly redBefore: readonly string[];
  /** Earlier proofs whose last run failed. */
  readonly earlierProofs: readonly FirstProof[];
  /** Changed files that the proof may say nothing about. */
  readonly aside: readonly string[];
  /** What the run changed; left out: unknown. */
  readonly changedPaths?: readonly string[];
  /** Existing files, and folders, that the goal names and the run did not change themselves. */
  readonly namedInputs: readonly string[];
  /** The goal's examples, with the result of their latest trial. */
  readonly examples: {
    readonly held: readonly TriedExample[];
    readonly failed: readonly TriedExample[];
    /** Descriptions of the examples that were set aside or could not be tried. */
    readonly others: readonly string[];
  };
  /** The proof's whole output, as the person's template states it; `null`: no template states it. */
  readonly stated: string | null;
  /** The person gave the proof with the goal. */
  readonly isGiven: boolean;
  readonly changedOfProof: ChangedOfProof;
  /** True when the run's own tests are evidence even if no example of the goal passes. */
  readonly ownTestsProve: boolean;
  /** The goal's literal calls of functions of this run that use none of their arguments. */
  readonly ignoredInputs: readonly string[];
  /** Calls with inputs close to the goal's examples. */
  readonly calls: readonly TriedCall[];
}

export interface Proved {
  readonly isProved: true;
  readonly words: string;
  readonly beyond?: NotCovered;
}

export const proved = (words: string): Verdict => ({ isProved: true, words });
export const unproved = (words: string, mend?: MendableDoubt): Verdict => ({
  isProved: false,
  words,
  ...defined({ mend }),
});

/** A list of names for people: the first few, then how many more. */
export function listed(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} more`] : names;
  const last = shown.at(-1) ?? '';
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${last}` : last;
}

/** The list behind a colon; nothing if there are no names. */
export const colonAndNames = (names: readonly string[]): string =>
  names.length > 0 ? `: ${listed(names)}` : '';

/** A proof as people name it. */
export const proofWords = ({ cmd, prints }: Proof): string =>
  prints === undefined ? cmd : `${cmd} with the output "${prints.trim()}"`;
