import { expect, test } from 'vitest';
import { commandDescriptionsFor } from '../../../src/languages/commands/allowed-commands.ts';

test('what is allowed is said of the languages that the goal or a file of the folder is of', () => {
  const allowed = (goal: string, ...files: readonly string[]) =>
    commandDescriptionsFor(goal, () => files).allowed;
  expect(allowed('Mend the fault')).not.toContain('go build');
  expect(allowed('Mend the fault', 'README.md', 'cmd/main.go')).toContain('go build');
  expect(allowed('Mend main.go')).toContain('go build');
});
