/** The flags of `open`, text or number, as named booleans. */
import fs from 'node:fs';

export interface OpenFlags {
  readonly writes: boolean;
  readonly creates: boolean;
  /** Fails if the file exists. */
  readonly isNew: boolean;
  readonly truncates: boolean;
  /** Nobody else may open the file in the meantime (libuv's UV_FS_O_EXLOCK on win32). */
  readonly isExclusive: boolean;
}

/** Windows has other numbers for its flags, and the code for Windows also runs elsewhere. */
const WINDOWS = { O_CREAT: 0x100, O_TRUNC: 0x200, O_EXCL: 0x400, EXLOCK: 0x10000000 };
const WRITING = 0x3;

export function readOpenFlags(flags: string | number, platform: NodeJS.Platform): OpenFlags {
  if (typeof flags === 'number') {
    const names = platform === 'win32' ? WINDOWS : { ...fs.constants, EXLOCK: 0 };
    return {
      writes: (flags & WRITING) !== 0,
      creates: (flags & names.O_CREAT) !== 0,
      isNew: (flags & names.O_EXCL) !== 0,
      truncates: (flags & names.O_TRUNC) !== 0,
      isExclusive: (flags & names.EXLOCK) !== 0,
    };
  }
  const [kind] = flags;
  return {
    writes: kind !== 'r' || flags.includes('+'),
    creates: kind === 'w' || kind === 'a',
    isNew: flags.includes('x'),
    truncates: kind === 'w',
    isExclusive: false,
  };
}
