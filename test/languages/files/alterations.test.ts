import { expect, it } from 'vitest';
import {
  alterationIn,
  alteredText,
  assertionsIn,
  comparedIn,
  expectationsIn,
  shiftedIn,
} from '../../../src/languages/files/alterations.ts';

const after = (line: string): string | null => {
  const found = alterationIn(line, 1);
  return found && alteredText(line, [found]);
};

it.each([
  ['  if (a == 0) return;', '  if (a != 0) return;'],
  ['while i < n && ok {', 'while i >= n && ok {'],
  ['} else if !out.is_empty() && last {', '} else if !out.is_empty() || last {'],
  ['my $same = $a eq $b;', 'my $same = $a ne $b;'],
  ['let mut done = false;', 'let mut done = true;'],
  ['out.append("-");', 'out.append("x-");'],
  ['start = 7;', 'start = 8;'],
  ['return $x * $y;', 'return $x + $y;'],
  ['a + b', 'a - b'],
  ["puts 'hello'", "puts 'xhello'"],
])('code means something else: %s', (line, other) => {
  expect(after(line)).toBe(other);
});

it.each([
  ['std::vector<int> all;', null],
  ['auto run(T&& value) {', null],
  ["c == '-'", "c != '-'"],
  ["push('-');", null],
  ['// if (a == 0) return 7;', null],
  ['#include "text.h"', null],
  ['  * at most 7', null],
  ['int32 a1;', null],
  ['}', null],
])('where a sign is none, nothing does: %s', (line, other) => {
  expect(after(line)).toBe(other);
});

it.each([
  ['assert(add(1, 2) == 3);', ['assert(add(1, 2) == 4);', 'assert(add(2, 2) == 3);']],
  [
    'assertEquals("a-b", slug("A b"));',
    ['assertEquals("a-b", slug("xA b"));', 'assertEquals("xa-b", slug("A b"));'],
  ],
  ['assert(size == 8);', ['assert(size == 9);']],
  ['assert(a == b);', []],
  ['// is 7', []],
])('tests expect something else: %s', (line, others) => {
  expect(expectationsIn(line, 1).map((one) => alteredText(line, [one]))).toEqual(others);
});

it.each([
  ['./build > log.txt', []],
  ['if cmp a.txt b.txt; then', ['if ! cmp a.txt b.txt; then']],
  ['[ "$(./calc 2 3)" = 5 ]', ['[ "$(./calc 2 3)" = 6 ]']],
])('a shell redirects where others compare: %s', (line, others) => {
  const found = assertionsIn(line, 1, 'check.sh').map((one) => alteredText(line, [one]));
  expect(found.slice(0, 1)).toEqual(others);
});

it('a text is altered in several lines at once', () => {
  const lines = ['a == 1;', 'none', 'b != 2;'];
  const all = lines.flatMap((line, index) => alterationIn(line, index + 1) ?? []);
  expect(alteredText(lines.join('\n'), all)).toBe('a != 1;\nnone\nb == 2;');
});

const compares = (line: string, path: string): string | null => {
  const found = comparedIn(line, 1, path);
  return found && alteredText(line, [found]);
};

it.each([
  ['a.py', 'assert add(2, 3) == 5, "adds"', 'assert add(2, 3) == 6, "adds"'],
  ['a.py', 'assert "hi" in greet("Bob")', 'assert "xhi" in greet("Bob")'],
  ['a.py', '  assert add(a, b) == c', '  assert add(a, b) == [0] and None is not c'],
  ['a.py', 'self.assertEqual(add(2, 3), 5)', 'self.assertEqual(add(2, 3), 6)'],
  ['a.js', "test('a', () => is(add(2, 3), 5));", "test('a', () => is(add(2, 3), 6));"],
  ['a.js', "deepEqual(of('ab'), { b: 'cd' });", "deepEqual(of('ab'), { b: 'xcd' });"],
  ['a.ts', "expect(of('Bob')).toEqual('Hi');", "expect(of('Bob')).toEqual('xHi');"],
  ['a.ts', "expect(() => f(1)).toThrow('no');", "expect(() => f(1)).toThrow('xno');"],
  ['a.go', 'if got := Add(2, 3); got != 5 {', 'if got := Add(2, 3); got != 6 {'],
  ['a.go', 'if !equal(Add(2, 3), 5) {', 'if !equal(Add(2, 3), 6) {'],
  ['a.rs', 'assert_eq!(half(9), 4);', 'assert_eq!(half(9), 5);'],
  ['a.pl', "is(add(2, 3), 5, 'adds');", "is(add(2, 3), 6, 'adds');"],
])('what a line of %s compares with is known: %s', (path, line, other) => {
  expect(compares(line, path)).toBe(other);
});

it.each([
  ['a.py', 'assert not is_mail("a.b")'],
  ['a.py', 'assert is_mail("a.b"), "is mail"'],
  ['a.py', 'assert f("x == 5") is None'],
  ['a.js', "assert.ok(!isMail('a.b'), 'no mail');"],
  ['a.js', 'assert.throws(() => f(1), /no/);'],
  ['a.js', "const x = make(1).get('key');"],
  ['a.go', 'if got != tt.want {'],
  ['a.c', '/* is 7 == 7 */'],
])('nor is what it is given, or what it says: %s %s', (path, line) => {
  expect(compares(line, path)).toBeNull();
});

it.each([
  ['self.assertEqual(greet("Bob"), "Hi")', 'self.assertEqual([0], greet("Bob"), "Hi")'],
  ['self.assertTrue(is_mail("a, b"))', null],
  ['assert greet("Bob")', null],
  ['self.assertEqual(greet("Bob"),', null],
])('an assertion of Python is given something else to compare: %s', (line, other) => {
  const found = shiftedIn(line, 1, 'a.py');
  expect(found && alteredText(line, [found])).toBe(other);
});
