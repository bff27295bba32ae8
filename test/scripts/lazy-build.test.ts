import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as zod from 'zod';
import { JournalRecord } from '../../src/schema/records.ts';

const folder = mkdtempSync(join(tmpdir(), 'tardigrade-lazy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** What lies in `scripts` is no TypeScript. */
const script = (name: string): Promise<Record<string, unknown>> =>
  import(resolve('scripts/lib', name));

describe('a module in the build', () => {
  let lazyText: (path: string) => string;
  beforeAll(async () => {
    ({ lazyText } = (await script('lazy-modules.mjs')) as { lazyText: typeof lazyText });
  });

  /** Runs `source` as the build writes it, and says which modules it asked for, in their order. */
  function run(source: string, others: Readonly<Record<string, unknown>>) {
    const path = join(folder, 'module.ts');
    writeFileSync(path, source);
    const asked: string[] = [];
    const require = (name: string) => {
      asked.push(name);
      return others[name];
    };
    const exports: Record<string, never> = {};
    runInNewContext(lazyText(path), { exports, require });
    return { exports: exports as Record<string, (...args: unknown[]) => unknown>, asked };
  }

  test('asks for another one only when something of it is used, and once', () => {
    const source = `import { add, type Sum } from './add.ts';
      import { unused } from './unused.ts';
      export const twice = (n: number): Sum => add(n, n);
      export const never = () => unused;`;
    const add = (a: number, b: number) => a + b;
    const { exports, asked } = run(source, { './add.ts': { add } });
    expect(asked).toEqual([]);
    expect([exports.twice?.(2), exports.twice?.(3)]).toEqual([4, 6]);
    expect(asked).toEqual(['./add.ts']);
  });

  test('hands on what stands in another one without asking for it', () => {
    const source = `export { add } from './add.ts'; export const one = 1;`;
    const { exports, asked } = run(source, { './add.ts': { add: 'sum' } });
    expect([exports.one, asked]).toEqual([1, []]);
    expect([exports.add, asked]).toEqual(['sum', ['./add.ts']]);
  });

  test('takes the default of a module of Node, of a text and of a package for what each is', () => {
    const source = `import path from 'node:path'; import text from './text.py';
      import ignore from 'ignore'; import * as z from 'zod';
      export const all = () => [path.sep, text, ignore(), z.name];`;
    const others = { 'node:path': { sep: '/' }, './text.py': 'pass', zod: { name: 'zod' } };
    const { exports } = run(source, { ...others, ignore: { default: () => 'rules' } });
    expect(exports.all?.()).toEqual(['/', 'pass', 'rules', 'zod']);
  });

  test('is refused in a form that cannot be made lazy', () => {
    expect(() => run(`export * from './add.ts';`, {})).toThrow('cannot be made lazy');
  });
});

describe('the zod of the build', () => {
  let built: {
    readonly JournalRecord: typeof JournalRecord;
    readonly z: typeof zod;
  };
  beforeAll(async () => {
    const { englishOnly, interpreted } = await script('packages.mjs');
    const { build } = (await import('esbuild')) as typeof import('esbuild');
    const contents = `export { JournalRecord } from './src/schema/records.ts'; export * as z from 'zod';`;
    const outfile = join(folder, 'zod.cjs');
    await build({
      stdin: { contents, resolveDir: resolve('.'), loader: 'ts' },
      ...{ outfile, bundle: true, format: 'cjs', platform: 'node' },
      plugins: [englishOnly, interpreted] as import('esbuild').Plugin[],
    });
    built = createRequire(import.meta.url)(outfile);
  });
  const isBuilt = (schema: object) => Object.hasOwn(schema, '_zod');

  test('builds a schema when it is asked first, also one that was made of another', () => {
    const { z } = built;
    for (const first of [z.string().min(1), z.object({}), z.number()]) first.safeParse(0);
    const short = z.string();
    const long = short.min(3).describe('long');
    const whole = z.object({ long: long.optional() });
    expect([short, long, whole].map(isBuilt)).toEqual([false, false, false]);
    expect(whole.safeParse({ long: 'ab' }).success).toBe(false);
    expect([short, long, whole].map(isBuilt)).toEqual([false, true, true]);
    expect([long.description, long.minLength, long instanceof z.ZodString]).toEqual([
      ...['long', 3, true],
    ]);
  });

  test('has of every record the schema that zod itself has', () => {
    expect(built.z.toJSONSchema(built.JournalRecord)).toEqual(zod.toJSONSchema(JournalRecord));
  });

  test.each([
    [{ type: 'plan_set', plan: { tasks: 3 }, why: '' }],
    [{ type: 'round_started', n: 1.5, subtask: 's', origin: 'elsewhere', calls: [{ id: 1 }] }],
    [{ type: 'no_such_record' }],
    [{ type: 'run_resumed', version: '1', limits: { rounds: 'many' } }],
    [{ type: 'note', kind: 'k', data: { any: [1] } }],
    [null],
  ])('says of %j what zod itself says', (value) => {
    const said = (result: { success: boolean; error?: { issues: unknown } }) => [
      result.success,
      result.error?.issues,
    ];
    expect(said(built.JournalRecord.safeParse(value))).toEqual(
      said(JournalRecord.safeParse(value)),
    );
  });
});
