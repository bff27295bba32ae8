import { expect, test } from 'vitest';
import { ALIASES, COMMANDS as HELD, OPTIONS as LISTED } from '../../src/cli/command-line.ts';
import { COMMANDS } from '../../src/options/commands.ts';
import { longFlag, OPTIONS, optionsOf, rowsOf } from '../../src/options/table.ts';

test('the table has the flags of the command line, in its order, for its commands', () => {
  const typed = rowsOf(OPTIONS).filter(([, { flag }]) => flag !== undefined);
  expect(typed.map(([, { flag }]) => flag)).toEqual(LISTED.map(({ flags }) => flags));
  for (const [name, { flag, on, about, kind }] of typed) {
    const {
      on: taking,
      isRepeatable = false,
      ...listed
    } = LISTED.find((one) => one.flags === flag)!;
    expect([...(on ?? '')], name).toEqual([...taking]);
    expect(kind.typed === 'values', name).toBe(isRepeatable);
    expect(kind.typed === 'nothing', name).toBe(!listed.flags.includes('<'));
    if (!about?.includes('{')) expect(about).toBe(listed.about);
  }
  const also = rowsOf(OPTIONS).flatMap(([, row]) =>
    (row.also ?? []).map((word) => [word, longFlag(row)]),
  );
  expect(Object.fromEntries(also)).toEqual(ALIASES);
});

test('the table has the commands, and ask takes the options of a run', () => {
  expect(Object.entries(COMMANDS).map(([name, { about }]) => [name, about])).toEqual(
    Object.entries(HELD),
  );
  expect(optionsOf('ask')).toEqual(optionsOf('run'));
});
