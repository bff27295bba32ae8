/**
 * What the engine asks of a language. A language is one folder that answers, and one line in `languages.ts`; no other
 * code knows a file extension, a test runner or a program of it by name. Everything is pure except `inspect`, which may
 * start the language's own checker.
 */
import type { ProgramFinder, ProgramFolder } from '../processes/programs/program-finder.ts';
import type { CommandRules } from './commands/command-rule.ts';
import type { CommandSeen } from './commands/command-seen.ts';
import type { Inspection, InspectionDeps } from './files/inspection.ts';

/** Names of the languages' programs that are installed, determined once at the start of a run. */
export type Installed = ReadonlySet<string>;

export interface Language {
  readonly name: string;
  /** True for its files; paths are relative with `/`. The first language that says so owns a file. */
  owns(path: string): boolean;
  /** True for its files that a test runner picks up by their names. */
  isTest(path: string): boolean;
  /** True for files named like tests, where it is unknown whether anything runs them as tests. */
  resemblesTest?(path: string): boolean;
  /** True for files of any language that configure how its tests are run, or that run before them. */
  configuresTests?(path: string): boolean;
  /** True for its files of code that are settings of a program, such as `vite.config.ts`. */
  isSettingsCode?(path: string): boolean;
  /** True for its files that contain data: the last place to look for a fault. */
  isData(path: string): boolean;
  /** True for a file that describes a project: its name, its dependencies, how it is run. */
  isManifest?(path: string): boolean;
  /** True for a file that makes its folder a package: often empty, and written after the others. */
  marksPackage?(path: string): boolean;
  /** True for its files that people read, which may consist of sentences. */
  mayBeProse?(path: string): boolean;
  /** True for its files that document code, in any language. */
  isDocument?(path: string): boolean;
  mayBeEmpty?(path: string): boolean;
  /** The text of a file whose content was given as a value. */
  contentOf?(value: object): string;
  /** Names of products that look like its files, in lower case. */
  readonly products?: readonly string[];
  /** The problems of a file, and what it offers; `null` if it cannot be inspected. */
  inspect?(path: string, text: string, deps: InspectionDeps): Promise<Inspection | null>;
  /** True for files that only declare what stands elsewhere: nothing in them runs. */
  onlyDeclares?(path: string): boolean;
  /** True if two texts of a file surely differ only in what does not run, such as types. */
  runsAlike?(before: string, after: string): boolean;
  /**
   * The text of a file with the bodies of its functions emptied, so that every check of what they do must notice;
   * functions that `before` already contains unchanged stay whole. `null` if there is nothing to empty, or it cannot be
   * done with certainty.
   */
  emptied?: Altered;
  /**
   * The same with functions that do their work but return one constant of their type: 0, '', an empty list, true or
   * nothing. Tests that do not notice check no value.
   */
  givingConstants?: Altered;
  /** The same with functions that end the process with a failure instead of returning a value. */
  endingAtValues?: Altered;
  /** The text of a file that parses, and ends with a failure when it is run. */
  readonly failing?: string;
  /** True only if the function with this name in the text certainly uses none of its arguments. */
  ignoresInput?(text: string, name: string): boolean;
  /** The lines of tests inside a file of code, in their order. */
  innerTests?(path: string, text: string): readonly LineRange[];
  /** How its tests assert, if they differ from those of most languages. */
  readonly assertions?: Assertions;
  /** Names of functions, classes and constants that a file defines at its top level. */
  definedNames?(text: string): readonly string[];
  /** Names of tests that stand as literals in a test file. */
  testNames?(path: string, text: string): readonly string[];
  /** How a top-level function begins, with its name in a group, and texts that may span lines. */
  readonly functions?: { readonly begins: RegExp; readonly longTexts: RegExp };
  /** True for the text of a file that defines names and does nothing when it is run. */
  onlyDefines?(text: string): boolean;
  /** Files that a file may import, with `/`: their possible paths, whether or not they exist. */
  imports?(path: string, text: string): readonly string[];
  readonly runs?: ProgramRunning;
  readonly output?: OutputReading;
  readonly commands?: CommandRules;
  readonly machine?: OnMachine;
}

/** Lines of a text, counted from 0; `to` is not one of them. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A text with changed functions; `null` if there are none, or the change is not certain. */
export type Altered = (
  path: string,
  text: string,
  before: string | null,
  deps: InspectionDeps,
) => Promise<string | null>;

