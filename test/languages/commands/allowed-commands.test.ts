import { expect, test } from 'vitest';
import { commandDescriptionsFor } from '../../../src/languages/commands/allowed-commands.ts';

test('what is allowed is said of the languages that the goal or a file of the folder is of', () => {
  const allowed = (goal: string, ...files: readonly string[]) =>
    commandDescriptionsFor(goal, () => files).allowed;
  expect(allowed('Mend the fault')).not.toContain('go build');
  expect(allowed('Mend the fault', 'README.md', 'cmd/main.go')).toContain('go build');
  expect(allowed('Mend main.go')).toContain('go build');
});

test('a folder of one language is not told the commands of another', () => {
  const allowed = (goal: string, ...files: readonly string[]) =>
    commandDescriptionsFor(goal, () => files).allowed;
  expect(allowed('Mend the fault', 'cmd/main.go', 'README.md')).not.toMatch(/python|npm/);
  expect(allowed('Mend the fault', 'src/a.py')).not.toMatch(/npm|go build/);
  expect(allowed('Count the words', 'notes.txt')).toMatch(/python.*npm/);
  expect(allowed('Call page.js', 'src/a.py')).toMatch(/python.*npm/);
});
