/**
 * What the engine asks of a language. A language is one folder that answers, and one line in
 * `languages.ts`; nobody else knows a file ending, a test runner or a program of it by name. All of
 * it is pure but `inspect`, which may start the language's own checker.
 */
import type { ProgramFinder, ProgramFolder } from '../processes/programs/program-finder.ts';
import type { CommandRules } from './commands/command-rule.ts';
import type { CommandSeen } from './commands/command-seen.ts';
import type { Inspection, InspectionDeps } from './files/inspection.ts';

/** Names of the languages' programs that are there, made once at the start of a run. */
export type Installed = ReadonlySet<string>;

export interface Language {
  readonly name: string;
  /** True for the files that are its; paths are relative with `/`. The first that says so has it. */
  owns(path: string): boolean;
  /** True for files of its own that a test runner picks up by their names. */
  isTest(path: string): boolean;
  /** True for files, whosever they are, that say how its tests are run, or that are run before them. */
  configuresTests?(path: string): boolean;
  /** True for files of its own that hold data: a fault is looked for there last. */
  isData(path: string): boolean;
  /** True for a file that describes a project in it: its name, what it needs, how it is run. */
  isManifest?(path: string): boolean;
  /** True for a file that makes its folder a package: often empty, and written behind the others. */
  marksPackage?(path: string): boolean;
  /** True for files of its own that people read, so that sentences may be all of their content. */
  mayBeProse?(path: string): boolean;
  /** True for files of its own that tell people of code, in whatever language that is. */
  isDocument?(path: string): boolean;
  mayBeEmpty?(path: string): boolean;
  /** The text of a file whose content was given as a value. */
  contentOf?(value: object): string;
  /** Names of products that look like files of its own, in lower case. */
  readonly products?: readonly string[];
  /** What speaks against a file, and what it offers; `null` for one that it cannot inspect. */
  inspect?(path: string, text: string, deps: InspectionDeps): Promise<Inspection | null>;
  /**
   * The text of a file of its own with the bodies of its functions emptied, so that whatever looks
   * at what they do must notice; those that stand in `before` as they are stay whole. `null` where
   * there is nothing to empty or it cannot be done with certainty.
   */
  emptied?: Altered;
  /**
   * The same with functions that do what they do and give back one constant of their kind: 0, '', an
   * empty list, true or nothing. Tests that do not notice it look at no value.
   */
  givingConstants?: Altered;
  /** The same with functions that end the process with a failure where they give back a value. */
  endingAtValues?: Altered;
  /** Names of functions, classes and constants that a file of its own defines at its top level. */
  definedNames?(text: string): readonly string[];
  /** How a function at the margin begins, its name in a group, and texts that may go over lines. */
  readonly functions?: { readonly begins: RegExp; readonly longTexts: RegExp };
  /** True for the text of a file of its own that defines names and does nothing when it is run. */
  onlyDefines?(text: string): boolean;
  /** Files that a file of its own may import, with `/`: where they could lie, there or not. */
  imports?(path: string, text: string): readonly string[];
  /** Import lines for the names that files offer, with their signatures. */
  importLines?(files: readonly OfferingFile[], forFile: ForFile): readonly string[];
  /** What a test file needs beside the code it tests. */
  testImports?(installed: Installed, forFile: ForFile): readonly string[];
  readonly runs?: Running;
  readonly output?: OutputReading;
  readonly commands?: CommandRules;
  readonly machine?: OnMachine;
}

/** A text with other functions in it; `null` where there are none, or it is not certain. */
export type Altered = (
  path: string,
  text: string,
  before: string | null,
  deps: InspectionDeps,
) => Promise<string | null>;

/** The file that is to be written, and how others are read. */
export interface ForFile {
  readonly path: string;
  /** `null` where there is none. Never throws. */
  readText(path: string): string | null;
}

export interface OfferingFile {
  readonly path: string;
  /** Signatures: `add(a, b)`. */
  readonly defines: readonly string[];
}

export interface TestRun {
  readonly cmd: string;
}

