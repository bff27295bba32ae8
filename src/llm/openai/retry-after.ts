// When a server wants to be asked again; pure.
import type { FailedResponse } from './error-body.ts';

type Headers = Pick<FailedResponse, 'retryAfter' | 'retryAfterMs' | 'date'>;

/** Milliseconds, or `null`. A date is compared with the server's own clock. */
export function retryAfterMs({ retryAfter, retryAfterMs: exact, date }: Headers): number | null {
  const ms = numberOf(exact);
  if (ms !== null) return ms;
  const seconds = numberOf(retryAfter);
  if (seconds !== null) return seconds * 1000;
  const wait = Date.parse(retryAfter ?? '') - Date.parse(date ?? '');
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}

function numberOf(text: string | null): number | null {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : null;
}
