// How long a server asks to wait: milliseconds, seconds or a date, whichever header it uses; pure.
export function retryAfterMs(header: (name: string) => string | null, now: number): number | null {
  const milliseconds = numberOf(header('retry-after-ms'));
  if (milliseconds !== null) return milliseconds;
  const value = header('retry-after');
  const seconds = numberOf(value);
  if (seconds !== null) return seconds * 1000;
  const date = value === null ? Number.NaN : Date.parse(value);
  return Number.isFinite(date) ? Math.max(0, date - now) : null;
}

function numberOf(text: string | null): number | null {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : null;
}
