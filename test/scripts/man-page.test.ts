import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { manPage, roff } from '../../scripts/lib/man-page.ts';
import { COMMANDS } from '../../src/options/commands.ts';
import { flag } from '../../src/options/kinds.ts';
import { OPTIONS, type OptionTable } from '../../src/options/table.ts';

const hasGroff = (process.env.PATH ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'groff')));

const TABLE: OptionTable = {
  ...OPTIONS,
  patience: { kind: flag(), flag: '--patience', on: ['run'], about: '.so \\x ’' },
};

test('a new option and a new command are in the manual page, as text alone', () => {
  const page = manPage('1.2.3', TABLE, {
    ...COMMANDS,
    ponder: { about: 'Think about it', group: 'look' },
  });
  expect(page).toContain('\n.TP\n\\fB\\-\\-patience\\fR\n\\&.so \\(rsx \\[u2019]\n');
  expect(page).toContain('\n.TP\n\\fBponder\\fR\nThink about it\n');
  expect(page).toContain('\\-m, \\-\\-model <model>');
  // The demo has an option of the same name that takes no address.
  expect(page).toContain('\\fB\\-\\-fleet <address>\\fR\nthe fleet');
  expect(roff("'a")).toBe("\\&'a");
});

test.skipIf(!hasGroff)('groff sets it without a warning', async () => {
  const { stdout, stderr } = await execa('groff', ['-man', '-Tutf8', '-ww'], {
    input: manPage('1.2.3', TABLE),
  });
  expect(stderr).toBe('');
  expect(stdout).toContain('.so \\x ’');
});
