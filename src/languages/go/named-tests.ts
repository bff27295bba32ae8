/** Pure: the tests that a run of Go's tests names. */
import type { NamedTest } from '../language.ts';

/** What a test prints may stand before it on its line. A package comes after its tests. */
const LINE = /=== RUN +(\S+)$|--- (PASS|FAIL|SKIP): (\S+) \(|^(ok {2}|FAIL)\t(\S+)(.*)$|(PASS)$/gm;
const RESULTS = { PASS: 'passed', FAIL: 'failed', SKIP: 'left_out' } as const;

export function namedTests(output: string): readonly NamedTest[] {
  const found: NamedTest[] = [];
  let results = new Map<string, NamedTest['result']>();
  let hasEnded = false;
  for (const [, begun, word, name, end, file = '', rest = '', all] of output.matchAll(LINE)) {
    if (all !== undefined) hasEnded = true;
    if (begun !== undefined) results.set(begun, 'cut_off');
    if (name !== undefined) results.set(name, RESULTS[word as keyof typeof RESULTS]);
    if (end === undefined) continue;
    found.push(...[...results].map(([test, result]) => ({ name: test, file, result })));
    const result = end === 'FAIL' ? 'failed' : 'unnamed';
    if (results.size === 0 && !rest.includes('[no test')) found.push({ name: '', file, result });
    // A program of tests that ends by itself says so, whatever a test printed before.
    if (results.size > 0 && end !== 'FAIL' && !hasEnded)
      found.push({ name: '', file, result: 'cut_off' });
    results = new Map();
    hasEnded = false;
  }
  return found;
}
