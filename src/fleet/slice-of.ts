/** Pure: how a slice ended, judged by the state of its run. */
import { TardigradeError } from '../lib/errors.ts';
import { ProviderError } from '../llm/provider.ts';
import { exitCodeOfResult } from '../run/exit-codes.ts';
import type { RunResult } from '../run/result.ts';
import type { PauseReason } from '../schema/records.ts';
import type { Slice } from './contract.ts';

/** The wait after a failure that may pass; the run itself waits between its own attempts. */
const RETRY_MS = 60_000;

const TRANSIENT: ReadonlySet<PauseReason> = new Set(['provider_unavailable', 'timeout']);

export function sliceOfResult(result: RunResult): Slice {
  const { state } = result;
  const { seq } = state;
  if (result.ending !== 'paused') {
    const ending =
      result.ending === 'already_finished' ? (state.ended?.ending ?? 'ended') : result.ending;
    return { is: 'ended', seq, ending, exitCode: exitCodeOfResult(result) };
  }
  const { why, detail } = result;
  const questions = state.permissions?.open ?? [];
  if (why === 'waiting_for_person')
    return {
      is: 'waiting',
      seq,
      questions: questions.map(({ id, tool, target }) => ({ id, tool, target })),
    };
  return {
    is: 'pausing',
    seq,
    why,
    detail,
    ...(TRANSIENT.has(why) ? { retryAfterMs: RETRY_MS } : {}),
  };
}

/** Another worker has it or takes it over, possibly a newer one. */
const ELSEWHERE: ReadonlySet<string> = new Set(['E_LOCKED', 'E_FENCED', 'E_TOO_NEW']);
/** The home cannot be reached from here, or is full, or the caller has gone: it is tried again. */
const NOT_HERE: ReadonlySet<string> = new Set([
  ...['E_WORKSPACE', 'E_IO', 'E_DISK_FULL', 'E_INTERRUPTED', 'E_INTERNAL'],
]);

/** Throws errors that the engine must retry. */
export function sliceOfError(error: unknown): Slice {
  if (error instanceof ProviderError) {
    const { message: detail, status } = error;
    return { is: 'pausing', seq: 0, why: status.kind, detail, retryAfterMs: RETRY_MS };
  }
  if (!(error instanceof TardigradeError) || NOT_HERE.has(error.code)) throw error;
  const { code, message, hint } = error;
  if (ELSEWHERE.has(code)) return { is: 'busy', seq: 0, why: message };
  return {
    is: 'pausing',
    seq: 0,
    why: code,
    detail: [message, hint].filter(Boolean).join(' '),
    // A model that could not be reached at the start of a slice.
    ...(code === 'E_PROVIDER' ? { retryAfterMs: RETRY_MS } : {}),
  };
}
