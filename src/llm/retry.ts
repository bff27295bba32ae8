// Whether and when a turn that did not succeed is asked again: decided by its status alone.
import type { Clock } from '../lib/clock.ts';
import type { TurnResult, TurnStatus } from '../schema/turn.ts';

export interface Retry {
  /** The attempt that comes next, from 2. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly why: string;
  readonly after: TurnResult;
}

export interface RetryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onRetry?: (retry: Retry) => void;
  /** Attempts of one turn, the first included. */
  readonly maxAttempts?: number;
}

const DEFAULT_ATTEMPTS = 3;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Runs `attempt(1)`, `attempt(2)`, … until one succeeds, cannot be helped by another one, or the
 * attempts are used up, and returns its result. Waits 1 s, 2 s, … 60 s between them; an abort while
 * waiting ends with the status `aborted`. Never throws unless `attempt` does.
 */
export async function withRetry(
  attempt: (n: number) => Promise<TurnResult>,
  options: RetryOptions,
): Promise<TurnResult> {
  const { clock, signal, onRetry, maxAttempts = DEFAULT_ATTEMPTS } = options;
  for (let n = 1; ; n += 1) {
    const result = await attempt(n);
    const waitMs = retryDelay(result.status, n, maxAttempts);
    if (waitMs === null || signal.aborted) return result;
    onRetry?.({ attempt: n + 1, waitMs, why: result.detail, after: result });
    try {
      if (waitMs > 0) await clock.sleep(waitMs, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (signal.aborted) return { ...result, status: { kind: 'aborted' } };
  }
}

/** Milliseconds to wait before the attempt after the n-th, or `null` when it would be the same again. */
export function retryDelay(status: TurnStatus, n: number, maxAttempts: number): number | null {
  if (n >= Math.min(maxAttempts, attemptsFor(status))) return null;
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** (n - 1), LONGEST_WAIT_MS);
  switch (status.kind) {
    case 'rate_limited':
      return Math.min(Math.max(backoff, status.retryAfterMs ?? 0), LONGEST_WAIT_MS);
    case 'invalid_response':
      return 0;
    default:
      return backoff;
  }
}

/** A malformed answer and a time-out cost a whole turn each: they are tried once more, no oftener. */
function attemptsFor(status: TurnStatus): number {
  switch (status.kind) {
    case 'rate_limited':
      return Number.POSITIVE_INFINITY;
    case 'model_error':
    case 'network_error':
      return status.retryable ? Number.POSITIVE_INFINITY : 1;
    case 'timeout':
    case 'invalid_response':
      return 2;
    case 'success':
    case 'auth_failed':
    case 'quota_exceeded':
    case 'context_overflow':
    case 'truncated':
    case 'refused':
    case 'aborted':
      return 1;
  }
}
