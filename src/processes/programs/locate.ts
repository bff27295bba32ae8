import type { FileSystem } from '../../lib/files/file-system.ts';
import { isInside, pathsOf, realOr } from './search-path.ts';

/** What a program name means on this machine. */
export type Resolution =
  | {
      readonly kind: 'found';
      readonly file: string;
      /** Arguments that come before the caller's own (`npm-cli.js`, `-m pytest`, `-3`). */
      readonly prefix: readonly string[];
      /** Said to the model when something else than the named program runs; '' otherwise. */
      readonly notice: string;
    }
  | { readonly kind: 'missing' | 'refused'; readonly reason: string; readonly hint: string };

export interface TrustedFolder {
  readonly folder: string;
  /** What children are told of it. */
  readonly variables?: { readonly [name: string]: string };
  /** Whether the program of this name may be run from here now. */
  serves(name: string): boolean;
  /** Why a program of this name that it has is not run, in words for a model; '' where it may be. */
  leftOut(name: string): string;
  /** Whether children find its programs before those of PATH. */
  isForChildren(): boolean;
}

export interface ProgramPlaces {
  readonly platform: NodeJS.Platform;
  readonly workspace: string;
  readonly fs: Pick<FileSystem, 'stat' | 'lstat' | 'realpath'>;
  /** Cleaned, see `cleanSearchPath`. */
  readonly searchPath: readonly string[];
  readonly trusted: readonly TrustedFolder[];
  /** This Node's own executable, for where `node` is not on PATH; `null`: this program is no Node. */
  readonly nodePath: string | null;
}

/** The first file of that name in the trusted folders and on PATH; synchronous and unprobed. */
export function locate(program: string, places: ProgramPlaces): string | null {
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
      if (!isRunnable(file, places)) continue;
      // A link on PATH that leads into the workspace runs what a tool may have written.
      if (!trusted.includes(folder) && isInside(workspace, realOr(file, fs), platform)) continue;
      hits.push(file);
    }
  }
  return hits;
}

/** On win32 only real programs; `.cmd` and `.bat` would be read by cmd.exe, which re-parses arguments. */
export function candidateNames(program: string, platform: NodeJS.Platform): string[] {
  if (platform !== 'win32') return [program];
  return /\.(?:exe|com)$/i.test(program) ? [program] : [`${program}.exe`, `${program}.com`];
}

export function isRunnable(
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

/** Programs from the Store are reparse points that cannot be followed, only started. */
function isStoreAlias(file: string, fs: Pick<FileSystem, 'lstat'>): boolean {
  if (!/\\windowsapps\\/i.test(file)) return false;
  try {
    return fs.lstat(file).kind !== 'directory';
  } catch {
    return false;
  }
}

export function isFile(file: string, places: ProgramPlaces): boolean {
  try {
    return places.fs.stat(file).kind === 'file';
  } catch {
    return false;
  }
}

/** A program's name as rules compare it: no path, no `.exe`, lower case on win32. */
export function plainName(program: string, platform: NodeJS.Platform): string {
  const base = pathsOf(platform).basename(program);
  return platform === 'win32' ? base.toLowerCase().replace(/\.(?:exe|com)$/, '') : base;
}
