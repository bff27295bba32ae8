/** TypeScript, TSX and JSX whose functions do nothing: what is emptied, and that it can still be read. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { returningAtOnce } from '../../../src/languages/javascript/emptied.ts';
import { someKills } from '../../support/some-kills.ts';

const RETURN = ' if (true as boolean) return undefined as never;';
const VALUE = '(true as boolean) ? undefined as never : ';

describe('TypeScript', () => {
  it.each([
    ['a function', 'export function f<T extends { a: 1 }>(a: T): { b: T } {@ return { b: a }; }'],
    ['one that tells a kind', 'function isA(a: unknown): a is { b: 1 } {@ return true; }'],
    ['one that asserts', 'function mustBe(a: unknown): asserts a is string {@ throw a; }'],
    [
      'the last of overloads',
      'function f(a: string): string;\nfunction f(a: any): any {@ return a; }',
    ],
    [
      'an arrow that gives a list of lists',
      'const f = (): readonly (readonly [string])[] => #a();',
    ],
    ['an arrow', 'export const f = async <T,>(a: T): Promise<T[]> => {@ return [a]; };'],
    ['an arrow with a value', 'const f = (a: number): number => #a + 1;'],
    [
      'an arrow whose variable has a type',
      'const f: (a: () => { x: 1 }) => number = (a) => #a().x;',
    ],
    [
      'methods',
      'abstract class A<T = { x: 1 }> extends B<{ y: 2 }> implements C {\n  @Input() name = "a";\n  private readonly n: number = 1;\n  abstract g(): void;\n  h?(): void;\n  constructor(private a: number) { super(); this.n = a; }\n  get size(): number {@ return 1; }\n  static async *all<K>(k: K): AsyncGenerator<K> {@ yield k; }\n  [key](): string {@ return ""; }\n}',
    ],
    [
      'a component',
      'export function App({ a }: { a: string }) {@ return <p className="x">{a}</p>; }',
    ],
  ])('empties %s', (_what, marked) => {
    const text = marked.replaceAll(/[@#](?!Input)/g, '');
    const wanted = marked.replaceAll(/@(?!Input)/g, RETURN).replaceAll('#', VALUE);
    expect(returningAtOnce(text, null, 'types')).toBe(wanted);
  });

  it('lets a setter give nothing back', () => {
    const text = 'class A { set n(a: number) { this.a = a; } }';
    expect(returningAtOnce(text, null, 'types')).toContain('{ if (true as boolean) return; this.a');
  });

  it.each([
    [
      'types',
      'type F = (a: number) => { b: 1 };\ninterface A { f(a: string): { b: 1 } }\ndeclare function g(): void;',
    ],
    ['what cannot be read', 'export function f() { return `a; }'],
    ['statements', 'if (a) { b(); } for (const c of d) { e(); }'],
  ])('leaves %s alone', (_what, text) => {
    expect(returningAtOnce(text, null, 'types')).toBeNull();
  });

  it('leaves what was there as it is', () => {
    const old = 'export function f(): number { return 1; }\n';
    const both = `${old}export function g(): number { return 2; }\n`;
    expect(returningAtOnce(old, old, 'types')).toBeNull();
    expect(returningAtOnce(both, old, 'types')).toBe(
      both.replace('{ return 2', `{${RETURN} return 2`),
    );
  });
});

it('JSX is emptied without types', () => {
  const text = 'export const App = () => <p>it is</p>;\n';
  expect(returningAtOnce(text, null, 'tags')).toBe(text.replace('<p>', '(true) ? undefined : <p>'));
});

const SOURCES = ['node_modules/zod/src', 'node_modules/openai/src', 'src'];
const MAX = 400;

it('what is emptied of real sources can still be read', () => {
  const files = SOURCES.flatMap((folder) => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .slice(0, MAX);
    return someKills(names, 30).map((name) => join(folder, name));
  });
  const emptied = files.flatMap((file) => {
    const text = returningAtOnce(readFileSync(file, 'utf8'), null, 'types');
    return text === null ? [] : [{ file, text }];
  });
  expect(emptied.length).toBeGreaterThan(files.length / 3);
  for (const { file, text } of emptied)
    expect(() => transformSync(text, { loader: 'ts', logLevel: 'silent' }), file).not.toThrow();
});
