/** The counter-examples of the rules on flags, on the program's name and on names of types (`architecture.test.ts`). */
import { expect, test } from 'vitest';
import { flagsNamed } from './support/architecture/flags.ts';
import { typesNamedTwice, typesRenamed } from './support/architecture/names.ts';
import { commandsNamed } from './support/architecture/program-names.ts';
import { sourceFile } from './support/architecture/source-file.ts';

const one = (path: string, text: string) => [sourceFile(path, text)];

test.each([
  ['in a sentence', "const hint = 'Choose another one with --model.';"],
  ['at its start', "const hint = '--max-cost cannot be kept.';"],
  ['in a template', 'const more = `agent resume --max-tokens $' + '{limit}`;'],
  ['behind a value', 'const more = `a $' + '{limit} (--max-tokens)`;'],
  ['put together', 'const flags = names.map((name) => `--$' + '{name}`);'],
])('a flag of the command line that is named outside it: %s', (_what, text) => {
  expect(flagsNamed(one('src/steps/a.ts', text))).toHaveLength(1);
  expect(flagsNamed(one('src/cli/a.ts', text))).toEqual([]);
});

test('and lets dashes, patterns and the flags of other programs pass', () => {
  const text = "const mark = '--'; const asks = / --help$/; const rule = '---'; // --model";
  expect(flagsNamed(one('src/steps/a.ts', text))).toEqual([]);
  const other = "const args = ['install', '--no-audit'];";
  expect(flagsNamed(one('src/llm/embedded/install.ts', other))).toEqual([]);
});

test.each([
  ['in a sentence', "const hint = 'Go on: agent resume';"],
  ['in code marks', 'const hint = `Run \\`agent repair\\` first.`;'],
  ['with a flag', 'const hint = "agent --help lists them";'],
  ['before a goal', 'const hint = \'Write: agent "GOAL"\';'],
  ['by another of its names', "const hint = 'Go on: tardigrade-agent chat --resume';"],
  ['before a value', 'const hint = `Go on: agent $' + '{command}`;'],
])('the name of the program before a command: %s', (_what, text) => {
  for (const path of ['src/journal/a.ts', 'src/cli/a.ts', 'src/prompts/a.ts'])
    expect(commandsNamed(one(path, text)), path).toHaveLength(1);
});

test('the name of the program as a word of a command', () => {
  const text = "const words = ['agent', 'undo'];";
  expect(commandsNamed(one('src/cli/a.ts', text))).toHaveLength(1);
});

test('and lets the words of a sentence pass', () => {
  const text = "const said = 'Another agent works here; your agent began the run'; // agent resume";
  expect(commandsNamed(one('src/journal/a.ts', text))).toEqual([]);
});

const SPAN = 'export interface Span { readonly from: number }';

test.each([
  ['a type of the same name', 'export type Span = readonly number[];'],
  ['a class', 'export class Span {}'],
  ['a function, such as a component', 'export function Span() {}'],
  ['a constant', 'export const Span = 1;'],
  ['a schema and its type', 'export const Span = schema();\nexport type Span = Of<typeof Span>;'],
  ['one that a list exports', 'interface Span {}\nexport type { Span };'],
])('a name that two files export, one of them a type, the other %s', (_what, text) => {
  const files = [sourceFile('src/a/a.ts', SPAN), sourceFile('src/b/b.ts', text)];
  expect(typesNamedTwice(files)).toEqual(['src/a/a.ts and src/b/b.ts export Span']);
});

test('and lets pass what one file declares: a schema with its type, names of its own, passing on', () => {
  const schema = 'export const Span = schema();\nexport type Span = Of<typeof Span>;';
  const others = [
    'interface Span {}\nexport const spans = 1;',
    "export type { Span } from './a.ts';",
    "import type { Span } from './a.ts';\nexport type { Span };",
  ].map((text, index) => sourceFile(`src/a/b${index}.ts`, text));
  expect(typesNamedTwice([sourceFile('src/a/a.ts', schema), ...others])).toEqual([]);
});

test.each([
  ['where it is imported', "import type { Span as Piece } from './a.ts';"],
  ['beside others', "import { one, type Span as Piece } from './a.ts';"],
  ['where it is passed on', "export type { Span as Piece } from './a.ts';"],
])('a type that gets a second name: %s', (_what, text) => {
  expect(typesRenamed(one('src/a/b.ts', text))).toEqual(['src/a/b.ts calls Span Piece']);
  expect(typesRenamed(one('src/index.ts', text))).toEqual([]);
});

test('and lets functions and the types of packages be renamed', () => {
  const text =
    "import { read as readAll } from './a.ts';\nimport type { Plugin as Step } from 'b';";
  expect(typesRenamed(one('src/a/b.ts', text))).toEqual([]);
});
