/** Pure: the tests that JavaScript's test runners name; node's own in both of its reporters. */
import type { NamedTest } from '../language.ts';
import { type SourceToken, tokensOf } from './scan.ts';
import { suiteNames } from './suite-names.ts';

/** Output of a test may stand before this on the same line, unless the runner shows it as a comment. */
const TAP = /^(?! *#)(?:|.*?[^\w\n])(not )?ok \d+ - (.*?)( # (?:SKIP|TODO)\b.*)?$/gm;
const SPEC = /^ *([✔✖﹣⚠]) (.*?) \([\d.]+ms\)( # .*)?$/gm;
/** Below this line the failures are repeated. */
const FAILURES = /^✖ failing tests:$/m;
const FILE = /\.[cm]?[jt]sx?$/;

export function namedTests(output: string): readonly NamedTest[] {
  const tap = [...output.matchAll(TAP)].map(([, not, name = '', aside]) =>
    named(name.replace(/\\(.)/g, unescaped), not === undefined, aside !== undefined),
  );
  if (tap.length > 0) return tap;
  const suites = suiteNames(output);
  if (suites !== null) return suites;
  const [whole = ''] = output.split(FAILURES);
  return [...whole.matchAll(SPEC)].map(([, mark, name = '', aside]) =>
    named(name, mark === '✔', aside !== undefined || mark === '﹣'),
  );
}

/** A file without a test, or one that could not be loaded, counts as a test with its name. */
function named(name: string, isPassed: boolean, isLeftOut: boolean): NamedTest {
  const result = isLeftOut ? 'left_out' : isPassed ? 'passed' : 'failed';
  const [line = ''] = name.split('\n');
  return FILE.test(name) ? { name: '', file: name, result } : { name: line, file: '', result };
}

const unescaped = (_: string, sign: string): string =>
  ({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' })[sign] ?? sign;

const CALLED = ['test', 'it'];
const AFTER = ['only', 'skip', 'todo'];

/**
 * The names of the tests that stand in the text as literals; none if it cannot be read. A function of the text
 * itself is no runner's, and nobody names what it is called with.
 */
export function testNames(text: string): readonly string[] {
  const tokens = tokensOf(text) ?? [];
  const called = CALLED.filter((name) => !definesFunction(name, tokens));
  return tokens.flatMap(({ value }, index) => {
    if (!called.includes(value)) return [];
    const next = (ahead: number): string => tokens[index + ahead]?.value ?? '';
    const isMore = next(1) === '.' && AFTER.includes(next(2));
    const [sign, literal] = isMore ? [next(3), next(4)] : [next(1), next(2)];
    const [, , name] = /^(['"])([^\\\n]*)\1$/.exec(literal) ?? [];
    return sign === '(' && name !== undefined && name !== '' ? [name] : [];
  });
}

function definesFunction(name: string, tokens: readonly SourceToken[]): boolean {
  const at = (index: number): string => tokens[index]?.value ?? '';
  return tokens.some(({ value }, index) => {
    if (value !== name) return false;
    if (at(index - 1) === 'function') return true;
    if (!DECLARES.includes(at(index - 1)) || at(index + 1) !== '=') return false;
    const first = at(index + 2);
    // `(await import("node:test")).default` is a runner's, and `require("node:test")` too.
    return BEGINS.includes(first) || (first === '(' && at(index + 3) !== 'await');
  });
}

const DECLARES = ['const', 'let', 'var'];
const BEGINS = ['async', 'function'];
