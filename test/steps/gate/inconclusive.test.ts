import { describe, expect, it } from 'vitest';
import type { RunState } from '../../../src/schema/state.ts';
import type { CommandFact } from '../../../src/schema/state-parts/run-facts.ts';
import { inconclusiveBecause } from '../../../src/steps/gate/inconclusive.ts';
import { PATIENCE } from '../../../src/steps/step.ts';
import { bareState, failed, file } from '../../support/run-state.ts';

const because = (
  more: Partial<CommandFact>,
  { cmd = 'python m.py', files = { 'm.py': file({ written: true }) } as RunState['files'] } = {},
) => {
  const command = failed(cmd, more);
  return inconclusiveBecause(bareState('guided', { files, commands: [command] }), command);
};

it('a program of the run that ends as one does that lacks arguments, alone, says nothing against the work', () => {
  expect(because({ exitCode: 2 })).toBe('it wants arguments, and the plan gives it none');
});

describe('a failure is one', () => {
  it.each([
    ['where it was given arguments', because({ exitCode: 2 }, { cmd: 'python m.py 3' })],
    [
      'of a program that was there',
      because({ exitCode: 2 }, { files: { 'm.py': file({ written: false }) } }),
    ],
    ['where the command broke', because({ exitCode: 1 })],
    ['where it did not print what it was to', because({ exitCode: 0, shortfall: 'output' })],
    ['where it wants input and got none yet', because({ exitCode: 1, asksForInput: 'Name?' })],
  ])('%s', (_, why) => expect(why).toBeNull());
});

it('a program that wants more input than it was given so often says nothing against the work', () => {
  const fed = (
    count: number,
    stdin: string | null = '1',
    asksForInput: string | null = 'Name?',
  ) => {
    const one = failed('python m.py', { stdin, asksForInput });
    const commands = Array.from({ length: count }, () => one);
    return inconclusiveBecause(bareState('guided', { commands }), one);
  };
  expect(fed(PATIENCE.inputQuestions)).toBe('it wanted more input than could be guessed');
  expect(fed(PATIENCE.inputQuestions - 1)).toBeNull();
  expect(fed(PATIENCE.inputQuestions, null)).toBeNull();
  expect(fed(PATIENCE.inputQuestions, '1', null)).toBeNull();
});
