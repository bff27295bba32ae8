/** Node's `code` of a failed system call; empty for any other error. */
export function systemErrorCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

import { own } from './own.ts';

export interface Exhaustion {
  readonly what: string;
  readonly hint: string;
}

const AGAIN = 'then run the same command again.';

const EXHAUSTED: { readonly [code: string]: Exhaustion } = {
  EMFILE: {
    what: 'Too many files are open in this program',
    hint: `Allow it more open files (Linux and macOS: ulimit -n 1024), ${AGAIN}`,
  },
  ENFILE: {
    what: 'Too many files are open on this machine',
    hint: `Close some programs, ${AGAIN}`,
  },
  ENOMEM: { what: 'The machine has no memory left', hint: `Close some programs, ${AGAIN}` },
};

/**
 * Describes a code which means that the machine has run out of something; `null` for any other. Such a code
 * says nothing about the requested file or program, so nothing may be concluded from it.
 */
export const exhaustionOf = (code: string): Exhaustion | null => own(EXHAUSTED, code) ?? null;

/** What a person can do about a failed operation on files; '' for a code that is not known. */
export const hintOf = (code: string): string => own(HINTS, code) ?? '';

const HINTS: { readonly [code: string]: string } = {
  EACCES: 'Check the permissions of the folder and of .agent_context in it.',
  EPERM: 'Check the permissions of the folder and of .agent_context in it.',
  EROFS: 'The file system is read-only; choose another folder.',
  ENOSPC: 'Free some disk space, then run the same command again.',
  EDQUOT: 'Free some of your quota, then run the same command again.',
  EFBIG: 'Allow larger files (ulimit -f), then run the same command again.',
  EBUSY: 'Close the program that holds the file, then run the same command again.',
  ENOTDIR: 'Move away the file that is where a folder should be, then run the same command again.',
  ELOOP: 'Remove the link that leads to itself, then run the same command again.',
  ENAMETOOLONG: 'Work in a folder with a shorter path.',
  EIO: 'The disk reports errors; check it, then run the same command again.',
  EFTYPE: 'Move it away: a file belongs in its place.',
  ERR_FS_FILE_TOO_LARGE: 'Move it away: no file of this program grows that large.',
};
