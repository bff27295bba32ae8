/** TypeScript, TSX and JSX whose functions give back a constant of their kind. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { givingConstants } from '../../../src/languages/javascript/constant.ts';

/** What the functions of the text give back, as node would run them. */
async function given(text: string, call: string): Promise<unknown> {
  const typed = givingConstants(text, null, 'types') ?? text;
  const { code } = transformSync(`${typed}\nexport const result = await (${call});`, {
    loader: 'ts',
    format: 'esm',
  });
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
  const module = (await import(/* @vite-ignore */ url)) as { readonly result: unknown };
  return module.result;
}

describe('a function of TypeScript', () => {
  it.each([
    ['a number', 'function f<T extends number>(a: T): number { return a + 1; }', 'f(2)', 0],
    ['a text', 'const f = (a: string): string => a.trim();', 'f(" a ")', ''],
    ['a list', 'const f = (a: string): string[] => [a];', 'f("a")', []],
    ['an object', 'const f = (a: number) => ({ a });', 'f(1)', null],
    [
      'a promise',
      'async function f(a: number): Promise<number> { return await Promise.resolve(a); }',
      'f(3)',
      0,
    ],
    [
      'what is of its object',
      'class A { n = 3; get(): number { return this.n; } }',
      'new A().get()',
      0,
    ],
    [
      'nothing',
      'let seen = 0; function f(a: number): void { seen = a; } function g(): void { f(4); }',
      '(g(), seen)',
      4,
    ],
  ])('that gives back %s', async (_what, text, call, constant) => {
    expect(await given(text, call)).toEqual(constant);
  });

  it('that was there before the run stays as it is', () => {
    const old = 'export function f(): number { return 1; }\n';
    expect(givingConstants(old, old, 'types')).toBeNull();
  });

  it('can still be read in every source of this program', () => {
    const folder = 'src/steps';
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.ts'))) {
      const changed = givingConstants(readFileSync(join(folder, name), 'utf8'), null, 'types');
      if (changed !== null)
        expect(() => transformSync(changed, { loader: 'ts' }), name).not.toThrow();
    }
  });
});
