import { expect, test } from 'vitest';
import { schemaGrammar } from '../../../src/llm/embedded/schema-grammar.ts';

const rules = (schema: Parameters<typeof schemaGrammar>[0]): Record<string, string> =>
  Object.fromEntries(
    schemaGrammar(schema)
      .split('\n')
      .map((line) => line.split(' ::= ') as [string, string]),
  );

test('keys come in the order of the schema, and no others', () => {
  const { root } = rules({
    type: 'object',
    properties: { b: { type: 'string' }, a: { type: 'integer' } },
    required: ['a', 'b'],
  });
  expect(root).toBe(
    String.raw`"{" "\"b\"" ":" space root-k0 "," space "\"a\"" ":" space root-k1 "}"`,
  );
});

test('many optional keys do not double the time with each', () => {
  const keys = Array.from({ length: 60 }, (_, at) => `k${at}`);
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'null' as const }]));
  expect(Object.keys(rules({ type: 'object', properties }))).toContain('root-k59');
});

test('an optional key may be left out, first, last or in between', () => {
  const { root } = rules({
    type: 'object',
    properties: { a: { type: 'null' }, b: { type: 'null' }, c: { type: 'null' } },
    required: ['b'],
  });
  const a = String.raw`"\"a\"" ":" space root-k0`;
  const b = String.raw`"\"b\"" ":" space root-k1`;
  const c = String.raw`("," space "\"c\"" ":" space root-k2)?`;
  expect(root).toBe(`"{" (${a} "," space ${b} ${c} | ${b} ${c}) "}"`);
});

test('alternatives, constants and enums become choices', () => {
  expect(rules({ anyOf: [{ const: 'say "hi"' }, { enum: [1, 'two', null] }] })).toMatchObject({
    root: '(root-0 | root-1)',
    'root-0': String.raw`"\"say \\\"hi\\\"\""`,
    'root-1': String.raw`("1" | "\"two\"" | "null")`,
  });
});

test.each([
  [{}, String.raw`"\"" char* "\""`],
  [{ minLength: 1, maxLength: 60 }, String.raw`"\"" char{1,60} "\""`],
  [{ minLength: 2 }, String.raw`"\"" char{2,} "\""`],
  [{ maxLength: 0 }, String.raw`"\""  "\""`],
  [{ minLength: 1, maxLength: 100_000 }, String.raw`"\"" char{1,} "\""`],
])('a string with %j is %s', (bounds, expected) => {
  expect(rules({ type: 'string', ...bounds }).root).toBe(expected);
});

test.each([
  [{}, '"[" (root-i ("," space root-i)*)? "]"'],
  [{ minItems: 1, maxItems: 3 }, '"[" root-i ("," space root-i){0,2} "]"'],
  [{ minItems: 2, maxItems: 2 }, '"[" root-i ("," space root-i){1,1} "]"'],
  [{ maxItems: 1 }, '"[" (root-i)? "]"'],
  [{ maxItems: 0 }, '"[" "]"'],
])('an array with %j is %s', (bounds, expected) => {
  expect(rules({ type: 'array', items: { type: 'boolean' }, ...bounds }).root).toBe(expected);
});

test('what has no grammar is refused with its place', () => {
  expect(() => schemaGrammar({ type: 'object', properties: { a: { type: 'date' } } })).toThrow(
    'root-k0',
  );
});
