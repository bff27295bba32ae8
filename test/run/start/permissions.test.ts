import { expect, it } from 'vitest';
import { recordBuildsOnce } from '../../../src/run/start/permissions.ts';

const SCRIPTS = '{"scripts":{"build":"node build.mjs"}}';

/** What is recorded of the build files of a folder. */
function recorded(state: object, text: string | null = SCRIPTS): readonly string[] {
  const records: { readonly type: string }[] = [];
  const context = {
    state: { counters: { actions: 0 }, ...state },
    record: (one: { readonly type: string }) => void records.push(one),
  };
  recordBuildsOnce({ context, world: { readText: () => text, foldersHolding: () => [] } } as never);
  return records.map(({ type }) => type);
}

it.each([
  { what: 'before it acts', state: {}, records: ['builds_taken'] },
  { what: 'once it acts', state: { counters: { actions: 1 } }, records: [] },
  { what: 'a second time', state: { permissions: { taken: {} } }, records: [] },
  {
    what: 'once another one has it',
    state: { counters: { actions: 1 }, adopted: {} },
    records: ['builds_taken'],
  },
])('a run takes build files for the ones that are there: $what', ({ state, records }) => {
  expect(recorded(state)).toEqual(records);
});

it('a run without build files records none', () => {
  expect(recorded({}, null)).toEqual([]);
});
