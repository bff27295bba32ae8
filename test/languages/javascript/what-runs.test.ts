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
  ['a type inside other code, which is not read', '(a: number', '(a: string'],
  ['a text that cannot be read', 'Adds. */', 'Adds.'],
])('a change of %s does not', (_what, from, to) => {
  expect(CODE).toContain(from);
  expect(runsAlike(CODE, CODE.replace(from, to))).toBe(false);
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
