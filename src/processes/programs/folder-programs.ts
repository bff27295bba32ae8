/**
 * The programs that folders of a workspace offer, such as those of a virtual environment. This room only
 * reports what is there; who may run it is decided elsewhere.
 * 1. A folder offers only the names that its language declares, whatever else it contains.
 * 2. A stamp distinguishes a folder from the same folder after any change of a program, of the target of its
 *    link, or of a file that decides what it runs. It is computed anew each time.
 */
import { isInside, pathsOf } from '../../lib/files/absolute-paths.ts';
import { readFileIfPresent } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import { sha256 } from '../../lib/sha256.ts';
import { candidateNames, isExecutableFile } from './locate.ts';
import type { FolderView, ProgramFolder, ProgramKnowledge } from './program-finder.ts';
import { realOr } from './search-path.ts';

export interface FoundFolder {
  /** Relative to the workspace, with `/`: `.venv`. */
  readonly root: string;
  /** Absolute. */
  readonly folder: string;
  /** Variables for children that use the folder. */
  readonly variables: { readonly [name: string]: string };
  offers(name: string): boolean;
  /** The same for programs that another program would run from it; on Windows that includes batch files. */
  offersToOthers(name: string): boolean;
  /** The folder's current offer; `null`: nothing. */
  offer(): FolderOffer | null;
  /** True if it also contains names that only PATH may serve, so that it must not be on the PATH of children. */
  holdsOthers(): boolean;
}

export interface FolderOffer {
  readonly root: string;
  /** Sorted. */
  readonly names: readonly string[];
  /** Equal for the same programs in the same folder. */
  readonly stamp: string;
}

export interface ProgramsPlace {
  /** Absolute real path. */
  readonly workspace: string;
  readonly fs: FileSystem;
  readonly known: Pick<ProgramKnowledge, 'programFolders' | 'onlyOnPath'>;
}

/** The folders that a workspace may have; a missing one offers nothing. */
export const programFolders = (place: ProgramsPlace): readonly FoundFolder[] =>
  place.known.programFolders(place.fs.platform).map((one) => foundFolder(one, place));

function foundFolder(of: ProgramFolder, { workspace, fs, known }: ProgramsPlace): FoundFolder {
  const { platform } = fs;
  const paths = pathsOf(platform);
  const { root, programs, variable } = of;
  const folder = paths.join(workspace, programs);
  const view = lookIn(workspace, fs);
  const isOwn = (): boolean =>
    infoAt(folder, fs.stat)?.kind === 'directory' &&
    isInside(workspace, realOr(folder, fs), platform);
  const isForeign = (name: string): boolean => known.onlyOnPath(name) && !of.isOwnName?.(name);
  const among = (names: readonly string[]): readonly string[] =>
    names
      .map((candidate) => paths.join(folder, candidate))
      .filter((candidate) => isExecutableFile(candidate, { platform, fs }));
  const runnable = (name: string): readonly string[] => among(candidateNames(name, platform));
  const filesOf = (name: string): readonly string[] => [
    ...runnable(name),
    ...among(batchNames(name, platform)),
  ];
  const serves = (name: string, files: typeof runnable): boolean =>
    !isForeign(name) && files(name).length > 0 && isOwn() && of.declares(view)(name) !== null;
  const namesIn = (): readonly string[] =>
    isOwn() ? plainNames(orNull(() => fs.readdir(folder)) ?? [], platform) : [];
  const offer = (): FolderOffer | null => {
    const declared = of.declares(view);
    const found = namesIn().flatMap((name) => {
      const files = isForeign(name) ? [] : filesOf(name);
      const beside = files.length === 0 ? null : declared(name);
      return beside === null ? [] : [{ name, files, beside }];
    });
    if (found.length === 0) return null;
    const around = new Set(found.flatMap(({ beside }) => beside));
    const files = [
      ...found.flatMap(({ files: ofOne }) => ofOne),
      ...[...around].map((one) => paths.join(workspace, one)),
    ];
    const stamps = files.map((file) => stampOf(file, fs));
    const stamp = sha256(JSON.stringify([workspace, root, stamps]));
    return { root, names: found.map(({ name }) => name), stamp: stamp.slice(0, 32) };
  };
  return {
    root,
    folder,
    offer,
    variables: variable === undefined ? {} : { [variable]: paths.join(workspace, root) },
    offers: (name) => serves(name, runnable),
    offersToOthers: (name) => serves(name, filesOf),
    holdsOthers: () => namesIn().some(isForeign),
  };
}

const lookIn = (workspace: string, fs: FileSystem): FolderView => {
  const at = (path: string): string => pathsOf(fs.platform).join(workspace, path);
  return {
    readText: (path) => orNull(() => readFileIfPresent(fs, at(path))?.toString('utf8') ?? null),
    namesIn: (path) => orNull(() => fs.readdir(at(path))) ?? [],
  };
};

/** The files that package managers for Windows create in place of a program, started by cmd.exe or PowerShell. */
const batchNames = (name: string, platform: NodeJS.Platform): readonly string[] =>
  platform === 'win32' ? ['cmd', 'bat', 'ps1'].map((ending) => `${name}.${ending}`) : [];

/** The names by which programs are called; on win32 a name may exist with several extensions. */
const plainNames = (names: readonly string[], platform: NodeJS.Platform): readonly string[] =>
  [
    ...new Set(
      platform === 'win32'
        ? names.map((name) => name.toLowerCase().replace(/\.(?:exe|com|cmd|bat|ps1)$/, ''))
        : names,
    ),
  ].sort();

function stampOf(file: string, fs: FileSystem): readonly unknown[] {
  const real = realOr(file, fs);
  const said = [infoAt(file, fs.lstat), infoAt(real, fs.stat)].map((info) =>
    info === null
      ? null
      : [info.kind, info.size, info.mode, info.mtimeMs, info.changedMs, info.inode],
  );
  return [file, real, ...said];
}

const infoAt = (file: string, ask: FileSystem['stat']) => orNull(() => ask(file));
