// Pure: how long a server asks to wait, in milliseconds, seconds or as a date, whichever header it uses.

/** Looks up a header by its lower-case name; the first value if a server repeats it. */
export type HeaderLookup = (name: string) => string | null;

export const NO_HEADERS: HeaderLookup = () => null;

/** A year: no server means more, and a larger number may not be stored. */
const LONGEST_MS = 365 * 24 * 3_600_000;

/** Milliseconds, or `null` if it says nothing. A date is compared with the server's own clock. */
export function retryAfterMs(header: HeaderLookup): number | null {
  const wait = waitIn(header);
  return wait === null ? null : Math.min(wait, LONGEST_MS);
}

function waitIn(header: HeaderLookup): number | null {
  const milliseconds = numberOf(header('retry-after-ms'));
  if (milliseconds !== null) return milliseconds;
  const value = header('retry-after');
  const seconds = numberOf(value);
  if (seconds !== null) return seconds * 1000;
  const wait = Date.parse(value ?? '') - Date.parse(header('date') ?? '');
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}

/** The same as a part of a status. */
export function requestedWait(header: HeaderLookup): { readonly retryAfterMs?: number } {
  const wait = retryAfterMs(header);
  return wait === null ? {} : { retryAfterMs: wait };
}

function numberOf(text: string | null): number | null {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : null;
}