export interface TestRun {
  readonly cmd: string;
}

/**
 * How a program is asked to run tests. Options in a list are separated by spaces. A text of several words
 * means these words side by side.
 */
export interface TestProgram {
  /** Options whose value is the next word. */
  readonly takes?: string;
  /** True for such an option, if another table holds them. */
  takesAs?(option: string): boolean;
  /** First words that ask for tests, or options; '': any. `*`: any word; `test*`: also `test:unit`. */
  readonly tests?: readonly string[];
  /** Each word of the program is a task by itself. */
  readonly anywhere?: true;
  /** How the words begin before another program that it runs; '': directly with that program. */
  readonly passes?: readonly string[];
  /** Options that stand before a module to run. */
  readonly module?: string;
  /** Options that stand before the text of a program. */
  readonly code?: string;
  /** Beginnings of options with which it runs no tests. */
  readonly never?: string;
  /** The arguments for the tests of one folder, `{}`, in a command from the workspace folder. */
  readonly folder?: string;
  /** The arguments for all tests of the project; `keeps`: options of the build that stay. */
  readonly all?: { readonly words: string; readonly keeps: string };
  /** Options with which it prints nothing of tests that pass. */
  readonly quiet?: string;
  /** The program always prints the result of its tests. */
  readonly namesTests?: true;
}

/** How programs and tests are run with the installed programs. */
export interface ProgramRunning {
  /** The names of its programs that are installed. */
  programs(resolve: (program: string) => string | null): readonly string[];
  canRun(installed: Installed): boolean;
  /** Programs that one of its programs runs with these arguments: `python -m NAME`. */
  runsBeside?(program: string, args: readonly string[]): readonly string[];
  /** Names of the language and its programs in lower case; a name of two letters as it is written. */
  readonly names: readonly string[];
  /** One line for the system prompt: how programs, packages and tests are organised and run. */
  notes(installed: Installed): string;
  /** Said in the notes of a language that cannot be run here. */
  readonly instead?: string;
  /** The command that runs a file, `null` if it is not run. */
  run(file: string, installed: Installed): string | null;
  /**
   * How to call a function that a file offers: a command that prints the result after `gives` and exits with
   * 0 if it is the expected one. `null` for a file that cannot be imported.
   */
  evaluates?(file: string): ((call: DescribedCall, installed: Installed) => string) | null;
  /** The existing files that a command runs; none: it is not the language's command. */
  filesRunBy?(words: readonly string[]): readonly string[];
  /** The command that runs these tests, `null` if there is no runner for them. */
  testRun(tests: readonly string[], installed: Installed): TestRun | null;
  /** Programs that run its tests, or that run such programs; names without folder, version and ending. */
  readonly testPrograms?: { readonly [program: string]: TestProgram };
  /** Variables with which a runner names the tests that pass; `null`: the command chooses another form. */
  namingVariables?(
    cmd: string,
    readText: (path: string) => string | null,
  ): { readonly [name: string]: string } | null;
  /** The words in which examples of plans describe it. */
  planWords?(installed: Installed): PlanWords;
}

/** A call with its expected result; values are as in JSON. */
export interface DescribedCall {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly gives: unknown;
}

export interface PlanWords {
  /** A file by its name without extension, and the file that tests it. */
  file(stem: string): string;
  test(stem: string): string;
  run(file: string): string;
  readonly testRun: string;
}

/** What stands before the condition of an assertion, and what to put there to negate it. */
export interface Denial {
  readonly before: RegExp;
  readonly not: string;
}

export interface Assertions {
  readonly denial: Denial;
  /** Places that compare, and what to put there to compare with something that no object equals. */
  readonly unequal?: readonly (readonly [compares: RegExp, to: string])[];
}

