import { expect, it } from 'vitest';
import { runProof } from '../../src/probe/checks.ts';

/** Whether a program prints what it was to is for the proof to judge, by what it printed alone. */
const prove = (output: string, prints: string) =>
  runProof(
    { cmd: 'node tips.mjs', prints },
    {
      readText: () => null,
      exists: () => false,
      runCommand: async () => ({ status: 'ok', exitCode: 0, output }),
    },
  );

it.each([
  ['a last line that begins as our hints do', 'Tips\nHint: water\n', 'Hint: water'],
  ['one line alone that begins so', 'Hint: water\n', 'Hint: water'],
  ['a first line that reads like our own', 'exit code 3\nwas what it said\n', 'exit code 3'],
  ['a text that reads like the one for silence', '(it printed nothing)\n', 'printed nothing'],
])('a proof judges what the program printed, not our words around it: %s', async (_, ...told) => {
  expect(await prove(...told)).toMatchObject({ passed: true, facts: { exitCode: 0 } });
});

it('a proof fails where the line is not printed', async () => {
  expect(await prove('Tips\n', 'Hint: water')).toMatchObject({
    passed: false,
    text: expect.stringContaining('did not print "Hint: water"'),
  });
});
