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
