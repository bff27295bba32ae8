import { expect, it } from 'vitest';
import {
  alterationIn,
  alteredText,
  constantsIn,
  partsIn,
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

it('a text is altered in several lines at once', () => {
  const lines = ['a == 1;', 'none', 'b != 2;'];
  const all = lines.flatMap((line, index) => alterationIn(line, index + 1) ?? []);
  expect(alteredText(lines.join('\n'), all)).toBe('a != 1;\nnone\nb == 2;');
});

const given = (line: string, isLast = false): string | null => {
  const found = constantsIn(line, 1, isLast).filter(({ to }) => to === '0');
  return found.length === 0 ? null : alteredText(line, found);
};

it.each([
  ['    return cache.get(key);', '    return 0;'],
  ['  return f(a, g(b)) ', '  return 0 '],
  ['  return found, err', '  return 0, err'],
  ['int half(int n) { return halves[n]; }', 'int half(int n) { return 0; }'],
  ['  return text.replace(";", ")");', '  return 0;'],
  ['  return null;', '  return 0;'],
])('a constant is given: %s', (line, other) => {
  expect(given(line)).toBe(other);
});

it.each([
  '  return;',
  '  return 0;',
  '  return all.map(one -> {',
  '  // return x;',
  '  returned = x;',
])('nothing else can be given: %s', (line) => expect(given(line)).toBe(null));

it.each([
  ['    found', '    0'],
  ['    Ok(text.trim().len())', '    0'],
  ['    found.push(one);', null],
  ['  .collect()', null],
  ['}', null],
])('the last line of a block gives its value: %s', (line, other) => {
  expect(given(line, true)).toBe(other);
  expect(given(line)).toBe(null);
});

it.each([
  [
    '    return lines.stream().map(Line::name).sorted().toList();',
    [
      '    return lines.stream().map(Line::name).sorted();',
      '    return lines.stream().map(Line::name).toList();',
      '    return lines.stream().sorted().toList();',
    ],
  ],
  [
    '  return new Line(name, half(cents), n);',
    [
      '  return new Line(0, half(cents), n);',
      '  return new Line("", half(cents), n);',
      '  return new Line(name, 0, n);',
      '  return new Line(name, "", n);',
    ],
  ],
  ['  return a.b(")").c', ['  return a.c']],
  ['  return found;', []],
  ['  return f(a) + g(b);', []],
  ['  all.push(f(a));', []],
])('a part of what is returned is another one: %s', (line, others) => {
  expect(partsIn(line, 1, false).map((one) => alteredText(line, [one]))).toEqual(others);
});
