import { afterAll, describe, expect, test } from 'vitest';
import { completionAnswer } from '../../../src/cli/completion/answer.ts';
import { SCRIPTS } from '../../../src/cli/completion/command.ts';
import { main } from '../../../src/cli/main.ts';
import { COMMANDS, type CommandTable, SHELLS } from '../../../src/options/commands.ts';
import { choice } from '../../../src/options/kinds.ts';
import { longFlag, OPTIONS, type OptionTable, optionsOf } from '../../../src/options/table.ts';
import { fakeEngine, fakeTerminal } from '../support.ts';
import { isThere, Shells } from './shells.ts';

/** The tables with one more row each, and nothing else anywhere. */
const TABLE: OptionTable = {
  ...OPTIONS,
  patience: {
    kind: choice(['calm', 'hasty'], 'patience'),
    flag: '--patience <how>',
    on: ['run', 'ponder' as 'run'],
    about: 'how patient it is',
  },
};
const MORE: CommandTable = { ...COMMANDS, ponder: { about: 'Think about it', group: 'first' } };
const WIDER = { options: TABLE, commands: MORE };

const shells = new Shells();
afterAll(() => shells.remove());

const dotted = (words: readonly string[]): readonly string[] => words.map((word) => `.${word}`);
const answer = (words: readonly string[]): string => completionAnswer(dotted(words), WIDER);
const wordsIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0] ?? '');

test.each<[words: readonly string[], offered: readonly string[]]>([
  [['pon'], ['ponder']],
  [['repai'], []],
  [['repair', '--fo'], ['--force-unlock']],
  [['ponder', '--pati'], ['--patience']],
  [['ask', '--pati'], ['--patience']],
  [['resume', '--pati'], []],
  [['run', '--model', 'resume', '--pati'], ['--patience']],
  [['Write it', '--pati'], ['--patience']],
  [['--pati'], ['--patience']],
  [['--exe'], ['--exec']],
  [
    ['run', '--patience', ''],
    ['calm', 'hasty'],
  ],
  [['run', '--tool-mode=n'], ['--tool-mode=native']],
  [['run', '--max-rounds', 'fo'], []],
  [['-w', 'fo'], [':folders']],
  [['chat', '--load', 'fo'], [':files']],
  [['chat', '--load=fo'], [':files']],
  [['diff', 'fo'], [':files']],
  [['setup', 'e'], ['embedded']],
  [['mcp', 'ap'], ['approve']],
  [['completion', 'p'], ['powershell']],
  [['Write it', 'fo'], []],
  [['--', 'fo'], []],
  // As bash takes an option and its value apart.
  [
    ['run', '--patience', '='],
    ['calm', 'hasty'],
  ],
  [['--patience', '=', 'h'], ['hasty']],
  [['--patience', '=', 'calm', 'resume', '--forc'], ['--force-unlock']],
])('what may stand behind %j is what the tables say', (words, offered) => {
  expect(wordsIn(answer(words))).toEqual(offered);
});

test('each option of each command is offered, and no other', () => {
  for (const name of Object.keys(COMMANDS)) {
    const flags = optionsOf(name).map(([, row]) => longFlag(row));
    const found = wordsIn(completionAnswer(dotted([name, '--']))).toSorted();
    expect([name, found]).toEqual([name, [...flags, '--help'].sort()]);
  }
});

test('the program answers it to whoever asks, with what each word is about', async () => {
  const terminal = fakeTerminal({});
  const asked = ['__complete', '.setup', '.e'];
  expect(await main(asked, terminal, async () => fakeEngine())).toBe(0);
  expect(terminal.stdout.text()).toBe('embedded\t\n');
  expect(answer(['pon'])).toBe('ponder\tThink about it\n');
});

const CASES: readonly (readonly [words: readonly string[], found: readonly string[]])[] = [
  [['pon'], ['ponder']],
  [[''], wordsIn(answer([''])).toSorted()],
  [['Write it', '--pati'], ['--patience']],
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
    ['chat', '--load=fo'],
    ['folder', 'folder.txt'],
  ],
];

describe.each(SHELLS)('%s', (shell) => {
  const without = isThere(shell) ? '' : `: skipped, ${shell} is not on the PATH`;
  test.skipIf(without !== '')(`asks the program, and offers what it says${without}`, async () => {
    for (const [words, offered] of CASES) {
      // PowerShell offers files wherever nothing is offered.
      if (shell === 'powershell' && offered.length === 0) continue;
      const told = answer(words);
      const { asked, found } = await shells.offers(
        shell,
        SCRIPTS[shell],
        ['agent', ...words],
        told,
      );
      expect([words, found]).toEqual([words, offered]);
      // PowerShell hands on a quoted word with its quotes.
      if (shell !== 'powershell') expect(asked).toEqual(['__complete', ...dotted(words)]);
    }
  });

  test.skipIf(without !== '')(`takes what it says for nothing but text${without}`, async () => {
    const nasty = ['$(touch owned)', '`touch owned`', "it's", '*', '~', '-n', '"'];
    const told = nasty.map((word) => `${word}\t${word}\n`).join('');
    const { found } = await shells.offers(shell, SCRIPTS[shell], ['agent', ''], told);
    if (shell === 'bash' || shell === 'zsh') expect(found).toEqual([...nasty].sort());
    expect(found).not.toContain('owned');
  });
});

test.skipIf(!isThere('bash'))('bash lists words with what they are about', async () => {
  const listed = { COMP_TYPE: '63', COLUMNS: '10000' };
  const told = 'more\tplain\nrun\ttold\n';
  const { found } = await shells.offers('bash', SCRIPTS.bash, ['agent', ''], told, listed);
  expect(found).toEqual([`${'more'.padEnd(24)} plain`, `${'run'.padEnd(24)} told`]);
});
