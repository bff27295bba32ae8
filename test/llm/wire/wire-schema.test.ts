import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toWireParameters, toWireSchema } from '../../../src/llm/wire/wire-schema.ts';
import type { JsonSchema } from '../../../src/schema/model/turn.ts';

const fromZod = (schema: z.ZodType) => toWireSchema(z.toJSONSchema(schema) as JsonSchema);

describe('a schema on its way to a backend', () => {
  it('keeps what a grammar understands, in its order', () => {
    const schema = {
      type: 'object',
      properties: {
        b: { enum: ['x', 'y'] },
        a: { type: 'string', maxLength: 80 },
        list: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 3 },
      },
      required: ['b'],
      additionalProperties: false,
    };
    expect(JSON.stringify(toWireSchema(schema))).toBe(JSON.stringify(schema));
  });

  it('loses patterns, defaults, unknown formats and bounds that break a grammar', () => {
    const wire = fromZod(
      z.object({
        email: z.email(),
        digits: z.string().regex(/\d+/),
        long: z.string().max(5000),
        n: z.int(),
        retries: z.number().default(3),
        day: z.iso.date(),
      }),
    );
    const text = JSON.stringify(wire);
    expect(text).not.toMatch(/pattern|default|\$schema|9007199254740991|maxLength|"email"},/);
    expect(wire).toMatchObject({ properties: { day: { format: 'date' }, n: { type: 'integer' } } });
  });

  it('has its references inlined; a recursive one allows anything', () => {
    const wire = toWireSchema({
      type: 'object',
      properties: {
        file: { $ref: '#/$defs/file' },
        tree: { $ref: '#/$defs/tree' },
        me: { $ref: '#' },
      },
      $defs: {
        file: { type: 'object', properties: { path: { type: 'string', pattern: 'x' } } },
        tree: { type: 'object', properties: { children: { $ref: '#/$defs/tree' } } },
      },
    });
    expect(wire).toEqual({
      type: 'object',
      properties: {
        file: { type: 'object', properties: { path: { type: 'string' } } },
        tree: { type: 'object', properties: { children: {} } },
        me: {},
      },
    });
  });

  it('has references inlined only so far that it stays small, and the rest allows anything', () => {
    const twice = (name: string) => ({
      type: 'object',
      properties: { one: { $ref: `#/$defs/${name}` }, other: { $ref: `#/$defs/${name}` } },
    });
    const names = Array.from({ length: 200 }, (_, index) => `d${index}`);
    const $defs = Object.fromEntries(names.map((name, at) => [name, twice(`d${at + 1}`)]));
    const wire = toWireSchema({
      type: 'object',
      properties: { wide: { $ref: '#/$defs/d0' }, path: { type: 'string' } },
      $defs,
    });
    expect(JSON.stringify(wire).length).toBeLessThan(200_000);
    expect(wire).toMatchObject({
      properties: { wide: { properties: { one: { type: 'object' } } }, path: { type: 'string' } },
    });
  });

  it('finds a reference by its name as it is written, also where that is no address', () => {
    const wire = toWireSchema({
      properties: { a: { $ref: '#/$defs/100%' }, b: { $ref: '#/$defs/a%20b' } },
      $defs: { '100%': { type: 'number' }, 'a b': { type: 'string' } },
    });
    expect(wire).toEqual({ properties: { a: { type: 'number' }, b: { type: 'string' } } });
  });

  it('says unions, constants and tuples in the common words', () => {
    const wire = fromZod(
      z.discriminatedUnion('action', [
        z.object({ action: z.literal('a'), pair: z.tuple([z.string(), z.boolean()]) }),
        z.object({ action: z.literal('b') }),
      ]),
    );
    expect(wire).toMatchObject({
      anyOf: [
        {
          properties: {
            action: { enum: ['a'] },
            pair: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } },
          },
        },
        { properties: { action: { enum: ['b'] } } },
      ],
    });
  });

  it('keeps properties whose names are keywords', () => {
    const wire = toWireSchema({
      type: 'object',
      properties: { pattern: { type: 'string' }, default: { type: 'string' } },
      required: ['pattern'],
    });
    expect(wire).toMatchObject({ properties: { pattern: { type: 'string' }, default: {} } });
  });

  it("a tool's parameters are always an object with properties", () => {
    expect(toWireParameters({})).toEqual({ type: 'object', properties: {} });
  });
});
