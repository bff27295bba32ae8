/** An operating-system sandbox around one program, as each system implements it. */
import path from 'node:path';
import type { ProcessRequest } from '../contract.ts';

/** What a sandboxed program can access. All paths are absolute and exist. */
export interface SandboxBoundaries {
  /** The only writable folder, besides the sandbox's own place for temporary files. */
  readonly folder: string;
  /** Readable as a whole: program folders, and the workspace if that is not `folder`. */
  readonly readable: readonly string[];
  /** The user's home; in the sandbox only its readable parts exist. `null`: unknown. */
  readonly home: string | null;
  /** Readable but not writable, although it lies in `folder`. */
  readonly guarded: readonly string[];
  /** Neither readable nor writable, wherever it lies. */
  readonly hidden: readonly HiddenPath[];
  /** Names that nothing in `folder` may get; not every system can enforce this. */
  readonly names: readonly string[];
  /** For caches of programs, and for temporary files if the system has no separate place; it exists. */
  readonly cache: string;
}

export interface HiddenPath {
  readonly path: string;
  readonly isFolder: boolean;
}

export type Command = Pick<ProcessRequest, 'file' | 'args' | 'cwd' | 'env'>;

export interface Sandbox {
  /** The sandbox's name on its system. */
  readonly name: string;
  /** The command to start in place of the given one. Pure. */
  commandFor(command: Command, boundaries: SandboxBoundaries): Command;
}

export type SandboxFound =
  | { readonly kind: 'holds'; readonly sandbox: Sandbox }
  /** `next`: what a person can do about it. */
  | { readonly kind: 'none'; readonly why: string; readonly next: string };

/**
 * Replaces the system's folders for home and temporary files, which a confined program may not see, by the
 * sandbox's own.
 */
export const withoutPlaces = (
  env: Command['env'],
  { home, tmp }: { readonly home: string; readonly tmp: string },
): { [name: string]: string } => {
  const plain = Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:TMP|TEMP|TMPDIR|XDG_\w+)$/.test(name)),
  );
  return { ...plain, HOME: home, TMPDIR: tmp };
};

/** The folders below `folder` that contain these paths of it, the outer ones first. */
export function foldersBetween(places: readonly string[], folder: string): readonly string[] {
  const found = new Set<string>();
  for (const place of places)
    for (let at = path.posix.dirname(place); at.length > folder.length; at = path.posix.dirname(at))
      found.add(at);
  return [...found].sort((one, other) => one.length - other.length);
}
