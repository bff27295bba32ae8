/** Pure: which tests a run of tests names, and whether those that were red are among those that passed. */

import { defined } from '../../lib/defined.ts';
import type { RedTest, SeenTests } from '../../schema/evidence.ts';
import { cargoTests } from '../builds/cargo-tests.ts';
import { ctestTests } from '../builds/ctest-tests.ts';
import type { NamedTest } from '../language.ts';
import { LANGUAGES, languageOf } from '../languages.ts';
import { plainOutput, testCountsIn, testsInAllParts } from './test-output.ts';

/** Of more tests, some stand for the others. */
const MAX = 500;

const namedTests = (output: string): readonly NamedTest[] => {
  const text = plainOutput(output);
  const all = LANGUAGES.flatMap(({ output: reading }) => reading?.namedTests?.(text) ?? []);
  return [...all, ...cargoTests(text), ...ctestTests(text)];
};

export function redTests(output: string): readonly RedTest[] {
  const all = namedTests(output);
  const keys = new Set<string>();
  return all
    .filter((test) => {
      const isNew = test.result === 'failed' && !keys.has(keyOf(test));
      if (isNew) keys.add(keyOf(test));
      return isNew;
    })
    .slice(0, MAX)
    .map((test) => ({
      name: test.name,
      file: test.file,
      of: all.filter(sameAs(test)).length,
      ...defined({ family: test.family }),
    }));
}

/** @param textOf the text of a file of tests; `null`: unknown */
export function seenTests(
  red: readonly RedTest[],
  output: string,
  textOf: (file: string) => string | null,
): SeenTests {
  const all = namedTests(output);
  const passed = all.filter(({ result }) => result === 'passed');
  const isSeen = ({ name, file, of }: RedTest): boolean => {
    if (name === '') return isFileSeen(file, all, textOf(file));
    const same = all.filter(sameAs({ name, file }));
    return same.filter(isPassed).length >= of && same.every(isPassed);
  };
  const areRenamed = ({ family }: RedTest): boolean => {
    const kin = all.filter((one) => family !== undefined && one.family === family);
    return kin.length > 0 && kin.every(isPassed);
  };
  const counts = testCountsIn(output);
  const missing = red.filter((one) => !isSeen(one));
  return {
    missing: missing.map(({ name, file }) => name || file),
    ...(missing.length > 0 && missing.every(areRenamed) ? { areRenamed: true } : {}),
    isNamed: passed.length > 0,
    isUnnamed: all.some(({ result }) => result === 'unnamed'),
    isCutOff: all.some(({ result }) => result === 'cut_off'),
    passed: counts?.passed == null ? null : testsInAllParts(output).passed,
  };
}

/** True where the runner says that it stopped before its last test. */
export const isCutOff = (output: string): boolean =>
  namedTests(output).some(({ result }) => result === 'cut_off');

/** True if all tests of a file were seen. A file that could not be loaded named no test, so its text does. */
function isFileSeen(file: string, all: readonly NamedTest[], text: string | null): boolean {
  const names = text === null ? [] : (languageOf(file).testNames?.(file, text) ?? []);
  const ended = all.filter(({ result }) => result === 'passed' || result === 'left_out');
  // Some runners put the names of suites before a test's name.
  const isOf = (name: string) => (one: NamedTest) =>
    one.name === name || one.name.endsWith(` > ${name}`);
  if (names.length > 0) return names.every((name) => ended.some(isOf(name)));
  return all.some((one) => isPassed(one) && (one.file === file || one.file === ''));
}

const isPassed = ({ result }: NamedTest): boolean => result === 'passed';

const keyOf = ({ name, file }: Pick<NamedTest, 'name' | 'file'>): string => `${file}\0${name}`;
const sameAs =
  (test: Pick<NamedTest, 'name' | 'file'>) =>
  (other: NamedTest): boolean =>
    keyOf(test) === keyOf(other);

/**
 * Variables with which runners name each test that passes, and whether the command chooses an output form of
 * its own.
 */
export function namingOf(cmd: string, readText: (path: string) => string | null) {
  const all = LANGUAGES.map(({ runs }) => runs?.namingVariables?.(cmd, readText));
  const variables: { readonly [name: string]: string } = Object.assign({}, ...all);
  return { variables, hasOwnForm: all.includes(null) };
}
