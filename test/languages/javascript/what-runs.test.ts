import { expect, it } from 'vitest';
import { runsAlike } from '../../../src/languages/javascript/what-runs.ts';

const CODE = `import { read } from './read.ts';
import type { Old } from './old.ts';

export interface Options {
  json: string;
  nested: { deep: Old };
}

type Way = 'a' | 'b'
export type Found<T> =
  | { kind: 'found'; value: T }
  | null;

/** Adds. */
export const add = (a: number, b: number) => a + b;
const type = read();
type.x = 1;
`;

it.each([
  ['an interface', 'json: string', 'json: boolean'],
  ['a union of several lines', '  | null;', '  | undefined;'],
  ['a type without a semicolon', "| 'b'", "| 'c'"],
  ['an import of a type', "type { Old } from './old.ts'", "type { New } from './new.ts'"],
  ['a new type', '/** Adds. */', 'export type { Way };\n/** Adds. */'],
  ['a comment', 'Adds.', 'It adds.'],
  ['the layout', '(a: number, b: number)', '(\n  a: number,\n  b: number\n)'],
])('a change of %s runs alike', (_what, from, to) => {
  expect(CODE).toContain(from);
  expect(runsAlike(CODE, CODE.replace(from, to))).toBe(true);
});

it.each([
  ['what a function does', 'a + b', 'a - b'],
  ['an import', "{ read } from './read.ts'", "{ read } from './other.ts'"],
  ['what stands behind a type', "'b'\nexport", "'b'\nconst c = 1;\nexport"],
  ['a call behind a type without a semicolon', "'b'\nexport", "'b'\n(add)(1, 2)\nexport"],
  ['what stands behind an interface', '}\n\ntype', '}\nadd(1, 2);\ntype'],
  ['something named type', 'type.x = 1', 'type.x = 2'],
  ['a text that cannot be read', 'Adds. */', 'Adds.'],
])('a change of %s does not', (_what, from, to) => {
  expect(CODE).toContain(from);
  expect(runsAlike(CODE, CODE.replace(from, to))).toBe(false);
});

const TYPED = `const limit: Map<string, number> = new Map();
export function largest(all: readonly number[], { by }: { by?: string } = {}, ...rest: A[]): number | null {
  const pick = (one?: (a: number, b: string) => void): { a: 1 } | null => null;
  return all ? (limit) : rest;
}
class Kept {
  one(all: string): string { return all; }
}
const b = { c: limit, d: (limit, by) };
switch (b) { case limit: largest(b, limit ? b : by); }
let later: number
(limit) ? (by) : {};
`;

it.each([
  ['a parameter', 'readonly number[]', 'number[]'],
  ['a parameter that had none', ': readonly number[]', ''],
  ['a parameter in pieces', '{ by?: string }', 'Options'],
  ['a parameter that may be left out', 'one?: (a: number', 'one: (a: string'],
  ['a parameter of a method', '(all: string)', '(all: number)'],
  ['a variable', 'Map<string, number> =', 'Map<string, unknown> ='],
  ['what a function gives', 'number | null {', 'number | { a: null } {'],
  ['what a function in a variable gives', '{ a: 1 } | null =>', 'null =>'],
])('another type of %s runs alike', (_what, from, to) => {
  expect(TYPED).toContain(from);
  expect(runsAlike(TYPED, TYPED.replace(from, to))).toBe(true);
});

it.each([
  ['a default', '} = {}', '} = { by: 1 }'],
  ['a value beside a type', 'new Map()', 'new Set()'],
  ['a body', '=> null;', '=> 1;'],
  ['a branch', '(limit) : rest', '(limit) : all'],
  ['a branch in a call', 'limit ? b : by)', 'limit ? b : limit)'],
  ['a property', 'c: limit', 'c: by'],
  ['a case', 'case limit: largest', 'case limit: by'],
  ['what a method gives, which is not read', 'string { return', 'number { return'],
  ['what follows a declaration without a value', '(limit) ? (by) : {};', '(by) ? (by) : {};'],
])('another %s does not', (_what, from, to) => {
  expect(TYPED).toContain(from);
  expect(runsAlike(TYPED, TYPED.replace(from, to))).toBe(false);
});

it.each([
  ['text between tags', 'const a = <p>(Note: one)</p>;\n'],
  ['a type that a decorator may read', 'class A {\n  constructor(@inject(B) Note: one) {}\n}\n'],
])('%s counts as code', (_what, text) => {
  expect(runsAlike(text, text.replace('one', 'two'))).toBe(false);
});

it('a type at the margin of a block ends with the block', () => {
  const code = 'declare module "x" {\ntype A = 1\n}\nconst b = 1;\n';
  expect(runsAlike(code, code.replace('A = 1', 'A = 2'))).toBe(true);
  expect(runsAlike(code, code.replace('b = 1', 'b = 2'))).toBe(false);
});

it.each([
  'type A = {',
  '}\ntype B = 1',
  'export type',
  'interface',
  'type A =\n',
  'type A<T = {}> = T;\nf();',
])('a text that is not whole comes to an end: %j', (text) => {
  expect(runsAlike('', text)).toBe(text === 'type A =\n');
});

it('a new file of types alone runs as none does', () => {
  expect(
    runsAlike('', "import type { A } from './a.ts';\nexport interface B {\n  a: A;\n}\n"),
  ).toBe(true);
  expect(runsAlike('', 'export interface B {\n  a: 1;\n}\nexport const b = 1;\n')).toBe(false);
});
