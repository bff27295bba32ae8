/**
 * What this room is told of programs that are found, run or kept quiet in ways of their own: it
 * knows none of them by name.
 */
import type { ProgramPlaces, Resolution } from './locate.ts';

/**
 * True when a program, run with `prefix` and `--version`, ended well and printed what `says`
 * matches. Each is asked once.
 */
export type Answers = (file: string, prefix: readonly string[], says: RegExp) => Promise<boolean>;

/** `null` for a name it does not know better than the search path does. */
export type ProgramFinder = (
  name: string,
  places: ProgramPlaces,
  answers: Answers,
) => Promise<Resolution | null>;

export interface ProgramKnowledge {
  /** Asked in order; the first that finds or refuses a program is believed. */
  readonly finders: readonly ProgramFinder[];
  /** The program that runs a file that was itself named as a program, `null`: none known. */
  runnerOf(path: string): string | null;
  /** How the program behind a batch file is started, for instance. */
  readonly startExample: string;
  /** Settings for all children. */
  readonly quiet: { readonly [name: string]: string };
  /** Variables that children keep. */
  readonly kept: readonly string[];
  /** Folders of programs that a workspace may hold. */
  programFolders(platform: NodeJS.Platform): readonly ProgramFolder[];
  /** True for names that no folder of a workspace serves: looking, git, shells, package managers, the network. */
  onlyOnPath(name: string): boolean;
}

/** Paths are relative to the workspace, with `/`. */
export interface ProgramFolder {
  readonly root: string;
  readonly programs: string;
  /** The variable that tells children the root. */
  readonly variable?: string;
  /**
   * Files beside a program of a name that decide what it runs; `null`: the folder does not serve the
   * name, whatever lies there.
   */
  declares(look: FolderView): (name: string) => readonly string[] | null;
  /** True where all of `root` belongs to the programs. */
  readonly isWhole?: boolean;
  /** Names that it serves although they belong to a runtime or a package manager: its own. */
  isOwnName?(name: string): boolean;
}

/** What a language may see of a workspace. Paths as in `ProgramFolder`; nothing throws. */
export interface FolderView {
  /** `null` where there is none. */
  readText(path: string): string | null;
  namesIn(path: string): readonly string[];
}
