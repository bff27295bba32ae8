import { expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { fakeEngine, fakeTerminal } from './support.ts';

test('undo names commits as what stays in the history of git, and not as something outside', async () => {
  const commands = ['python clean.py', 'git -C . commit -m "a b" (commit 0d53dd7)'];
  const engine = fakeEngine({
    parts: {
      undo: async () => ({
        ...{ outcome: 'undone', restored: ['a.txt'], removed: [], leftAlone: [] },
        ...{ foldersRemoved: [], foldersLeft: [], commands },
        byCommands: { uncovered: [], replaced: [] },
      }),
    },
  });
  const env = { LANG: 'C.UTF-8', NO_COLOR: '1' };
  const terminal = fakeTerminal({ env, isTerminal: true, answer: 'y' });
  await main(['undo'], terminal, () => Promise.resolve(engine));
  const lines = terminal.stdout.text().split('\n');
  const commits = lines.findIndex((line) => line.startsWith('Commits stay'));
  const commit = lines.indexOf('  git -C . commit -m "a b" (commit 0d53dd7)');
  expect(commit).toBeGreaterThan(commits);
  expect(commits).toBeGreaterThan(lines.indexOf('  python clean.py'));
});
