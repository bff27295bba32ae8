import { describe, expect, it } from 'vitest';
import { functionsIn } from '../../../src/languages/files/functions.ts';

const PYTHON = `"""Words
at the margin."""
import re


def first(items):
    return items[0]


@cached
async def second(
    items,
):
    if items:

        return items[1]
# behind it
LIMIT = 3


class Third:
    def fourth(self):
        return 4
`;

const JAVASCRIPT = `export function first(items) {
  return items[0];
}

const second = async (items) => {
  return items[1];
};

export const third = (one) => one;
const LIMIT = 3;
class Fourth {
  fifth() {}
}
`;

const GO = `package main

func First(items []int) int {
	return items[0]
}

func (s *Stack) Second() int {
	return 2
}
`;

const linesOf = (path: string, text: string) =>
  functionsIn(path, text).map(({ name, from, to }) => [
    name,
    text.split('\n')[from - 1],
    text.split('\n')[to - 1],
  ]);

describe('functions at the margin', () => {
  it.each([
    [
      'a.py',
      PYTHON,
      [
        ['first', 'def first(items):', '    return items[0]'],
        ['second', 'async def second(', '        return items[1]'],
      ],
    ],
    [
      'a.py',
      PYTHON.replaceAll('\n', '\r\n'),
      [
        ['first', 'def first(items):\r', '    return items[0]\r'],
        ['second', 'async def second(\r', '        return items[1]\r'],
      ],
    ],
    [
      'a.mjs',
      JAVASCRIPT,
      [
        ['first', 'export function first(items) {', '}'],
        ['second', 'const second = async (items) => {', '};'],
        ['third', 'export const third = (one) => one;', 'export const third = (one) => one;'],
      ],
    ],
    ['a.go', GO, [['First', 'func First(items []int) int {', '}']]],
    ['a.txt', 'def first(): pass\n', []],
  ])('%s', (path, text, expected) => {
    expect(linesOf(path, text)).toEqual(expected);
  });

  it.each([
    ['a.py', 'def first():\n    return """\nand here\n"""\n', 'a text that ends one early'],
    ['a.py', 'TEXT = """\ndef first():\n    pass\n"""\n', 'a text that looks like one'],
    ['a.mjs', 'const a = `\nfunction first() {\n}\n`;\n', 'a template that looks like one'],
    ['a.mjs', '/*\nfunction first() {\n}\n*/\n', 'one that is commented out'],
    ['a.py', 'def first():\n    pass\ndef first():\n    pass\n', 'one that is there twice'],
  ])('of %s are none where it is not certain: %j (%s)', (path, text) => {
    expect(functionsIn(path, text)).toEqual([]);
  });
});

it.each([
  ['many functions', Array.from({ length: 30_000 }, (_, n) => `function f${n}() {}\n`).join('')],
  ['comments that nothing closes', '/*\n'.repeat(60_000)],
  ['brackets', `const a = ${'('.repeat(60_000)}\n`],
])('a file of %s is read in a moment', (_, text) => {
  expect(functionsIn('a.mjs', text).length).toBeLessThanOrEqual(30_000);
});
