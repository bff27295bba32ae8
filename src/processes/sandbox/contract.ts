/** A sandbox of the operating system around one program, as one of its systems draws it. */
import type { ProcessRequest } from '../contract.ts';

/** What stays of the machine for a program in the sandbox. All paths are absolute and there. */
export interface SandboxBoundaries {
  /** The only folder that can be written to, besides a place for temporary files that is its own. */
  readonly folder: string;
  /** Can be read as a whole: folders of programs, and the workspace where that is not `folder`. */
  readonly readable: readonly string[];
  /** Of the user; in the sandbox nothing of it is there but what is readable. `null`: not known. */
  readonly home: string | null;
  /** Can be read and not changed, though it lies in `folder`. */
  readonly guarded: readonly string[];
  /** Can be neither, wherever it lies. */
  readonly hidden: readonly HiddenPath[];
  /** Names that nothing in `folder` may be given: not every system can hold that. */
  readonly names: readonly string[];
  /** For caches of programs, and for temporary files where the system has no place of its own; there. */
  readonly cache: string;
}

export interface HiddenPath {
  readonly path: string;
  readonly isFolder: boolean;
}

export type Command = Pick<ProcessRequest, 'file' | 'args' | 'cwd' | 'env'>;

export interface Sandbox {
  /** What it is called on its system. */
  readonly name: string;
  /** What is started in the place of a command. Pure. */
  commandFor(command: Command, boundaries: SandboxBoundaries): Command;
}

export type SandboxFound =
  | { readonly kind: 'holds'; readonly sandbox: Sandbox }
  /** `next`: what a person can do about it. */
  | { readonly kind: 'none'; readonly why: string; readonly next: string };

/** Where the system keeps what the user may not see: a sandbox's own places stand in their stead. */
export const withoutPlaces = (
  env: Command['env'],
  { home, tmp }: { readonly home: string; readonly tmp: string },
): { [name: string]: string } => {
  const plain = Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:TMP|TEMP|TMPDIR|XDG_\w+)$/.test(name)),
  );
  return { ...plain, HOME: home, TMPDIR: tmp };
};
