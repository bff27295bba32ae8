import { expect, test } from 'vitest';
import { PROVIDERS } from '../../src/host/providers/providers.ts';
import { COMMAND_NAMES, commandRow } from '../../src/options/commands.ts';
import { flagWords, OPTIONS, optionsOf, rowsIn } from '../../src/options/table.ts';

test('no word of a flag is two options of one command', () => {
  for (const name of COMMAND_NAMES) {
    const words = optionsOf(name).flatMap(([, row]) => flagWords(row));
    expect(words, name).toEqual([...new Set(words)]);
  }
});

test('every option can be given somehow, and what can be typed says what for', () => {
  for (const [name, row] of rowsIn(OPTIONS)) {
    expect(row.flag ?? row.setting ?? row.variable ?? row.library, name).toBeDefined();
    if (row.flag !== undefined) expect(row.about, name).not.toBe('');
    expect(row.flag === undefined, name).toBe(row.on === undefined);
    if (row.setting !== undefined) expect(row.inFile, name).not.toBe('');
    expect(row.project === undefined || row.setting !== undefined, name).toBe(true);
    if (row.project === 'narrow') expect(row.kind.isStricter, name).toBeDefined();
    expect((row.flag ?? '<').includes('<'), name).toBe(
      row.flag === undefined || row.kind.typed !== 'nothing',
    );
  }
});

test('ask takes the options of a run', () => {
  expect(optionsOf('ask')).toEqual(optionsOf('run'));
});

test('every command says what it is for', () => {
  for (const name of COMMAND_NAMES) expect(commandRow(name).about, name).not.toBe('');
});

test('what the table leaves to providers, one of them says', () => {
  const said = Object.values(PROVIDERS).flatMap((row) => Object.keys(row));
  const left = rowsIn(OPTIONS).flatMap(([, { variable }]) =>
    typeof variable === 'object' ? [variable.ofProvider] : [],
  );
  expect(left.length).toBeGreaterThan(0);
  for (const field of left) expect(said).toContain(field);
});
