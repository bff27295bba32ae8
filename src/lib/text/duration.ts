/** Converts `90s`, `10m`, `2h`, `1h30m` to milliseconds. Pure. */
const UNITS = { s: 1000, m: 60_000, h: 3_600_000 } as const;
const LONGEST_MS = 365 * 24 * UNITS.h;

/** `null` if it is not a duration, or not between a second and a year. */
export function durationOf(text: string): number | null {
  const parts = [...text.trim().matchAll(/(\d+(?:\.\d+)?)([smh])/g)];
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === text.trim();
  const ms = parts.reduce(
    (sum, [, digits = '', unit = 's']) => sum + Number(digits) * UNITS[unit as keyof typeof UNITS],
    0,
  );
  return isWhole && ms >= UNITS.s && ms <= LONGEST_MS ? Math.round(ms) : null;
}

/** Uses the largest unit that gives a whole number. */
export function durationWord(ms: number): string {
  const unit = (['h', 'm'] as const).find((one) => ms % UNITS[one] === 0) ?? 's';
  return `${ms / UNITS[unit]}${unit}`;
}
