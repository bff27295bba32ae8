/**
 * The programs that folders of a workspace offer, such as those of a virtual environment. This room only
 * says what lies there: who may run it is decided elsewhere.
 * 1. A folder offers only the names that its language declares, whatever else lies in it.
 * 2. A stamp tells a program as it is now from the same program after any change of its file, of the
 *    file that its link leads to, and of what decides what it runs. It is taken anew each time.
 */
import { readFileIfPresent } from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import { candidateNames, isRunnable } from './locate.ts';
import type { FolderLook, ProgramFolder, ProgramKnowledge } from './program-finder.ts';
import { isInside, pathsOf, realOr } from './search-path.ts';

/** One program of a folder, as it is now. */
export interface FolderProgram {
  /** From the workspace on, with `/`: `.venv`. */
  readonly root: string;
  /** As it is called. */
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  readonly stamp: string;
}

export interface FoundFolder {
  readonly root: string;
  /** Absolute. */
  readonly folder: string;
  /** What children are told of it. */
  readonly variables: { readonly [name: string]: string };
  /** `null`: it offers none of that name. */
  program(name: string): FolderProgram | null;
  /** All that it offers, sorted by name. */
  programs(): readonly FolderProgram[];
  /** True where it also holds names that only PATH serves: it is no folder for the PATH of children. */
  holdsOthers(): boolean;
}

export interface FolderPlace {
  /** Absolute real path. */
  readonly workspace: string;
  readonly fs: FileSystem;
  readonly known: Pick<ProgramKnowledge, 'programFolders' | 'onlyOnPath'>;
}

/** Those that a workspace may have; one that is not there offers nothing. */
export const programFolders = (place: FolderPlace): readonly FoundFolder[] =>
  place.known.programFolders(place.fs.platform).map((one) => foundFolder(one, place));

function foundFolder(of: ProgramFolder, { workspace, fs, known }: FolderPlace): FoundFolder {
  const { platform } = fs;
  const paths = pathsOf(platform);
  const { root, programs, variable } = of;
  const folder = paths.join(workspace, programs);
  const look = lookIn(workspace, fs);
  const isOwn = (): boolean => {
    const info = infoAt(folder, fs.stat);
    return info?.kind === 'directory' && isInside(workspace, realOr(folder, fs), platform);
  };
  const namesIn = (): readonly string[] =>
    isOwn() ? plainNames(fs.readdir(folder), platform) : [];
  const declared = (name: string): readonly string[] | null =>
    known.onlyOnPath(name) && !of.isOwnName?.(name) ? null : of.declares(name, look);
  const program = (name: string): FolderProgram | null => {
    const file = candidateNames(name, platform)
      .map((candidate) => paths.join(folder, candidate))
      .find((candidate) => isRunnable(candidate, { platform, fs }));
    const beside = file === undefined || !isOwn() ? null : declared(name);
    if (file === undefined || beside === null) return null;
    const files = [file, ...beside.map((one) => paths.join(workspace, one))];
    return { root, name, file, stamp: files.map((one) => stampOf(one, fs)).join('\n') };
  };
  return {
    ...{ root, folder, program },
    variables: variable === undefined ? {} : { [variable]: paths.join(workspace, root) },
    programs: () => namesIn().flatMap((name) => program(name) ?? []),
    holdsOthers: () => namesIn().some((name) => known.onlyOnPath(name) && !of.isOwnName?.(name)),
  };
}

const lookIn = (workspace: string, fs: FileSystem): FolderLook => {
  const at = (path: string): string => pathsOf(fs.platform).join(workspace, path);
  return {
    readText: (path) => orNull(() => readFileIfPresent(fs, at(path))?.toString('utf8') ?? null),
    namesIn: (path) => orNull(() => fs.readdir(at(path))) ?? [],
  };
};

/** By what programs are called; on win32 a name may stand there with several endings. */
const plainNames = (names: readonly string[], platform: NodeJS.Platform): readonly string[] =>
  [
    ...new Set(
      platform === 'win32'
        ? names.map((name) => name.toLowerCase().replace(/\.(?:exe|com|cmd|bat|ps1)$/, ''))
        : names,
    ),
  ].sort();

function stampOf(file: string, fs: FileSystem): string {
  const real = realOr(file, fs);
  const said = [infoAt(file, fs.lstat), infoAt(real, fs.stat)].map((info) =>
    info === null
      ? 'none'
      : [info.kind, info.size, info.mode, info.mtimeMs, info.changedMs, info.inode].join(':'),
  );
  return [file, real, ...said].join(' ');
}

const infoAt = (file: string, ask: FileSystem['stat']) => orNull(() => ask(file));

function orNull<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}
