/** What failed in a run of node's own tests, in both of its reporters. Pure. */
import type { TestFailure } from '../language.ts';

/** TAP: a head, then what is known of it, indented as the test is. */
const TAP = /^( *)not ok \d+ - (.*)\n\1 {2}---\n([\s\S]*?)^\1 {2}\.\.\.$/gm;
/** A test that failed only because one within it did. */
const BY_INNER = /failureType: '(?:subtestsFailed|parentAlreadyFinished)'/;
const LOCATION = /location: '(?:[^'\n]*[\\/])?([^'\\/\n]+?):\d+:\d+'/;
/** `error: 'x is not a function'`, or a block of lines below `error: |-`. */
const ERROR = /error: (?:'(.*)'|"(.*)"|\|-\n([\s\S]*?)(?=^ *\w+: ))/m;
/** Two values side by side are told apart more easily than by marks before their lines. */
const DEEP_EQUAL = /^ *operator: '(?:deepEqual|deepStrictEqual)'$/m;
const WANTED = /^ *expected:([\s\S]*?)(?=^ *actual:)/m;
const GIVEN = /^ *actual:([\s\S]*?)(?=^ *operator:)/m;
/** spec, in the list at its end. */
const SPEC =
  /^test at (?:[^\n]*[\\/])?([^\\/\n]+?):\d+:\d+\n✖ (.*?) \([\d.]+ms\)\n([\s\S]*?)(?=\n\s+at |^test at |(?![\s\S]))/gm;

export function failures(output: string): readonly TestFailure[] {
  const tap = [...output.matchAll(TAP)]
    .filter(([, , , body = '']) => !BY_INNER.test(body))
    .map(([, , test = '', body = '']) => {
      const [, short, quoted, long] = ERROR.exec(body) ?? [];
      const why = differenceIn(body) ?? short ?? quoted ?? long ?? '';
      return failureOf(LOCATION.exec(body)?.[1] ?? '', test, why);
    });
  if (tap.length > 0) return tap;
  return [...output.matchAll(SPEC)].map(([, file = '', test = '', why = '']) =>
    failureOf(file, test, why),
  );
}

function differenceIn(body: string): string | null {
  const [wanted, given] = [WANTED, GIVEN].map((part) => part.exec(body)?.[1]);
  return DEEP_EQUAL.test(body) && wanted !== undefined && given !== undefined
    ? `is ${given.trim()}, not ${wanted.trim()}`
    : null;
}

/** A file that cannot be loaded is a test that is called as it is. */
const failureOf = (file: string, test: string, why: string): TestFailure => ({
  file,
  test: test.endsWith(file) ? '' : test,
  why: onOneLine(why),
});

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
