/** Pure: the tests that pytest and unittest name. */
import type { NamedTest } from '../language.ts';

const SUMMARY = /^=+ short test summary info =+$/;
const END = /^=* *\d+ \w+(?:, \d+ \w+)*.* in [\d.]+s/;
/** Only a failure has a reason after its id. An id may hold anything between its brackets. */
const LINE = /^(PASSED|FAILED|ERROR) ([^[]*?(?:\[.*?\])?)(?: - .*)?$/;
/** The failure of a part of a test, after the words that name the part. */
const PART = /^SUBFAIL\w*\b.*? (\S+\.py::[^[]*?(?:\[.*?\])?)(?: - .*)?$/;
/** pytest stopped before its last test. */
const STOPPED = /^!{3,} .* !{3,}$/m;
const OF_UNITTEST = /^(?:FAIL|ERROR): (\S+ \(\S+\))/gm;

export function namedTests(output: string): readonly NamedTest[] {
  const results = new Map<string, 'passed' | 'failed'>();
  let isInside = false;
  for (const line of output.split('\n')) {
    if (SUMMARY.test(line)) isInside = true;
    else if (END.test(line)) isInside = false;
    else if (isInside) {
      const [, word = 'FAILED', id = PART.exec(line)?.[1]] = LINE.exec(line) ?? [];
      // pytest also lists a test as passed that failed in a part, or after its end.
      if (id !== undefined && (word !== 'PASSED' || !results.has(id)))
        results.set(id, word === 'PASSED' ? 'passed' : 'failed');
    }
  }
  return [
    ...[...results].map(([id, result]) => {
      const [file = ''] = id.split('::');
      const [family = ''] = id.split('[');
      return { name: file === id ? '' : id, file, result, ...(family === id ? {} : { family }) };
    }),
    ...(STOPPED.test(output) ? [{ name: '', file: '', result: 'cut_off' } as const] : []),
    ...[...output.matchAll(OF_UNITTEST)].map(([, name = '']) => ({
      name,
      file: '',
      result: 'failed' as const,
    })),
  ];
}
