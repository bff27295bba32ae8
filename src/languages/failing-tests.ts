/** Pure: how many tests failed, where a runner counts them at the end of its output. */

const COUNTS: readonly RegExp[] = [
  // pytest; jest and vitest below their own summary.
  /(?<![\d.])(\d+) (?:failed|errors?)\b/gi,
  // node --test, in both of its reporters.
  /^(?:#|ℹ) fail (\d+)$/gm,
  // unittest.
  /\b(?:failures|errors)=(\d+)/g,
];
const SUMMARY_CHARS = 600;

/** `null` where nothing counts them. */
export function failingTests(output: string): number | null {
  const summary = output.trimEnd().slice(-SUMMARY_CHARS);
  for (const pattern of COUNTS) {
    const counts = [...summary.matchAll(pattern)].map((match) => Number(match[1]));
    if (counts.length > 0) return Math.max(...counts);
  }
  return null;
}
