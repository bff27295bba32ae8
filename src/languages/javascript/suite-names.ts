/**
 * Pure: the tests that jest, vitest and mocha name. By default only mocha names those that pass, and jest
 * those of a single file. An output that names some and not others tells nothing, so all that passed must be
 * there.
 */
import type { NamedTest } from '../language.ts';

/** `null`: the output does not end like that of any of these runners. */
export function suiteNames(output: string): readonly NamedTest[] | null {
  for (const read of [mocha, jest, vitest]) {
    const found = read(output);
    if (found !== null) return found;
  }
  return null;
}

interface Counted {
  readonly passed: number;
  readonly failed: number;
}

/** The tests; none if their number is not the one that the runner counts. */
function allOf(tests: readonly NamedTest[], { passed, failed }: Counted): readonly NamedTest[] {
  const count = (result: NamedTest['result']): number =>
    tests.filter((one) => one.name !== '' && one.result === result).length;
  return count('passed') === passed && count('failed') === failed ? tests : [];
}

const number = (pattern: RegExp, text: string): number => Number(pattern.exec(text)?.[1] ?? 0);

/** `  5 passing (414ms)`: below it the failures are repeated. */
const MOCHA_END = /^ {2}(\d+) passing \(.*$/gm;
const MOCHA_TEST = /^ {2,}(?:[✔✓√] (.*?)(?: \(\d+ms\))?|\d+\) (.*)|- (.*))$/gm;

function mocha(output: string): readonly NamedTest[] | null {
  const [end, more] = [...output.matchAll(MOCHA_END)];
  if (end === undefined) return null;
  const behind = output.slice(end.index);
  const tests = [...output.slice(0, end.index).matchAll(MOCHA_TEST)].map(
    ([, passed, failed, aside = '']): NamedTest => ({
      name: passed ?? failed ?? aside,
      file: '',
      result: passed !== undefined ? 'passed' : failed !== undefined ? 'failed' : 'left_out',
    }),
  );
  const failed = number(/^ {2}(\d+) failing$/m, behind);
  return more === undefined ? allOf(tests, { passed: Number(end[1]), failed }) : [];
}

/** `Tests:       1 failed, 1 skipped, 3 passed, 5 total`, and in vitest `      Tests  1 failed | 3 passed (4)`. */
function countedIn(output: string, line: RegExp): Counted | null {
  const [found, more] = [...output.matchAll(line)];
  if (found === undefined || more !== undefined) return null;
  const [, counts = ''] = found;
  return { passed: number(/(\d+) passed/, counts), failed: number(/(\d+) failed/, counts) };
}

const JEST_FILE = /^(?:PASS|FAIL) (?:\S+ )?(\S+\.[cm]?[jt]sx?)\b.*$/gm;
const JEST_TEST = /^ {2,}([✓√✕×○✎]) (?:skipped |todo )?(.*?)(?: \([\d.]+ m?s\))?$/gm;
const NOT_RUN = /^ *● Test suite failed to run$/m;

function jest(output: string): readonly NamedTest[] | null {
  if (!/^Test Suites: /m.test(output)) return null;
  const counted = countedIn(output, /^Tests: +(\S.*)$/gm);
  const heads = [...output.matchAll(JEST_FILE)];
  const seen = new Set<string>();
  const tests = heads.flatMap(({ 0: head, 1: file = '', index }, at): readonly NamedTest[] => {
    // Jest may repeat the failures below all files.
    if (seen.has(file)) return [];
    seen.add(file);
    const block = output.slice(index + head.length, heads[at + 1]?.index);
    if (NOT_RUN.test(block)) return [{ name: '', file, result: 'failed' }];
    const [names = ''] = block.split(/^ *● /m);
    return [...names.matchAll(JEST_TEST)].map(([, mark = '', name = '']) => ({
      name,
      file,
      result: '✓√'.includes(mark) ? 'passed' : '✕×'.includes(mark) ? 'failed' : 'left_out',
    }));
  });
  return counted === null ? [] : allOf(tests, counted);
}

/** Only in vitest's verbose form: ` ✓ a.test.ts > calc > adds 2ms`. */
const VITEST_TEST = /^ *([✓×↓□]) (?:\|[^|\n]*\| )?(\S+\.[cm]?[jt]sx?) > (.*?)(?: \d+ms)?$/gm;
/** ` FAIL  c.test.ts [ c.test.ts ]`: a file that could not be loaded. */
const VITEST_FILE = /^ *FAIL +(?:\|[^|\n]*\| )?(\S+) \[ .* \]$/gm;

function vitest(output: string): readonly NamedTest[] | null {
  if (!/^ *Test Files {2}/m.test(output)) return null;
  const counted = countedIn(output, /^ *Tests {2}(\S.*)$/gm);
  const tests = [...output.matchAll(VITEST_TEST)].map(
    ([, mark = '', file = '', name = '']): NamedTest => ({
      name,
      file,
      result: mark === '✓' ? 'passed' : mark === '×' ? 'failed' : 'left_out',
    }),
  );
  const files = [...output.matchAll(VITEST_FILE)].map(
    ([, file = '']): NamedTest => ({ name: '', file, result: 'failed' }),
  );
  return counted === null ? [] : allOf([...tests, ...files], counted);
}
