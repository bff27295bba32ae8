import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { type ArgsSchema, zodSchema } from '../../src/tools/calls/args-schema.ts';
import { jsonSchema } from '../../src/tools/calls/json-schema-args.ts';
import { parametersOf } from '../../src/tools/calls/parameters.ts';
import { callUsage } from '../../src/tools/calls/usage.ts';
import { validateCall } from '../../src/tools/calls/validate-call.ts';
import type { Tool } from '../../src/tools/contract.ts';
import { everyBuiltinTool } from '../../src/tools/registry.ts';
import { ok } from '../../src/tools/result.ts';

const both: readonly (readonly [string, ArgsSchema])[] = [
  [
    'zod',
    zodSchema(
      z.object({
        query: z.string(),
        limit: z.number().int().max(50).default(10),
        sort: z.enum(['name', 'date']).optional(),
      }),
    ),
  ],
  [
    'JSON Schema',
    jsonSchema({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        query: { type: 'string' },
        limit: { type: 'integer', maximum: 50, default: 10 },
        sort: { type: 'string', enum: ['name', 'date'] },
      },
      required: ['query'],
      additionalProperties: false,
    }),
  ],
];

const toolWith = (args: ArgsSchema): Tool => ({
  name: 'find_notes',
  description: 'Find notes.',
  args,
  touches: 'network',
  afterCrash: 'unknown',
  prepare: async () => ({ kind: 'ready', files: [], perform: async () => ok('') }),
});

describe.each(both)('arguments described by %s', (_what, args) => {
  const validate = (given: Record<string, unknown>) =>
    validateCall({ id: 'c', name: 'find_notes', args: given }, [toolWith(args)]);

  it('are accepted with their defaults filled in', () => {
    expect(validate({ query: 'x', sort: 'date' })).toMatchObject({
      kind: 'valid',
      args: { query: 'x', limit: 10, sort: 'date' },
    });
  });

  it.each([
    [{}, 'query: '],
    [{ query: 1 }, 'query: '],
    [{ query: 'x', limit: 51 }, 'limit: '],
    [{ query: 'x', limit: 1.5 }, 'limit: '],
    [{ query: 'x', sort: 'size' }, 'sort: '],
    [{ query: 'x', append: true }, 'append'],
  ])('%j is answered with what is wrong and what they are', (given, fault) => {
    const call = validate(given);
    expect(call).toHaveProperty('message', expect.stringContaining(fault));
    expect(call).toHaveProperty(
      'message',
      expect.stringContaining(
        'The arguments are find_notes {query: string, limit?: integer, sort?: "name" | "date"}.',
      ),
    );
  });

  it('are shown to a model in the same few keywords', () => {
    expect(parametersOf(toolWith(args))).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string' },
        limit: { type: 'integer' },
        sort: { type: 'string', enum: ['name', 'date'] },
      },
      required: ['query'],
    });
  });
});

describe('a JSON Schema of somebody else', () => {
  it('may nest objects and lists, choose and refer', () => {
    const args = jsonSchema({
      type: 'object',
      properties: {
        at: { $ref: '#/$defs/point' },
        tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
        id: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      },
      required: ['at'],
      $defs: { point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
    });
    expect(args.parse({ at: { x: 1 }, tags: ['a'], id: 3 }).ok).toBe(true);
    expect(args.parse({ at: { x: 'a' } })).toMatchObject({
      faults: [expect.stringMatching(/^at\.x: /)],
    });
    expect(args.parse({ at: { x: 1 }, tags: [] })).toMatchObject({ ok: false });
    expect(args.parse({ at: { x: 1 }, id: true })).toMatchObject({ ok: false });
    expect(callUsage(toolWith(args))).toContain('tags?: string[], id?: string | integer');
  });

  it('lets arguments through that it says nothing about', () => {
    const args = jsonSchema({ type: 'object', properties: { a: { type: 'string' } } });
    expect(args.parse({ a: 'x', b: 2 })).toEqual({ ok: true, args: { a: 'x', b: 2 } });
  });

  it('never runs a pattern of its own on what a model wrote', () => {
    const args = jsonSchema({
      type: 'object',
      properties: { text: { type: 'string', pattern: '^(a+)+$' }, pattern: { type: 'string' } },
      required: ['pattern'],
    });
    expect(args.parse({ text: `${'a'.repeat(50)}b`, pattern: 'x' }).ok).toBe(true);
    expect(args.parse({ text: 'a' }), 'an argument of that name stays one').toMatchObject({
      faults: [expect.stringMatching(/^pattern: /)],
    });
  });

  it('that is beyond what can be checked here is left to its tool', () => {
    const args = jsonSchema({
      type: 'object',
      if: { properties: { a: { const: 1 } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { required: ['b'] },
    });
    expect(args.parse({ a: 1 })).toEqual({ ok: true, args: { a: 1 } });
  });
});

describe('a schema that is no use for checking', () => {
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
  const either = (name: string) => ({ anyOf: [{ $ref: name }, { $ref: name }] });
  const chain = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`d${at}`, either(`#/$defs/d${at + 1}`)]),
  );
  it.each([
    ['itself', { type: 'object', $ref: '#' }],
    [
      'itself as one of its kinds',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/A' } },
        $defs: { A: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'string' }] } },
      },
    ],
    [
      'more kinds with each reference',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/d0' } },
        $defs: { ...chain, d60: { type: 'string' } },
      },
    ],
    [
      'more kinds with each level of the arguments',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/T' } },
        $defs: { T: { type: 'object', properties: { a: either('#/$defs/T') } } },
      },
    ],
  ])('because it refers to %s is left to the tool', (_, schema) => {
    expect(jsonSchema(schema).parse({ a: 1 })).toEqual({ ok: true, args: { a: 1 } });
  });

  it('is another than one for a list or for a part that may be missing', () => {
    const a = { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] };
    const schema = jsonSchema({ type: 'object', properties: { a }, $defs: { node } });
    expect(schema.parse({ a: { next: { next: {} } } }).ok).toBe(true);
    expect(schema.parse({ a: { next: { next: 1 } } }).ok).toBe(false);
  });

  it('and that throws makes the call wrong, and ends nothing', () => {
    const parse = (): never => {
      throw new Error('no list of countries');
    };
    const tool = toolWith({ jsonSchema: { type: 'object' }, parse });
    const read = validateCall({ id: 'c', name: 'find_notes', args: {} }, [tool]);
    expect(read).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('no list of countries'),
    });
  });
});

test('a wrong call names only the arguments that its model was told of', () => {
  const message = (isAlone: boolean): string => {
    const call = { id: 'c', name: 'run_cmd', args: { wrong: 1 } };
    const read = validateCall(call, everyBuiltinTool(), isAlone);
    return read.kind === 'invalid' ? read.message : '';
  };
  expect(message(false)).toContain('background?: boolean');
  expect(message(true)).toContain('cwd?: string}');
});