/** How programs and tests are run with what is installed. */
export interface Running {
  /** Those of its programs that are installed, by their names. */
  programs(resolve: (program: string) => string | null): readonly string[];
  canRun(installed: Installed): boolean;
  /** Programs that a program of its own runs with these arguments: `python -m NAME`. */
  runsBeside?(program: string, args: readonly string[]): readonly string[];
  /** What it and its programs are called, in small letters; a name of two letters as it is written. */
  readonly names: readonly string[];
  /** One line for the system prompt: how programs, packages and tests are laid out and run. */
  notes(installed: Installed): string;
  /** Said in the notes of a language that cannot be run here. */
  readonly instead?: string;
  /** The command that runs a file, `null` for one that is not run. */
  run(file: string, installed: Installed): string | null;
  /**
   * How a function that a file offers is called: a command that prints what it gives behind `gives`
   * and ends with 0 where that is what was said. `null` for a file that cannot be imported.
   */
  evaluates?(file: string): ((call: DescribedCall, installed: Installed) => string) | null;
  /** The files of its own of which a command runs the one that is there; none: not its command. */
  filesRunBy?(words: readonly string[]): readonly string[];
  /** The command that runs these tests of its own, `null` where it has no runner for them. */
  testRun(tests: readonly string[], installed: Installed): TestRun | null;
  runsTests(cmd: string): boolean;
  lacksRunner(cmd: string, installed: Installed): boolean;
  /** The file without which none of its tests is run, as a plan may name it. */
  readonly moduleFile?: string;
  /** How examples of plans are told in it. */
  planWords?(installed: Installed): PlanWords;
}

/** A call with what is said of it; values as JSON has them. */
export interface DescribedCall {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly gives: unknown;
}

export interface PlanWords {
  /** A file by its name without an ending, and the one that tests it. */
  file(stem: string): string;
  test(stem: string): string;
  run(file: string): string;
  readonly testRun: string;
}

/** What the output of its programs and test runners says. */
export interface OutputReading {
  /** The file that a command cannot be run without, where the runtime itself says so; else `null`. */
  missingFile?(output: string): string | null;
  /** True where the runtime says that a package of others is not installed: that says nothing of the code. */
  lacksPackage?(output: string): boolean;
  /** What the program printed before it wanted input that was not there; `null`: it did not. */
  asksForInput(seen: CommandSeen): string | null;
  /** `none`: its test runner found no test; `no_pass`: none of them passed; `null`: neither. */
  testsThatRan(output: string): 'none' | 'no_pass' | null;
  /** How many tests failed, where its runners count them; `null` where they do not. */
  failingTests(summary: string): number | null;
  /** What failed in a run of its tests, in the order in which it was told. */
  failures?(output: string): readonly TestFailure[];
  /** How many tests of a run passed and failed, where its runners count them; else `null`. */
  testCounts?(summary: string): TestCounts | null;
  /** What is wrong, without the words that every failure of its runners has. */
  shortReason?(why: string): string;
  /** Exit codes by which a runner says that it found no test. */
  readonly noTestsExit?: { readonly code: number; readonly meaning: string };
  /** A line of a traceback or a test report that says what is wrong. */
  readonly informativeLine: RegExp;
  /** Other lines of its test runners and compilers that say that something failed. */
  readonly failureLine?: RegExp;
  /** A line of its checkers and linters that only counts what other lines say, or tells how to mend it. */
  readonly countLine?: RegExp;
}

export interface TestFailure {
  /** '' where it is not told. */
  readonly file: string;
  readonly test: string;
  readonly why: string;
}

export interface TestCounts {
  readonly failed: number;
  /** `null` where its runner counts only what failed. */
  readonly passed: number | null;
}

/** What else of it shows on a machine. */
export interface OnMachine {
  /** Names and endings of files and folders that are caches: neither work nor a change. */
  readonly caches: { readonly names: readonly string[]; readonly endings: readonly string[] };
  /** How its programs are found where their name alone does not tell. */
  readonly find: ProgramFinder;
  /** The program that runs a file that was itself named as a program; `null`: not its file. */
  runnerOf(path: string): string | null;
  /** How the program behind a script is started, where scripts stand for programs of its own. */
  readonly startExample?: string;
  /** Settings that keep its programs quiet and without caches. */
  readonly quiet: { readonly [name: string]: string };
  /** What its programs are told so that a copy of the workspace uses its own code first. */
  inCopy?(folder: string, platform: NodeJS.Platform): { readonly [name: string]: string };
  /** Variables of the user's that its version managers need. */
  readonly kept: readonly string[];
  /** Folders of programs that a workspace may hold. */
  programFolders(platform: NodeJS.Platform): readonly ProgramFolder[];
  /** Names of files by which its programs, or its package managers, go before anybody looks at them. */
  readonly steering?: readonly string[];
  /** Where a project that its file describes keeps what it uses of others. */
  readonly packages?: {
    readonly describedBy: string;
    readonly folder: string;
  };
  /** Names of folders, wherever they are, that hold what others wrote: nothing of a run belongs there. */
  readonly dependencyFolders?: readonly string[];
  /**
   * Files of the packages that others wrote, by which one of them is seen to be new.
   * @param namesIn the names in a folder, relative with `/`; none where there is no such folder
   */
  packageFiles?(namesIn: (folder: string) => readonly string[]): readonly string[];
  /** Programs a goal in it may want, with what to do where one is missing, and which few goals want. */
  readonly usefulPrograms: readonly (readonly [program: string, next: string, isMinor?: true])[];
}
