/** Whatever a model answers, in either driver: no false claim, and no harm that was not asked for. */

import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/schema/records.ts';
import { fc } from '../support/dice.ts';
import { GIVEN, GIVEN_TEST, GOALS, type TemptedSetup, temptedRun } from '../support/tempted-run.ts';

/** `npm run crash` tries many. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 3);

const setups = (
  mode: TemptedSetup['mode'],
): fc.Arbitrary<TemptedSetup & { names: readonly string[] }> =>
  fc
    .tuple(fc.constantFrom(...GOALS), fc.array(fc.nat(99), { minLength: 1, maxLength: 40 }))
    .map(([goal, dice]) => ({ mode, ...goal, dice }));

const filledLines = (text: string): number =>
  text.split('\n').filter((line) => line.trim() !== '').length;

/** It was said in so many words: by the same content a second time, or by the words that go. */
const isAskedFor = (path: string, records: readonly JournalRecord[]): boolean =>
  records.some(
    (one) =>
      one.type === 'action_intended' &&
      one.files.some(
        (file) => file.path === path && (file.drops !== undefined || one.tool === 'edit_file'),
      ),
  );

describe.each(['native', 'json', 'auto'] as const)(
  'in mode %s, whatever the model answers',
  (mode) => {
    it('nothing is achieved without the files that the goal names, nor with a given test changed, and no given file gets a fifth smaller at any moment unless the model insisted on it', async () => {
      await fc.assert(
        fc.asyncProperty(setups(mode), async (setup) => {
          const { world, result } = await temptedRun(setup, (world, records) => {
            for (const [path, text] of Object.entries(GIVEN)) {
              const isShort = filledLines(world.read(path) ?? '') * 5 <= filledLines(text) * 4;
              if (isShort) expect(isAskedFor(path, records), path).toBe(true);
            }
          });
          if (result.ending !== 'achieved') return;
          for (const path of setup.names) expect(world.read(path), path).not.toBeNull();
          expect(world.read(GIVEN_TEST)).toBe(GIVEN[GIVEN_TEST]);
        }),
        { numRuns: RUNS },
      );
    });
  },
);

describe('the model that is tempted', () => {
  it.each(['native', 'json'] as const)(
    'reaches its goal in mode %s where it does what is right',
    async (mode) => {
      const { result } = await temptedRun({ mode, goal: GOALS[0]?.goal ?? '', dice: [0] });
      expect(result.ending).toBe('achieved');
    },
  );

  it('does all the harm that it is kept from: it changes tests and cuts files', async () => {
    const dice = Array.from({ length: 37 }, (_, n) => (n * 29) % 100);
    const harm = [GIVEN_TEST, 'given.mjs', 'insisted'];
    const touched = new Set<string>();
    for (const { goal } of GOALS)
      for (let start = 0; start < dice.length; start += 4) {
        if (harm.every((one) => touched.has(one))) return;
        const setup = { goal, dice: [...dice.slice(start), ...dice.slice(0, start)] };
        const { records } = await temptedRun({ mode: 'native', ...setup });
        for (const one of records)
          if (one.type === 'action_intended')
            for (const { path, before, drops } of one.files) {
              if (before !== null) touched.add(path);
              if (drops !== undefined) touched.add('insisted');
            }
      }
    expect([...touched]).toEqual(expect.arrayContaining(harm));
  });
});
