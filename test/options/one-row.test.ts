import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tables } from '../../scripts/lib/option-tables.ts';
import { parseArguments } from '../../src/cli/command-line/arguments.ts';
import { checkInvocation } from '../../src/cli/command-line/invocation.ts';
import { configForm, configSchema, optionsInFile } from '../../src/host/config/form.ts';
import { whole } from '../../src/options/kinds.ts';
import {
  filled,
  optionNamesFor,
  optionsForCall,
  settledFor,
} from '../../src/options/option-values.ts';
import { checkOptions, optionsFromVariables, wordsFor } from '../../src/options/read.ts';
import { OPTIONS, type OptionTable } from '../../src/options/table.ts';

/** The table with one more row, and nothing else anywhere. */
const TABLE: OptionTable = {
  ...OPTIONS,
  patience: {
    kind: whole(1, 9),
    isLimit: true,
    flag: '--patience <n>',
    on: ['run', 'config'],
    about: 'how patient it is',
    setting: 'limits.patience',
    inFile: 'How patient a run is.',
    project: 'narrow',
    variable: 'TARDIGRADE_PATIENCE',
    library: 'run',
    usual: 3,
    isRepeated: true,
  },
};

let cwd = '';
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'one-row-'));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function typed(...argv: string[]) {
  const parsed = await parseArguments(argv, 80, TABLE);
  if (parsed.kind !== 'command') throw new Error(parsed.kind);
  return checkInvocation(parsed, cwd, TABLE);
}

test('a row is an option that can be typed, with its range and its help', async () => {
  const invocation = await typed('--patience', '4', 'Write it');
  expect(invocation).toMatchObject({ patience: 4, goal: 'Write it' });
  await expect(typed('--patience', '10', 'Write it')).rejects.toThrow(
    '--patience must be a whole number from 1 to 9, not "10".',
  );
  await expect(typed('status', '--patience', '4')).rejects.toThrow("Unknown option '--patience'");
  const help = await parseArguments(['run', '--help'], 80, TABLE);
  expect(help).toMatchObject({ text: expect.stringMatching(/--patience <n> +how patient it is/) });
  expect(
    wordsFor({ patience: 4, json: true }, ({ isRepeated }) => isRepeated === true, TABLE),
  ).toEqual(['--patience', '4']);
});

test('it is a setting of a file, with its line in the schema of editors', () => {
  const form = configForm(TABLE);
  const read = (patience: unknown) => form.safeParse({ limits: { patience } });
  expect(read(10).success).toBe(false);
  expect(optionsInFile(read(5).data ?? {}, TABLE)).toEqual({ patience: 5 });
  expect(configSchema(TABLE)).toMatchObject({
    properties: {
      limits: { properties: { patience: { maximum: 9, description: 'How patient a run is.' } } },
    },
  });
});

test('it is a variable, and what was typed goes before it', async () => {
  const variables = optionsFromVariables({ TARDIGRADE_PATIENCE: '6' }, TABLE);
  expect(variables).toEqual({ patience: 6 });
  expect(() => optionsFromVariables({ TARDIGRADE_PATIENCE: 'much' }, TABLE)).toThrow(
    'TARDIGRADE_PATIENCE must be a whole number',
  );
  expect(filled(await typed('Write it'), variables, TABLE)).toMatchObject({ patience: 6 });
  expect(filled(await typed('--patience', '4', 'Write it'), variables, TABLE)).toMatchObject({
    patience: 4,
  });
});

test('it is an option of the library, and flows on to the engine', async () => {
  expect(() => checkOptions({ patience: 0 }, TABLE)).toThrow('patience is 0');
  const invocation = await typed('--patience', '4', '--json', 'Write it');
  expect(optionsForCall('run', invocation, TABLE)).toEqual({ patience: 4 });
  expect(optionsForCall('chat', invocation, TABLE)).toEqual({});
  expect([optionNamesFor('run', TABLE).patience, optionNamesFor('chat', TABLE).patience]).toEqual([
    true,
    undefined,
  ]);
  expect(settledFor('run', {}, TABLE)).toMatchObject({ patience: 3 });
  expect(settledFor('run', invocation, TABLE)).toMatchObject({ patience: 4 });
});

test('it is a row of the docs', () => {
  const { options, typed: rows } = tables(TABLE, new Map());
  expect(rows).toContain('| `--patience <n>` | run, config | how patient it is |');
  expect(options.find((row) => row.startsWith('| `patience`'))).toBe(
    '| `patience` | `--patience` | `limits.patience`; a project may narrow it | `TARDIGRADE_PATIENCE` | run | 3 | 1 to 9 | in the printed command |',
  );
});
