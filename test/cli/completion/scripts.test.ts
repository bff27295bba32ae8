import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { SCRIPTS } from '../../../src/cli/completion/command.ts';
import { offeredBy } from '../../../src/cli/completion/offered.ts';
import { powershellQuoted } from '../../../src/cli/completion/powershell.ts';
import { oneLine } from '../../../src/lib/text/plain-text.ts';
import { COMMANDS, type CommandTable, SHELLS } from '../../../src/options/commands.ts';
import { choice, flag } from '../../../src/options/kinds.ts';
import { longFlag, OPTIONS, type OptionTable, optionsOf } from '../../../src/options/table.ts';
import { isThere, Shells } from './shells.ts';

/** The tables with one more row each, and nothing else anywhere. */
const TABLE: OptionTable = {
  ...OPTIONS,
  patience: {
    kind: choice(['calm', 'hasty'], 'patience'),
    group: 'limits',
    flag: '--patience <how>',
    on: ['run', 'ponder' as 'run'],
    about: 'how patient it is',
  },
};
const MORE: CommandTable = { ...COMMANDS, ponder: { about: 'Think about it', group: 'first' } };
const OFFERED = offeredBy(TABLE, MORE);

const shells = new Shells();
afterAll(() => shells.remove());

test.each(SHELLS)('a new option and a new command are in the script for %s', (shell) => {
  const script = SCRIPTS[shell](OFFERED);
  for (const part of ['patience', 'how patient it is', 'calm', 'hasty', 'ponder', 'Think about it'])
    expect(script).toContain(part);
});

const CASES: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [['pon'], ['ponder']],
  [['repai'], []],
  [['repair', '--fo'], ['--force-unlock']],
  [['ponder', '--pa'], ['--patience']],
  [['ask', '--pa'], ['--patience']],
  [['resume', '--pa'], []],
  [['run', '--model', 'resume', '--pa'], ['--patience']],
  [['Write it', '--pa'], ['--patience']],
  [['--pa'], ['--patience']],
  [['--exe'], ['--exec']],
  [
    ['run', '--patience', ''],
    ['calm', 'hasty'],
  ],
  [['run', '--tool-mode=n'], ['native']],
  [['run', '--max-rounds', 'fo'], []],
  [['-w', 'fo'], ['folder']],
  [
    ['chat', '--load', 'fo'],
    ['folder', 'folder.txt'],
  ],
  [
    ['diff', 'fo'],
    ['folder', 'folder.txt'],
  ],
  [['setup', 'e'], ['embedded']],
  [['mcp', 'ap'], ['approve']],
  [['completion', 'p'], ['powershell']],
  [['Write it', 'fo'], []],
  [['--', 'fo'], []],
];

describe.each(SHELLS)('%s', (shell) => {
  const without = isThere(shell) ? '' : `: skipped, ${shell} is not on the PATH`;
  test.skipIf(without !== '')(`offers what the tables say${without}`, async () => {
    for (const [words, offered] of CASES) {
      // PowerShell offers files wherever nothing is offered.
      if (shell === 'powershell' && offered.length === 0) continue;
      const found = await shells.offers(shell, SCRIPTS[shell](OFFERED), ['agent', ...words]);
      expect([words, found]).toEqual([words, offered]);
    }
  });
});

const hasBash = isThere('bash');

test.skipIf(!hasBash)('bash offers each option of each command, and no other', async () => {
  for (const name of Object.keys(COMMANDS)) {
    const flags = optionsOf(name).map(([, row]) => longFlag(row));
    const found = await shells.offers('bash', SCRIPTS.bash(offeredBy()), ['agent', name, '--']);
    expect([name, found]).toEqual([name, [...flags, '--help'].sort()]);
  }
});

test.skipIf(!hasBash)('bash that takes a value apart from its option is understood', async () => {
  const script = SCRIPTS.bash(OFFERED);
  expect(await shells.offers('bash', script, ['agent', 'run', '--patience', '='])).toEqual([
    ...['calm', 'hasty'],
  ]);
  expect(await shells.offers('bash', script, ['agent', '--patience', '=', 'h'])).toEqual(['hasty']);
  const behind = ['agent', '--patience', '=', 'calm', 'resume', '--forc'];
  expect(await shells.offers('bash', script, behind)).toEqual(['--force-unlock']);
});

/** What a shell could take for something else. */
const nasty = fc
  .array(
    fc.constantFrom(
      ...["'", "''", '"', '\\', '`touch owned`', '$(touch owned)', '$HOME', ';touch owned;', '!!'],
      ...[
        '\n',
        ' ',
        '*',
        '{a,b}',
        '~',
        '#',
        '(',
        ')',
        '|',
        '&',
        '<',
        '%s',
        '[',
        '-n',
        ':',
        '’',
        'é',
      ],
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const nastyTables = fc
  .tuple(nasty, nasty, nasty)
  .map(([about, word, told]): readonly [OptionTable, CommandTable] => [
    {
      nasty: { kind: flag(), group: 'work', flag: '--nasty', on: 'all', about },
      other: {
        kind: choice([`a${word}`], 'word'),
        group: 'work',
        flag: '--other <word>',
        on: ['run'],
        about: 'plain',
      },
    },
    { run: { about: told, group: 'first' }, more: { about: 'plain', group: 'first' } },
  ]);

test.skipIf(!hasBash)('what descriptions and values hold is nothing to bash but text', async () => {
  const listed = { COMP_TYPE: '63', COLUMNS: '10000', LC_ALL: 'C.UTF-8' };
  const line = (name: string, about: string) => `${name.padEnd(24)} ${oneLine(about)}`;
  await fc.assert(
    fc.asyncProperty(nastyTables, async ([table, commands]) => {
      const script = SCRIPTS.bash(offeredBy(table, commands));
      const ask = (...words: string[]) =>
        shells.offers('bash', script, ['agent', ...words], listed);
      const told = oneLine(commands.run?.about ?? '');
      expect(await ask('')).toEqual([
        line('more', 'plain'),
        told === '' ? 'run' : line('run', told),
      ]);
      const about = oneLine(table.nasty?.about ?? '');
      const flags = await ask('run', '--');
      expect(flags).toContain(about === '' ? '--nasty' : line('--nasty', about));
      const word = String(table.other?.kind.offers?.[0]);
      expect(await ask('run', '--other', '')).toEqual([word.replace(/(?<=.)\/$/, '')]);
    }),
    { numRuns: 25 },
  );
  expect(readdirSync(shells.cwd).sort()).toEqual(['folder', 'folder.txt']);
});

describe.each(['zsh', 'fish'] as const)('to %s', (shell) => {
  test.skipIf(!isThere(shell))('what they hold is nothing but text', async () => {
    await fc.assert(
      fc.asyncProperty(nastyTables, async ([table, commands]) => {
        const script = SCRIPTS[shell](offeredBy(table, commands));
        expect(await shells.offers(shell, script, ['agent', 'run', '--nas'])).toEqual(['--nasty']);
        expect(await shells.offers(shell, script, ['agent', ''])).toEqual(['more', 'run']);
      }),
      { numRuns: 10 },
    );
    expect(readdirSync(shells.cwd).sort()).toEqual(['folder', 'folder.txt']);
  });
});

test('to PowerShell every quote is doubled, and what is not ASCII stands by its number', () => {
  expect(powershellQuoted("it's $(x) `n")).toBe("'it''s $(x) `n'");
  expect(powershellQuoted('it’s')).toBe("(-join @('it', [char]0x2019, 's'))");
  expect(powershellQuoted('’')).toBe('(-join @([char]0x2019))');
  expect(powershellQuoted('')).toBe("''");
});
