/** Pure: what failed in a run of node's own tests, in both of its reporters. */
import { onOneLine } from '../../lib/text/one-line.ts';
import type { TestFailure } from '../language.ts';

/** TAP: a head, then its details, indented like the test; without an end they stop at the next test. */
const TAP = /^( *)not ok \d+ - (.*)\n\1 {2}---\n([\s\S]*?)^\1(?: {2}\.{3}$|(?=not ok ))/gm;
/** A test that failed only because a subtest did. */
const BY_INNER = /failureType: '(?:subtestsFailed|parentAlreadyFinished)'/;
const LOCATION = /location: '(?:[^'\n]*[\\/])?([^'\\/\n]+?):\d+:\d+'/;
/** `error: 'x is not a function'`, or a block of lines below `error: |-`. */
const ERROR = /error: (?:'(.*)'|"(.*)"|\|-\n([\s\S]*?)(?=^ *\w+: ))/m;
/** Two values side by side are easier to compare than marks before their lines. */
const DEEP_EQUAL = /^ *operator: '(?:deepEqual|deepStrictEqual)'$/m;
const WANTED = /^ *expected:([\s\S]*?)(?=^ *actual:)/m;
const GIVEN = /^ *actual:([\s\S]*?)(?=^ *operator:)/m;
/** The spec reporter's list at the end. */
const SPEC =
  /^test at (?:[^\n]*[\\/])?([^\\/\n]+?):\d+:\d+\n✖ (.*?) \([\d.]+ms\)\n([\s\S]*?)(?=\n[ \t]+at |^test at |(?![\s\S]))/gm;

/** A file that could not be loaded: only its own output says why. */
const NOT_LOADED = /^'?test failed'?$/;
/** The head of an error, which names where it was thrown, or its message. */
const THROWN =
  /^(?:# )?(?:(?:\S*[\\/])?([^\\/\s]{1,255}\.[cm]?[jt]sx?):\d+|(?:Uncaught )?(\w{0,80}Error(?: \[\w+\])?: .*))$/gm;

interface Thrown {
  readonly at: number;
  /** Where it was thrown; '' if unknown. */
  readonly file: string;
  readonly why: string;
}

export function failures(output: string): readonly TestFailure[] {
  const thrown = thrownIn(output);
  const tap = [...output.matchAll(TAP)]
    .filter(([whole, , , body = '']) => whole.endsWith('...') && !BY_INNER.test(body))
    .map(({ 2: test = '', 3: body = '', index }) => {
      const [, short, quoted, long] = ERROR.exec(body) ?? [];
      const why = differenceIn(body) ?? short ?? quoted ?? long ?? '';
      const from = output.lastIndexOf('\n  ...', index);
      const own = thrown.filter(({ at }) => at > from && at < index);
      return failureOf(LOCATION.exec(body)?.[1] ?? '', test, why, own);
    });
  if (tap.length > 0) return tap;
  return [...output.matchAll(SPEC)].map(([, file = '', test = '', why = '']) =>
    failureOf(file, test, why, thrown),
  );
}

function thrownIn(output: string): readonly Thrown[] {
  let head = '';
  return [...output.matchAll(THROWN)].flatMap(({ 1: file, 2: why, index }) => {
    head = file ?? head;
    return why === undefined ? [] : [{ at: index, file: head, why }];
  });
}

/** @param thrown errors thrown while the file was loaded, or other files if nothing tells them apart */
const whyNotLoaded = (file: string, thrown: readonly Thrown[]): string | undefined =>
  (thrown.findLast((one) => one.file === file) ?? (thrown.length === 1 ? thrown[0] : undefined))
    ?.why;

function differenceIn(body: string): string | null {
  const [wanted, actual] = [WANTED, GIVEN].map((part) => part.exec(body)?.[1]);
  return DEEP_EQUAL.test(body) && wanted !== undefined && actual !== undefined
    ? `is ${actual.trim()}, not ${wanted.trim()}`
    : null;
}

/** A file that cannot be loaded counts as a test with the file's name. */
const failureOf = (
  file: string,
  test: string,
  why: string,
  thrown: readonly Thrown[],
): TestFailure => ({
  file,
  test: test.endsWith(file) ? '' : test,
  why: onOneLine((NOT_LOADED.test(why.trim()) && whyNotLoaded(file, thrown)) || why),
});
