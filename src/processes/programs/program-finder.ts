/**
 * What this room needs to know about programs with special ways of being found, run or kept quiet. It knows
 * none of them by name.
 */
import type { ProgramPlaces, Resolution } from './locate.ts';

/**
 * True if a program, run with `prefix` and `--version`, succeeded and printed something that `says` matches.
 * Each is asked once.
 */
export type Answers = (file: string, prefix: readonly string[], says: RegExp) => Promise<boolean>;

/** `null` for a name about which it knows no more than the search path. */
export type ProgramFinder = (
  name: string,
  places: ProgramPlaces,
  answers: Answers,
) => Promise<Resolution | null>;

export interface ProgramKnowledge {
  /** Asked in order; the first that finds or refuses a program decides. */
  readonly finders: readonly ProgramFinder[];
  /** The program that runs a file which was named as a program; `null`: unknown. */
  runnerOf(path: string): string | null;
  /** An example of how to start the program behind a batch file. */
  readonly startExample: string;
  /** Settings for all children. */
  readonly quiet: { readonly [name: string]: string };
  /** Variables that children keep. */
  readonly kept: readonly string[];
  /** Program folders that a workspace may contain. */
  programFolders(platform: NodeJS.Platform): readonly ProgramFolder[];
  /** True for names that no workspace folder may serve: looking, git, shells, package managers, the network. */
  onlyOnPath(name: string): boolean;
}

/** Paths are relative to the workspace, with `/`. */
export interface ProgramFolder {
  readonly root: string;
  readonly programs: string;
  /** The variable that holds the root for children. */
  readonly variable?: string;
  /**
   * The files beside a program that decide what it runs; `null`: the folder does not serve this name, whatever
   * it contains.
   */
  declares(view: FolderView): (name: string) => readonly string[] | null;
  /** True if all of `root` belongs to the programs. */
  readonly isWhole?: boolean;
  /** Names that it serves although they belong to a runtime or package manager: its own copies. */
  isOwnName?(name: string): boolean;
}

/** What a language may see of a workspace. Paths as in `ProgramFolder`; nothing throws. */
export interface FolderView {
  /** `null` if the file does not exist. */
  readText(path: string): string | null;
  namesIn(path: string): readonly string[];
}
