import { expect, it } from 'vitest';
import { hasOtherTests, holdsNoTest, withTestsOf } from '../../src/evidence/inner-tests.ts';

const crate = (code: string, ...asserts: readonly string[]): string =>
  [
    'pub fn add(a: i32, b: i32) -> i32 {',
    `    ${code}`,
    '}',
    '',
    '#[cfg(test)]',
    'mod tests {',
    ...asserts.map((one) => `    ${one}`),
    '}',
    '',
  ].join('\n');

it.each([
  ['the code is another', crate('a + b', '1;'), false],
  ['a test is another', crate('a - b', '2;'), true],
  ['a test is new', crate('a - b', '1;', '2;'), true],
  ['code tells tests apart', crate('if cfg!(test) { 3 } else { a - b }', '1;'), true],
  ['code tells tests of a feature apart', crate('cfg!(all(unix, test))', '1;'), true],
  ['code tells other things apart', crate('cfg!(feature = "contest")', '1;'), false],
  ['the tests are gone', 'pub fn add() {}\n', true],
  ['the file is gone', null, true],
])('whether the tests in a file are as they were: %s', (_what, now, isOther) => {
  expect(hasOtherTests('a.rs', crate('a - b', '1;'), now)).toBe(isOther);
});

it('tests where there were none are no other tests', () => {
  expect(hasOtherTests('a.rs', 'fn add() {}\n', crate('a', '1;'))).toBe(false);
  expect(hasOtherTests('a.rs', null, crate('a', '1;'))).toBe(false);
});

it.each([
  ['changed on both sides', crate('a - b', '1;'), crate('a + b', '2;'), crate('a + b', '1;')],
  ['removed', crate('a - b', '1;'), 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n', null],
  [
    'with new code and new tests at one place',
    crate('a', '1;'),
    `${crate('b', '1;')}fn c() {}\n#[test]\nfn c_is() {}\n`,
    `${crate('b', '1;')}fn c() {}\n`,
  ],
])('code is tried with the tests as they were: %s', async (_what, was, now, mixed) => {
  const text = await withTestsOf(was, 'a.rs', now);
  if (mixed !== null) expect(text).toBe(mixed);
  for (const line of ['#[cfg(test)]', '    1;']) expect(text).toContain(line);
  expect(text).not.toContain('a - b');
});

it.each([
  [
    'polls/tests.py',
    'from django.test import TestCase\n\n# Create your tests here (all of them).\n',
    true,
  ],
  ['a_test.go', 'package a\n\nimport "testing"\n', true],
  ['a.test.mjs', "import test from 'node:test';\n", true],
  ['a.test.mjs', "import test from 'node:test';\ntest.todo('x');\n", false],
  ['a.test.mjs', 'import suite from "x";\nexport const cases = [];\n', false],
  ['test_a.py', 'class TestA:\n    pass\n', false],
  ['test_a.py', 'import unittest\nload()\n', false],
  ['ATest.java', 'import org.junit.Test;\n', false],
])('%s with %j holds no test: %s', (path, text, holdsNone) => {
  expect(holdsNoTest(path, text)).toBe(holdsNone);
});
