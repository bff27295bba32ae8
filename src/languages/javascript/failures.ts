/** What failed in a run of node's own tests, in both of its reporters. Pure. */
import type { TestFailure } from '../language.ts';

/** TAP: a head, then what is known of it, indented as the test is. */
const TAP = /^( *)not ok \d+ - (.*)\n\1 {2}---\n([\s\S]*?)^\1 {2}\.\.\.$/gm;
/** A test that failed only because one within it did. */
const BY_INNER = /failureType: '(?:subtestsFailed|parentAlreadyFinished)'/;
const LOCATION = /location: '(?:[^'\n]*[\\/])?([^'\\/\n]+?):\d+:\d+'/;
/** `error: 'x is not a function'`, or a block of lines below `error: |-`. */
const ERROR = /error: (?:'(.*)'|\|-\n([\s\S]*?)(?=^ *\w+: ))/m;
/** spec, in the list at its end. */
const SPEC =
  /^test at (?:[^\n]*[\\/])?([^\\/\n]+?):\d+:\d+\n✖ (.*?) \([\d.]+ms\)\n([\s\S]*?)(?=\n\s+at |^test at |(?![\s\S]))/gm;

export function failures(output: string): readonly TestFailure[] {
  const tap = [...output.matchAll(TAP)]
    .filter(([, , , body = '']) => !BY_INNER.test(body))
    .map(([, , test = '', body = '']) => {
      const [, short, long] = ERROR.exec(body) ?? [];
      return failureOf(LOCATION.exec(body)?.[1] ?? '', test, short ?? long ?? '');
    });
  if (tap.length > 0) return tap;
  return [...output.matchAll(SPEC)].map(([, file = '', test = '', why = '']) =>
    failureOf(file, test, why),
  );
}

/** A file that cannot be loaded is a test that is called as it is. */
const failureOf = (file: string, test: string, why: string): TestFailure => ({
  file,
  test: test.endsWith(file) ? '' : test,
  why: onOneLine(why),
});

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
