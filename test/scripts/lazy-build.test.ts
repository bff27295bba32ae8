import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as zod from 'zod';
import { JournalRecord } from '../../src/schema/records.ts';
import { sampleOf } from '../support/sample-of.ts';

const folder = mkdtempSync(join(tmpdir(), 'tardigrade-lazy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** What lies in `scripts` is no TypeScript. */
const script = (name: string): Promise<Record<string, unknown>> =>
  import(pathToFileURL(resolve('scripts/lib', name)).href);

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

describe('a package in the build', () => {
  const asked = 'const languages = require("@speed-highlight/core/languages");';
  test.each([
    ['what is used of it', 'languages.go;', false],
    ['all of it where it is passed on as a whole', 'use(languages);', true],
  ])('has %s', async (_, used, isWhole) => {
    const { packageText } = (await script('lazy-modules.mjs')) as {
      packageText(name: string, texts: string[], by: object, seen: Set<string>): Promise<string>;
    };
    const { settings } = (await script('bundle.mjs')) as { settings: object };
    const texts = [`${asked}\n${used}`];
    const text = await packageText('@speed-highlight/core/languages', texts, settings, new Set());
    const module = { exports: {} };
    runInNewContext(text, { module });
    const names = Object.keys(await import('@speed-highlight/core/languages'));
    expect(names).toContain('go');
    const has = names.filter((name) => Object.hasOwn(module.exports, name));
    expect(has).toEqual(isWhole ? names : ['go']);
  });
});

describe('the zod of the build', () => {
  let built: {
    readonly JournalRecord: typeof JournalRecord;
    readonly z: typeof zod;
    readonly real: typeof zod;
  };
  beforeAll(async () => {
    const { englishOnly, interpreted } = await script('packages.mjs');
    const { isZod, ZOD_LATER } = (await script('lazy-modules.mjs')) as {
      isZod: (name: string, importer: string) => boolean;
      ZOD_LATER: string;
    };
    const { build } = (await import('esbuild')) as typeof import('esbuild');
    const contents = `export { JournalRecord } from './src/schema/records.ts'; export * as z from 'zod';
      export { real } from './src/lib/schemas/real.ts';`;
    const outfile = join(folder, 'zod.cjs');
    const later: import('esbuild').Plugin = {
      name: 'later',
      setup(api) {
        api.onResolve({ filter: /^zod$/ }, ({ path, importer }) =>
          isZod(path, importer) ? { path: ZOD_LATER } : null,
        );
      },
    };
    await build({
      stdin: { contents, resolveDir: resolve('.'), sourcefile: 'all.ts', loader: 'ts' },
      ...{ outfile, bundle: true, format: 'cjs', platform: 'node' },
      plugins: [englishOnly, interpreted, later] as import('esbuild').Plugin[],
    });
    built = createRequire(import.meta.url)(outfile);
  });
  const isBuilt = (schema: object) => Object.hasOwn(schema, '_zod');

  test('builds a schema when it is asked first, also one that was made of another', () => {
    const { real: z } = built;
    const firsts = [z.string().min(1), z.object({}), z.number(), z.string().optional()];
    for (const first of firsts) first.safeParse(0);
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

  test('takes what fits without zod, and asks it for everything else', () => {
    const { z } = built;
    const schema = z.object({ a: z.number().int(), b: z.string().optional() });
    const isAsked = () => Reflect.get(schema, 'built') !== null;
    expect(schema.safeParse({ a: 1, c: 2 })).toEqual({ success: true, data: { a: 1 } });
    expect(isAsked()).toBe(false);
    expect(schema.safeParse({ a: 'x' }).error?.issues).toHaveLength(1);
    expect([isAsked(), schema.description, schema.keyof().options]).toEqual([
      ...[true, undefined, ['a', 'b']],
    ]);
  });

  test('tells the value of a literal without zod', () => {
    const { z } = built;
    const one = z.literal('a');
    expect([one.value, Reflect.get(one, 'built')]).toEqual(['a', null]);
    expect(() => z.literal(['a', 'b']).value).toThrow('.values');
  });

  test('has of every record the schema that zod itself has', () => {
    expect(built.z.toJSONSchema(built.JournalRecord)).toEqual(zod.toJSONSchema(JournalRecord));
  });

  /** What is taken comes out in the same order, too. */
  const said = (result: { success: boolean; data?: unknown; error?: { issues: unknown } }) =>
    JSON.stringify([result.success, result.data, result.error?.issues]);

  test('makes of every record what zod itself makes of it', () => {
    for (const option of JournalRecord.options) {
      const sample = sampleOf(option, 'text') as object;
      for (const value of [sample, { ...sample, more: 1 }, { more: 1, ...sample, type: 7 }])
        expect(said(built.JournalRecord.safeParse(value))).toBe(
          said(JournalRecord.safeParse(value)),
        );
    }
  });

  /** The same schema made by either. */
  const MADE: { readonly [what: string]: (z: typeof zod) => zod.ZodType } = {
    'a strict object': (z) => z.object({ a: z.string().min(1).max(3) }).strict(),
    'a loose object': (z) => z.looseObject({ a: z.array(z.int()).max(2).nullish() }),
    'defaults and what catches': (z) =>
      z.object({ a: z.string().default('x'), b: z.number().catch(7), c: z.unknown().optional() }),
    'what changes a value': (z) => z.object({ a: z.string().trim().toLowerCase().min(1) }),
    'a choice of forms': (z) =>
      z.union([z.string().regex(/^a/), z.object({ a: z.lazy(() => z.boolean()) }), z.literal(7)]),
    'a choice by name': (z) =>
      z.discriminatedUnion('a', [
        z.strictObject({ a: z.literal(['x', 'y']), b: z.number().positive() }),
        z.object({ a: z.literal(true), c: z.enum(['p', 'q']).nullable() }),
      ]),
    names: (z) => z.record(z.string(), z.object({ a: z.number().nonnegative().max(5) })),
  };
  const VALUES = [
    ...['a', 'b', 7, null, undefined, [], {}, { a: 'x' }, { a: ' Ab ', z: 1 }, { a: undefined }],
    ...[{ a: '' }, { a: 'four' }, { a: [1, 2], more: [1] }, { a: [1.5] }, { a: null, b: 'x' }],
    ...[
      { a: true, c: null },
      { a: true, c: 'r' },
      { a: 'y', b: 1 },
      { a: 'x', b: 0, c: 1 },
    ],
    ...[{ a: { a: 5, b: 1 } }, { a: { a: -1 } }, { b: {} }, { c: 1, b: 2, a: 'z' }, { a: true }],
    JSON.parse('{"a":"x","__proto__":{"a":1}}'),
  ];

  test.each(Object.entries(MADE))('makes of %s what zod itself makes of it', (_what, make) => {
    const [ours, theirs] = [make(built.z), make(zod)];
    for (const value of VALUES)
      expect(said(ours.safeParse(value)), JSON.stringify(value)).toBe(
        said(theirs.safeParse(value)),
      );
    expect(built.z.toJSONSchema(ours, { io: 'input', unrepresentable: 'any' })).toEqual(
      zod.toJSONSchema(theirs, { io: 'input', unrepresentable: 'any' }),
    );
  });

  test.each([
    [{ type: 'plan_set', plan: { tasks: 3 }, why: '' }],
    [{ type: 'round_started', n: 1.5, subtask: 's', origin: 'elsewhere', calls: [{ id: 1 }] }],
    [{ type: 'no_such_record' }],
    [{ type: 'run_resumed', version: '1', limits: { rounds: 'many' } }],
    [{ type: 'note', kind: 'k', data: { any: [1] } }],
    [null],
  ])('says of %j what zod itself says', (value) => {
    expect(said(built.JournalRecord.safeParse(value))).toBe(said(JournalRecord.safeParse(value)));
  });
});
