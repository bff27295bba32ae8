// Pure: what a turn's status calls for, and how long a failed profile or model cools down.
import type { TurnStatus } from '../../schema/model/turn.ts';

/** What failed: the credentials and address of a model, or the model itself. */
export type Fault = 'profile' | 'model';

export type RetryVerdict =
  /** An answer, or an ending that another request would not change. */
  | { readonly kind: 'final' }
  /** Ask the same again at once: the next answer may be better. */
  | { readonly kind: 'again' }
  | { readonly kind: 'cool'; readonly fault: Fault; readonly atLeastMs: number }
  /** Never asked again in this run. */
  | { readonly kind: 'skip'; readonly fault: Fault };

/** Decided by the status alone; nothing here or above reads a message. */
export function verdictOf(status: TurnStatus): RetryVerdict {
  switch (status.kind) {
    case 'success':
    case 'context_overflow':
    case 'truncated':
    case 'refused':
    case 'aborted':
      return { kind: 'final' };
    case 'invalid_response':
      return { kind: 'again' };
    case 'rate_limited':
      return cool('profile', status.retryAfterMs);
    case 'network_error':
      return status.retryable
        ? cool('profile', status.retryAfterMs)
        : { kind: 'skip', fault: 'profile' };
    case 'timeout':
      return cool('model');
    case 'model_error':
      return status.retryable
        ? cool('model', status.retryAfterMs)
        : { kind: 'skip', fault: 'model' };
    case 'auth_failed':
    case 'quota_exceeded':
      return { kind: 'skip', fault: 'profile' };
    default:
      return status satisfies never;
  }
}

const cool = (fault: Fault, atLeastMs = 0): RetryVerdict => ({ kind: 'cool', fault, atLeastMs });

/** Such an attempt costs a whole turn: unless it is a candidate's first in this turn, it is also its last. */
export const isCostly = ({ kind }: TurnStatus): boolean =>
  kind === 'timeout' || kind === 'invalid_response';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** 1 s, 2 s, 4 s, … 60 s after the first, second, third … failure in a row. */
export const cooldownMs = (failures: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 16), LONGEST_WAIT_MS);
