import { type ErrorCode, TardigradeError } from '../lib/errors.ts';
import { systemErrorCode } from '../lib/system-error.ts';
import { ProviderError } from '../llm/provider.ts';
import { isAsLeft } from '../schema/events/result-parts.ts';
import type { Ending, PauseReason } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import type { RunResult } from './result.ts';

/** The exit codes, as documented in docs/internals/command-line.md. Pinned by test/run/exit-codes.test.ts. */
export const EXIT = {
  achieved: 0,
  internal: 1,
  usage: 2,
  failed: 3,
  limit: 4,
  stalled: 5,
  person: 6,
  provider: 7,
  state: 8,
  unverified: 9,
  answered: 10,
  interrupted: 130,
} as const;

export const EXIT_OF_ENDING: { readonly [E in Ending]: number } = {
  achieved: EXIT.achieved,
  answered: EXIT.answered,
  unverified: EXIT.unverified,
  failed: EXIT.failed,
};

export const EXIT_OF_PAUSE: { readonly [P in PauseReason]: number } = {
  limit_rounds: EXIT.limit,
  limit_tokens: EXIT.limit,
  limit_cost: EXIT.limit,
  limit_time: EXIT.limit,
  context_overflow: EXIT.limit,
  stalled: EXIT.stalled,
  waiting_for_person: EXIT.person,
  provider_unavailable: EXIT.provider,
  auth: EXIT.provider,
  quota: EXIT.provider,
  refused: EXIT.provider,
  timeout: EXIT.provider,
  disk_full: EXIT.state,
  interrupted: EXIT.interrupted,
};

export const EXIT_OF_ERROR: { readonly [C in ErrorCode]: number } = {
  E_USAGE: EXIT.usage,
  E_WORKSPACE: EXIT.usage,
  E_LOCKED: EXIT.state,
  E_FENCED: EXIT.state,
  E_JOURNAL_CORRUPT: EXIT.state,
  E_JOURNAL_MISSING: EXIT.state,
  E_STATE_GONE: EXIT.state,
  E_TOO_NEW: EXIT.state,
  E_FOREIGN: EXIT.state,
  E_DISK_FULL: EXIT.state,
  E_IO: EXIT.state,
  E_PROVIDER: EXIT.provider,
  E_INTERRUPTED: EXIT.interrupted,
  E_INTERNAL: EXIT.internal,
};

const EXIT_OF_SYSTEM_ERROR: { readonly [code: string]: number } = {
  EACCES: EXIT.usage,
  EPERM: EXIT.usage,
  EROFS: EXIT.usage,
  ENOTDIR: EXIT.usage,
  ELOOP: EXIT.usage,
  ENAMETOOLONG: EXIT.usage,
  ENOSPC: EXIT.state,
  EDQUOT: EXIT.state,
  EFBIG: EXIT.state,
  EIO: EXIT.state,
  EBUSY: EXIT.state,
  EMFILE: EXIT.state,
  ENFILE: EXIT.state,
  ENOMEM: EXIT.state,
  EFTYPE: EXIT.state,
  ERR_FS_FILE_TOO_LARGE: EXIT.state,
};

/**
 * A run found finished exits like the ending it had: asking again does not turn a failed goal into an achieved
 * one. If files have changed since, the proof no longer holds and the run is unverified. For a run that was
 * asked for an answer, an answer counts as achieved.
 */
export function exitCodeOfResult(result: RunResult): number {
  switch (result.ending) {
    case 'paused':
      return EXIT_OF_PAUSE[result.why];
    case 'already_finished': {
      const ended = result.state.ended?.ending;
      if (result.sinceEnd && !isAsLeft(result.sinceEnd)) return EXIT.unverified;
      return ended === undefined || ended === 'undone'
        ? EXIT.achieved
        : exitCodeOfEnding(ended, result.state);
    }
    case 'achieved':
    case 'answered':
    case 'unverified':
    case 'failed':
      return exitCodeOfEnding(result.ending, result.state);
    default:
      return result satisfies never;
  }
}

const exitCodeOfEnding = (ending: Ending, { wants }: RunState): number =>
  ending === 'answered' && wants === 'answer' ? EXIT.achieved : EXIT_OF_ENDING[ending];

export function exitCodeOfError(error: unknown): number {
  if (error instanceof TardigradeError) return EXIT_OF_ERROR[error.code];
  if (error instanceof ProviderError)
    return error.status.kind === 'aborted' ? EXIT.interrupted : EXIT.provider;
  return EXIT_OF_SYSTEM_ERROR[systemErrorCode(error)] ?? EXIT.internal;
}

/** True when the run can be resumed later; then the command for that is printed. */
export function isResumable(exitCode: number): boolean {
  return (exitCode >= EXIT.limit && exitCode <= EXIT.state) || exitCode === EXIT.interrupted;
}
