/** What is known of a run that would claim its goal, and what the scratch copy can be asked. */
import { defined } from '../lib/defined.ts';
import type { MendableDoubt } from '../schema/evidence.ts';
import type { Proof } from '../schema/plan.ts';

/**
 * One look at what the proof does in a copy that differs in one thing. `own`: without the files of tests that
 * were there before the run, too.
 */
export type Question =
  /** As the workspace is; `again` to see whether it says the same twice. */
  | { readonly what: 'unchanged'; readonly again?: true; readonly own?: true }
  /** All files as they were before the run. */
  | { readonly what: 'before' }
  /** The code as it was before the run, its tests as they are now. */
  | { readonly what: 'old_code'; readonly own?: true }
  /** The bodies of what is new in a file emptied. */
  | { readonly what: 'emptied'; readonly path: string; readonly own?: true }
  /** What is new in a file gives back a constant of its kind. */
  | { readonly what: 'constant'; readonly path: string }
  /** What is new in a file ends the process with a failure where it gives back a value. */
  | { readonly what: 'no_value'; readonly path: string }
  /** A function that a file offers, called. */
  | { readonly what: 'call'; readonly call: TriedCall }
  /** Tests, and what belongs to them, as they were before the run; `path`: one of them alone. */
  | { readonly what: 'old_tests'; readonly path?: string }
  /** Without a given file or folder. */
  | { readonly what: 'without'; readonly path: string }
  /** Tests that were red in this run. */
  | { readonly what: 'red'; readonly run: RedRun }
  /** An example of the goal, with all files as they were before the run. */
  | { readonly what: 'example'; readonly example: TriedExample }
  /** Another command, that was to be the proof before. */
  | { readonly what: 'first_proof'; readonly proof: Proof };

/** A call beside one of the goal's own examples: nobody has said what it gives. */
export interface TriedCall {
  readonly path: string;
  /** As people write it. */
  readonly says: string;
  readonly cmd: string;
}

/** A literal example of the goal, as it is tried. */
export interface TriedExample {
  /** In one line. */
  readonly says: string;
  readonly command: Proof;
}

/** A run of tests that failed in this run. */
export interface RedRun {
  readonly cmd: string;
  /** Where it was run; left out: in the workspace itself. */
  readonly cwd?: string;
  /** All tests that failed in it before the first change of the run; left out where they are not known. */
  readonly failedBefore?: readonly string[];
}

/** Another command that was to be the proof before, with what the run has seen of it. */
export interface FirstProof {
  readonly proof: Proof;
  /** Tests that passed in it before the first change of the run; left out where nobody counted them. */
  readonly passedBefore?: number;
  /** It failed since the last change, as it did before the first; left out: it is to be tried. */
  readonly asBefore?: CheckFailure;
}

/** A command that did not pass. */
export interface CheckFailure {
  /** Tests that passed in it all the same, where its runner counts them. */
  readonly passed?: number;
  /** Tests that failed, by their names, as far as they were told. */
  readonly failed: readonly string[];
}

export type Answer =
  | {
      readonly kind: 'ran';
      /** As a proof: its exit code, its tests, and what the goal says it prints. */
      readonly passed: boolean;
      /** `null`: it did not end, in several times what it takes as it is. */
      readonly exitCode: number | null;
      /** What it printed, as much as is kept. */
      readonly output: string;
      /** One word for its output, without times and places. */
      readonly word: string;
      /** Tests that failed, by their names, as far as they were told. */
      readonly failed?: readonly string[];
      /** It failed no worse than before the first change of the run. */
      readonly asBefore?: true;
    }
  /** Too many files, no time left, refused, not startable, cut off: it says nothing either way. */
  | {
      readonly kind: 'none';
      readonly why: string;
      /** There was no time for it, or not enough: another time it may say something. */
      readonly isLate?: true;
    }
  /** There is nothing to take away, or to put there. */
  | { readonly kind: 'nothing' };

export type Ask = (question: Question) => Promise<Answer>;

/** How a claim is known, in words that a person can check, or what speaks against it. */
export type Verdict =
  | { readonly isProved: true; readonly words: string }
  | {
      readonly isProved: false;
      readonly words: string;
      /** Why work can mend it; left out where no work can. */
      readonly mend?: MendableDoubt;
      /** What was not tried, since somebody skipped it. */
      readonly untried?: readonly string[];
    };

export interface Evidence {
  readonly proof: Proof;
  /** What the proof printed when it passed; `null`: it was not kept. */
  readonly printed: string | null;
  /** As a language tells it. */
  readonly isTestRun: boolean;
  /** What the proof did before the first change of this run; `null`: it was not run then. */
  readonly before: 'passed' | 'failing' | null;
  /** True where what the proof runs was not there before the run. */
  readonly isNew: boolean;
  /** Code files that this run made: that there was none is no failure. */
  readonly newCode: readonly string[];
  /** True where tests were there before the run. */
  readonly hasGivenTests: boolean;
  /** Given tests, and what belongs to them, that this run changed or removed unasked. */
  readonly changedTests: readonly string[];
  /** Those of them that were not there before: they say how tests are run. */
  readonly newSettings: readonly string[];
  /** The same that this run made. */
  readonly ownTests: readonly string[];
  /** Files of tests that this run made, where tests were asked for; `null`: nobody did. */
  readonly askedTests: readonly string[] | null;
  /** Settings of tests that the goal names, and that the run changed: they count as its own. */
  readonly wantedTests: readonly string[];
  /** Code files that this run made or changed; where it only made tests, those that the goal names. */
  readonly code: readonly string[];
  /** False where the code that was there is as it was. */
  readonly hasChangedOldCode: boolean;
  /** Files that steps of the plan were to change and that are as they were. */
  readonly ineffectiveEdits: readonly string[];
  /** True where this run changed something else than what steers tests or lies among dependencies. */
  readonly hasOtherWork: boolean;
  /** Files that it made or changed in folders of what others wrote. */
  readonly ownDependencies: readonly string[];
  /** Runs of tests that failed in this run and did not pass after its last change. */
  readonly reds: readonly RedRun[];
  /** Proofs that were there before this one and did not pass when they ran last. */
  readonly earlierProofs: readonly FirstProof[];
  /** Given files that the goal names and this run left as they were. */
  readonly namedInputs: readonly string[];
  /** The goal's own examples, as they stood when they were tried last. */
  readonly examples: {
    readonly held: readonly TriedExample[];
    readonly failed: readonly TriedExample[];
    /** In words, those that were set aside or could not be tried. */
    readonly others: readonly string[];
  };
  /** Tests that this run wrote prove something without an example of the goal that holds too. */
  readonly ownTestsProve: boolean;
  /** Calls beside those of the goal's examples. */
  readonly calls: readonly TriedCall[];
}

export const proved = (words: string): Verdict => ({ isProved: true, words });
export const unproved = (words: string, mend?: MendableDoubt): Verdict => ({
  isProved: false,
  words,
  ...defined({ mend }),
});

/** Names for people: the first few, and how many more there are. */
export function listed(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} more`] : names;
  const last = shown.at(-1) ?? '';
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${last}` : last;
}
