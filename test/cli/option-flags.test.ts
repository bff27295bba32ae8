import { expect, test } from 'vitest';
import { OPTIONS } from '../../src/cli/command-line.ts';
import { FLAGS, nextStepText, noticeText } from '../../src/cli/option-flags.ts';
import { OPTION_NAMES } from '../../src/lib/errors.ts';

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
    { hint: 'Run `agent models`, and choose one', option: 'model' },
    'Run `agent models`, and choose one (--model)',
  ],
  [
    {
      hint: 'Confirm it: agent resume',
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
  [{ hint: 'Wait for it.' }, 'Wait for it.'],
  [{ hint: '', option: 'model' }, ''],
] as const)('the next step %j is shown with its flag', (step, shown) => {
  expect(nextStepText(step)).toBe(shown);
});

test('what is said of another model names the flag that chooses one', () => {
  expect(noticeText({ notice: 'Choose another one.', noticeOption: 'model' })).toBe(
    'Choose another one (--model).',
  );
  expect(noticeText({ notice: 'Replayed from a file.' })).toBe('Replayed from a file.');
});

test('every option of a call is one of the command line', () => {
  const known = OPTIONS.map(({ flags }) => flags.replace(/^-\w, /, '').split(' ')[0]);
  for (const name of OPTION_NAMES) expect(known).toContain(FLAGS[name]);
});