/** What the output of its programs and test runners says. */
export interface OutputReading {
  /** The file without which a command cannot run, if the runtime itself says so; else `null`. */
  missingFile?(output: string): string | null;
  /** True if the runtime says that a foreign package is not installed: that says nothing about the code. */
  lacksPackage?(output: string): boolean;
  /** What the program printed before it wanted input that was not there; `null`: it did not. */
  asksForInput(seen: CommandSeen): string | null;
  /** `none`: its test runner found no test; `no_pass`: none passed; `null`: neither. */
  testsThatRan(output: string): 'none' | 'no_pass' | null;
  /** The output without words in front of each line, which a runner of packages puts there, and without chance. */
  plain?(output: string): string;
  /** What failed in a run of its tests, in the order of the output. */
  failures?(output: string): readonly TestFailure[];
  /** The tests that a run names, as its runners name them. */
  namedTests?(output: string): readonly NamedTest[];
  /** How many tests of a run passed and failed, if its runners count them; otherwise `null`. */
  testCounts?(summary: string): TestCounts | null;
  /** The counts in one part of a whole output, only in a form that no other runner has. */
  partCounts?(part: string): TestCounts | null;
  /** One name for each thing that passed, if its runners count only failures. */
  passedParts?(output: string): readonly string[];
  /** The beginning of a line that belongs to the count on the line before. */
  readonly countGoesOn?: RegExp;
  /** How many tests a run left out, if its runners count them. */
  skippedTests?(line: string): number;
  /** What is wrong, without the words that every failure of its runners contains. */
  shortReason?(why: string): string;
  /** Where the counts end, if its runners print more below them; otherwise `null`. */
  countsEnd?(output: string): number | null;
  /** Exit codes with which a runner reports that it found no test. */
  readonly noTestsExit?: { readonly code: number; readonly meaning: string };
  /** A line of a traceback or a test report that says what is wrong. */
  readonly informativeLine: RegExp;
  /** Such a line that says only where: a call on the stack. */
  readonly stackLine?: RegExp;
  /** Other lines of its test runners and compilers that report a failure. */
  readonly failureLine?: RegExp;
  /** A line of its checkers and linters that only counts other lines, or says how to fix them. */
  readonly countLine?: RegExp;
}

export interface TestFailure {
  /** '' if unknown. */
  readonly file: string;
  readonly test: string;
  readonly why: string;
}

/** A test in the output of a run. A whole file, or a whole run, has the name ''. */
export interface NamedTest {
  readonly name: string;
  /** '' if unknown. */
  readonly file: string;
  /** The name that all tests of one function share. Their full names may hold values from the code. */
  readonly family?: string;
  /** `cut_off`: begun but not ended; `unnamed`: tests that pass without being named. */
  readonly result: 'passed' | 'failed' | 'left_out' | 'cut_off' | 'unnamed';
}

export interface TestCounts {
  readonly failed: number;
  /** `null` if its runner counts only failures. */
  readonly passed: number | null;
}

/** The other traces of a language on a machine. */
export interface OnMachine {
  /** Names and extensions of files and folders that are caches: neither work nor a change. */
  readonly caches: { readonly names: readonly string[]; readonly endings: readonly string[] };
  /** How its programs are found if their name alone is not enough. */
  readonly find: ProgramFinder;
  /** The program that runs a file which was itself named as a program; `null`: not its file. */
  runnerOf(path: string): string | null;
  /** How the program behind a script is started, if scripts stand for its programs. */
  readonly startExample?: string;
  /** Variables that keep its programs quiet and without caches. */
  readonly quiet: { readonly [name: string]: string };
  /** Variables that make a copy of the workspace use its own code first. */
  inCopy?(folder: string, platform: NodeJS.Platform): { readonly [name: string]: string };
  /**
   * Installed packages and programs. Some may be links to packages of the workspace itself: a copy needs such
   * links of its own.
   */
  packageLinks?(namesIn: (folder: string) => readonly string[]): readonly string[];
  /** The user's variables that its version managers need. */
  readonly kept: readonly string[];
  /** Folders of programs that a workspace may contain. */
  programFolders(platform: NodeJS.Platform): readonly ProgramFolder[];
  /** Names of files that steer its programs, or its package managers, without being named. */
  readonly steering?: readonly string[];
  /** Where a project that its file describes keeps its dependencies. */
  readonly packages?: {
    readonly describedBy: string;
    readonly folder: string;
  };
  /** Names of folders anywhere that contain code of others: no part of a run's work. */
  readonly dependencyFolders?: readonly string[];
  /**
   * Files of foreign packages that show when one of them is new.
   * @param namesIn the names in a folder, relative with `/`; none if there is no such folder
   */
  packageFiles?(namesIn: (folder: string) => readonly string[]): readonly string[];
  /** Programs that a goal may need, each with what to do if it is missing, and which few goals need. */
  readonly usefulPrograms: readonly (readonly [program: string, next: string, isMinor?: true])[];
}
