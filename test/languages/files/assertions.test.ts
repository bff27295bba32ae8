/** What a line of a test may expect instead. */
import { expect, it } from 'vitest';
import { alteredText } from '../../../src/languages/files/alterations.ts';
import { assertionsIn, comparedIn } from '../../../src/languages/files/assertions.ts';

it.each([
  ['./build > log.txt', []],
  ['if cmp a.txt b.txt; then', ['if ! cmp a.txt b.txt; then']],
  ['[ "$(./calc 2 3)" = 5 ]', ['[ "$(./calc 2 3)" = 6 ]']],
])('a shell redirects where others compare: %s', (line, others) => {
  const found = assertionsIn(line, 1, 'check.sh').map((one) => alteredText(line, [one]));
  expect(found.slice(0, 1)).toEqual(others);
});

it.each([
  ['a.py', '  assert works(x)', '  assert not works(x)'],
  ['a.go', '  if !works(x) {', '  if !!works(x) {'],
  ['a.lua', 'assert(works(x))', 'assert(not works(x))'],
  ['a.js', 'ok(works(x))', 'ok(!works(x))'],
])('%s denies a condition where it stands: %s', (path, line, other) => {
  const found = assertionsIn(line, 1, path).map((one) => alteredText(line, [one]));
  expect(found).toContain(other);
});

it.each([
  ['a.js', "assert.throws(() => mail('a)', f(1)), /no/);", 'assert.throws(() => {}, /no/);'],
  ['a.ts', 'expect(async () => { await load(); }).rejects();', 'expect(async () => {}).rejects();'],
  ['A.java', 'assertThrows(E.class, () -> f(1));', 'assertThrows(E.class, () -> {});'],
  ['a.js', 'const twice = (x) => x * y;', null],
  ['a.js', 'throws(() => {', null],
])('%s: a function that must throw does nothing: %s', (path, line, other) => {
  const found = assertionsIn(line, 1, path).map((one) => alteredText(line, [one]));
  expect(found.filter((text) => text?.includes('{}'))).toEqual(other === null ? [] : [other]);
});

const compares = (line: string, path: string): string | null => {
  const [found] = comparedIn(line, 1, path);
  return found ? alteredText(line, [found]) : null;
};

it('an index tells what is looked at, and not what is expected there', () => {
  const found = (line: string) =>
    assertionsIn(line, 1, 'a.go').map((one) => alteredText(line, [one]));
  expect(found('_ = parts[1]')).toEqual([]);
  expect(found('check(parts[1], 7)')).toEqual(['check(parts[1], 8)']);
});

it('a text of one character may be none, and ends there', () => {
  const [found, ...others] = assertionsIn("is(of('x'), 'y');", 1, 'a.js');
  expect(found && alteredText("is(of('x'), 'y');", [found])).toBe("is(!of('x'), 'y');");
  expect(others).toEqual([]);
});

it.each([
  ['a.py', 'assert add(2, 3) == 5, "adds"', 'assert add(2, 3) == 987654321, "adds"'],
  ['a.py', 'assert "hi" in greet("Bob")', 'assert "xhi" in greet("Bob")'],
  ['a.py', '  assert add(a, b) == c', '  assert add(a, b) == [0] and None is not c'],
  ['a.py', 'self.assertEqual(add(2, 3), 5)', 'self.assertEqual(add(2, 3), 987654321)'],
  ['a.py', 'self.assertEqual(greet("Bob"), "Hi")', 'self.assertEqual([0], greet("Bob"), "Hi")'],
  ['a.js', "test('a', () => is(add(2, 3), 5));", "test('a', () => is(add(2, 3), 987654321));"],
  ['a.js', "deepEqual(of('ab'), { b: 'cd' });", "deepEqual(of('ab'), { b: 'xcd' });"],
  ['a.js', 'same(of(1), { b: [-1, -2] }, of(2));', 'same(of(1), { b: [-1, -987654321] }, of(2));'],
  ['a.ts', "expect(of('Bob')).toEqual('Hi');", "expect(of('Bob')).toEqual('xHi');"],
  ['a.ts', "expect(() => f(1)).toThrow('no');", "expect(() => f(1)).toThrow('xno');"],
  ['a.go', 'if got := Add(2, 3); got != 5 {', 'if got := Add(2, 3); got != 987654321 {'],
  ['a.go', 'if !equal(Add(2, 3), 5) {', 'if !equal(Add(2, 3), 987654321) {'],
  ['a.rs', 'assert_eq!(half(9), 4);', 'assert_eq!(half(9), 987654321);'],
  ['a.pl', "is(add(2, 3), 5, 'adds');", "is(add(2, 3), 987654321, 'adds');"],
])('what a line of %s compares with is known: %s', (path, line, other) => {
  expect(compares(line, path)).toBe(other);
});

it.each([
  ['a.py', 'assert not is_mail("a.b")'],
  ['a.py', 'assert is_mail("a.b"), "is mail"'],
  ['a.py', 'assert f("x == 5") is None'],
  ['a.py', 'self.assertTrue(is_mail("a, b"))'],
  ['a.js', "assert.ok(!isMail('a.b'), 'no mail');"],
  ['a.js', 'assert.throws(() => f(1), /no/);'],
  ['a.js', "const x = make(1).get('key');"],
  ['a.js', 'assert.ok(size(1) === 9 || size(1) === 5);'],
  ['a.js', 'same(of(1), of(2) * 5);'],
  ['a.js', 'same(of(1, 2, 3), x);'],
  ['a.js', 'expect(of(1)).toBe(of(1, 2, 3));'],
  ['a.js', 'same(of(1), [9, 8, 7].slice(2));'],
  ['a.js', 'same(of(1), { 7: x });'],
  ['a.go', 'if got != tt.want {'],
  ['a.c', '/* is 7 == 7 */'],
])('nor is what it is given, or what it says: %s %s', (path, line) => {
  expect(compares(line, path)).toBeNull();
});
