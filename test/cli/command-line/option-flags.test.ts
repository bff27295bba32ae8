import { expect, test } from 'vitest';
import { nextStepText, toGoOn } from '../../../src/cli/command-line/option-flags.ts';
import { adviceIn, OPTION_NAMES, type OptionName } from '../../../src/lib/errors.ts';
import { longFlag, OPTIONS } from '../../../src/options/table.ts';

test.each([
  [
    { hint: 'Start it, or say where it runs.', option: 'host' },
    'Start it, or say where it runs (--host or OLLAMA_HOST).',
  ],
  [
    { hint: 'Let it answer in JSON.', option: 'toolMode', optionValue: 'json' },
    'Let it answer in JSON (--tool-mode json).',
  ],
  [
    { hint: 'Go on with as much time.', option: 'maxTimeMs', optionValue: '5400000' },
    'Go on with as much time (--max-time 90m).',
  ],
  [
    { hint: 'Choose one of those that it has.', command: ['models'], option: 'model' },
    'Choose one of those that it has (agent models; --model).',
  ],
  [
    {
      hint: 'Confirm it',
      command: ['resume'],
      option: 'baseUrl',
      optionValue: 'http://h/v1',
      endsInCommand: true,
    },
    'Confirm it: agent resume --base-url http://h/v1',
  ],
  // What the words look like says nothing: only who wrote them knows whether they are a command.
  [
    { hint: 'Choose another model for the agent to use', option: 'model', optionValue: 'm' },
    'Choose another model for the agent to use (--model m)',
  ],
  [
    {
      hint: 'Go on: node dist/bin.cjs resume',
      option: 'maxTokens',
      optionValue: '9',
      endsInCommand: true,
    },
    'Go on: node dist/bin.cjs resume --max-tokens 9',
  ],
  [{ hint: 'See what there is', command: ['runs'] }, 'See what there is: agent runs'],
  [{ hint: 'Repair it.', command: ['repair'] }, 'Repair it (agent repair).'],
  [{ hint: 'Wait for it.' }, 'Wait for it.'],
  [{ hint: '', option: 'model' }, ''],
] as const)('the next step %j is shown with its flag', (step, shown) => {
  expect(nextStepText(step, 'agent')).toBe(shown);
});

test('every option that a next step may be about has a flag', () => {
  for (const name of OPTION_NAMES) expect(longFlag(OPTIONS[name]), name).toMatch(/^--/);
});

test('to go on, a limit of the whole run is raised and one from now on stays', () => {
  const given = { maxTokens: 1000, maxCost: 1, maxTimeMs: 60_000 };
  const after = (option?: OptionName, optionValue?: string) =>
    toGoOn(given, adviceIn({ option, optionValue }));
  expect(after('maxTokens', '2300')).toEqual({ ...given, maxTokens: 2300 });
  expect(after('maxCost', '2.02')).toEqual({ ...given, maxCost: 2.02 });
  expect(after('maxTimeMs', '60000')).toEqual(given);
  expect(after('contextWindow', '16384')).toEqual(given);
  expect(after()).toEqual(given);
});
