import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { walkOf } from '../../../src/lib/schemas/walk.ts';
import { JournalRecord } from '../../../src/schema/records.ts';
import { dice, fc } from '../../support/dice.ts';
import { sampleOf } from '../../support/sample-of.ts';
import { someKills } from '../../support/some-kills.ts';

const isRecord = walkOf(JournalRecord).fits;
const SAMPLES = JournalRecord.options.map(
  (option) => sampleOf(option, 'text') as Record<string, unknown>,
);

/** What may stand where something else belongs. */
const ODD: readonly unknown[] = [
  undefined,
  null,
  0,
  -1,
  1.5,
  2 ** 60,
  '',
  'text',
  'ok',
  true,
  [],
  [null],
  [{}],
  {},
  { text: 1 },
  { kind: 'success' },
  JSON.parse('{"__proto__":7}'),
];

/** Every place in a value, as the keys that lead to it. */
function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...at, key]))];
}

function changedAt(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string, unknown>;
  const inner = changedAt(copy[key], rest, by);
  if (inner === undefined) delete copy[key];
  else copy[key] = inner;
  return copy;
}

test('every kind of record fits, without asking zod', () => {
  for (const sample of SAMPLES)
    expect([sample.type, isRecord(sample)]).toEqual([sample.type, true]);
});

test('whatever stands at any place of any record: a yes is what zod says too', () => {
  let refused = 0;
  let turn = 0;
  for (const sample of SAMPLES) {
    for (const place of placesIn(sample)) {
      turn += 1;
      for (const odd of someKills(ODD, 4, turn)) {
        const record = changedAt(sample, place, odd);
        const { success } = JournalRecord.safeParse(record);
        if (!success) refused += 1;
        // Not the other way round: what zod alone takes is asked of zod.
        if (isRecord(record))
          expect(success, JSON.stringify({ place, odd: String(odd), record })).toBe(true);
      }
    }
  }
  expect(refused).toBeGreaterThan(500);
});

test('two changes at once, anywhere', () => {
  const odd = fc.oneof(fc.constantFrom(...ODD), fc.jsonValue());
  const change = fc.record({ at: fc.nat(), odd });
  fc.assert(
    fc.property(fc.constantFrom(...SAMPLES), change, change, (sample, one, other) => {
      let record: unknown = sample;
      for (const { at, odd: by } of [one, other]) {
        const places = placesIn(record);
        record = changedAt(record, places[at % places.length] ?? [], by);
      }
      return !isRecord(record) || JournalRecord.safeParse(record).success;
    }),
    { numRuns: dice(150, 400) },
  );
});

describe('what is not known here is asked of zod', () => {
  test.each([
    ['a text with a rule', z.string().min(2), 'ab', 'a'],
    ['a number with a rule', z.number().int().min(3), 3, 2],
    [
      'a rule on an object',
      z.object({ a: z.number() }).refine(({ a }) => a > 1),
      { a: 2 },
      { a: 1 },
    ],
    ['a strict object', z.strictObject({ a: z.number() }), { a: 1 }, { a: 1, b: 1 }],
    ['keys with a rule', z.record(z.string().max(1), z.number()), { a: 1 }, { ab: 1 }],
    ['a pair', z.tuple([z.number(), z.string()]), [1, 'a'], ['a', 1]],
    ['a list with a bound', z.array(z.number()).max(1), [1], [1, 2]],
    ['a format', z.email(), 'a@example.org', 'a'],
    ['a default', z.object({ a: z.number().default(1) }), {}, { a: 'a' }],
    ['a changed value', z.string().transform((text) => text.length), 'a', 1],
  ])('%s', (_what, schema, good, bad) => {
    expect(walkOf(schema).fits(good)).toBe(true);
    expect(walkOf(schema).fits(bad)).toBe(false);
  });
});

test('a list that is filled in is one of its own, as with zod', () => {
  const { copy } = walkOf(z.object({ list: z.array(z.string()).default([]) }));
  const [one, other] = [copy({}), copy({})] as { list: string[] }[];
  one?.list.push('a');
  expect(other).toEqual({ list: [] });
});
