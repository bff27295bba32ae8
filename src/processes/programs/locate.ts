import { isInside, pathsOf } from '../../lib/files/absolute-paths.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import { realOr } from './search-path.ts';

/** What a program name means on this machine. */
export type Resolution =
  | {
      readonly kind: 'found';
      readonly file: string;
      /** Arguments that precede the caller's own (`npm-cli.js`, `-m pytest`, `-3`). */
      readonly prefix: readonly string[];
      /** Told to the model if something other than the named program runs; otherwise empty. */
      readonly notice: string;
    }
  | { readonly kind: 'missing' | 'refused'; readonly reason: string; readonly hint: string };

export interface TrustedFolder {
  readonly folder: string;
  /** Variables for children that use the folder. */
  readonly variables?: { readonly [name: string]: string };
  /** Whether the program with this name may now run from here. */
  serves(name: string): boolean;
  /** Why its program with this name is not run, worded for a model; empty if it may be. */
  leftOut(name: string): string;
  /** Whether children find its programs before those of PATH. */
  isForChildren(): boolean;
}

export interface ProgramPlaces {
  readonly platform: NodeJS.Platform;
  /** Absolute real path. */
  readonly workspace: string;
  readonly fs: Pick<FileSystem, 'stat' | 'lstat' | 'realpath'>;
  /** Cleaned; see `cleanSearchPath`. */
  readonly searchPath: readonly string[];
  /** Folders of the workspace whose programs may be run. */
  readonly trusted: readonly TrustedFolder[];
  /** The executable of this Node, if `node` is not on PATH; `null`: this program is not a Node. */
  readonly nodePath: string | null;
}

/** The first file with that name in the trusted folders and on PATH; synchronous and unprobed. */
export function locateProgram(program: string, places: ProgramPlaces): string | null {
  return locateAll(program, places)[0] ?? null;
}

export function locateAll(program: string, places: ProgramPlaces): string[] {
  const { platform, workspace, fs } = places;
  const paths = pathsOf(platform);
  const name = plainName(program, platform);
  const trusted = places.trusted.flatMap((one) => (one.serves(name) ? one.folder : []));
  const hits: string[] = [];
  for (const folder of [...trusted, ...places.searchPath]) {
    for (const candidate of candidateNames(program, platform)) {
      const file = paths.join(folder, candidate);
      if (!isExecutableFile(file, places)) continue;
      // A link on PATH into the workspace could run a file that a tool wrote.
      if (!trusted.includes(folder) && isInside(workspace, realOr(file, fs), platform)) continue;
      hits.push(file);
    }
  }
  return hits;
}

/** On win32 only real programs: `.cmd` and `.bat` are read by cmd.exe, which parses arguments again. */
export function candidateNames(program: string, platform: NodeJS.Platform): string[] {
  if (platform !== 'win32') return [program];
  return /\.(?:exe|com)$/i.test(program) ? [program] : [`${program}.exe`, `${program}.com`];
}

export function isExecutableFile(
  file: string,
  places: { readonly platform: NodeJS.Platform; readonly fs: Pick<FileSystem, 'stat' | 'lstat'> },
): boolean {
  const { platform, fs } = places;
  try {
    const info = fs.stat(file);
    return info.kind === 'file' && (platform === 'win32' || (info.mode & 0o111) !== 0);
  } catch {
    return platform === 'win32' && isStoreAlias(file, fs);
  }
}

/** Store programs are reparse points that can be started but not followed. */
function isStoreAlias(file: string, fs: Pick<FileSystem, 'lstat'>): boolean {
  const info = /\\windowsapps\\/i.test(file) ? orNull(() => fs.lstat(file)) : null;
  return info !== null && info.kind !== 'directory';
}

export const isFile = (file: string, { fs }: ProgramPlaces): boolean =>
  orNull(() => fs.stat(file).kind) === 'file';

/** A program's name for comparison with rules: no path, no `.exe`, lower case on win32. */
export function plainName(program: string, platform: NodeJS.Platform): string {
  const base = pathsOf(platform).basename(program);
  return platform === 'win32' ? base.toLowerCase().replace(/\.(?:exe|com)$/, '') : base;
}
