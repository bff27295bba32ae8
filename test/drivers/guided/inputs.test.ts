/** State -> next step, after a command that asked its user. */
import { describe, expect, it } from 'vitest';
import { guided } from '../../../src/drivers/guided/guided.ts';
import { next } from '../../../src/steps/next.ts';
import type { Row } from '../../steps/shared-steps.ts';
import {
  action,
  active,
  command,
  failed,
  file,
  planOf,
  round,
  WRITE,
} from '../../support/run-state.ts';
import { doing, ENDED, failing, inRepair, WRITTEN, working } from './states.ts';

const asking = failed('node hello.mjs', { asksForInput: 'Hi!\nYour name? ' });
const typed = (lines: readonly string[]) => ({
  do: 'ask' as const,
  cause: 'input_question' as const,
  question: {
    kind: 'action' as const,
    open: [
      {
        does: 'runs_commands' as const,
        fixed: { cmd: 'node hello.mjs' },
        only: ['cmd', 'stdin'],
        lines: { stdin: lines },
      },
    ],
  },
});
const reading = (asksForInput: string) => ({ ...asking, asksForInput });
/** Nothing is known of what it asks: its input is one text. */
const FREELY = {
  do: 'ask' as const,
  cause: 'input_question' as const,
  question: {
    kind: 'action' as const,
    open: [
      {
        does: 'runs_commands' as const,
        fixed: { cmd: 'node hello.mjs' },
        only: ['cmd', 'stdin'],
      },
    ],
  },
};
const fed = (times: number) =>
  Array.from({ length: times }, (_, index) => ({ ...asking, stdin: 'Ada\n'.repeat(index + 1) }));
const ran = (times: number) =>
  active({ actions: Array.from({ length: times }, () => action('run_cmd', 'node hello.mjs')) });
const inputs: readonly Row[] = [
  [
    'a program that ended for want of input',
    failing({ commands: [asking], round: round(), active: ran(1) }),
    typed(['Your name?']),
  ],
  [
    'one whose questions are known from its file',
    failing({
      commands: [asking],
      round: round(),
      files: { 'hello.mjs': file({ prompts: ['Name: ', 'Age: '] }) },
    }),
    typed(['Name: ', 'Age: ']),
  ],
  [
    'one that still asks after all its answers',
    failing({ commands: [{ ...asking, stdin: 'Ada' }], round: round(), active: ran(2) }),
    typed(['Your name?', 'to end the program']),
  ],
  [
    'one that asks something else behind them: that is answered, too',
    failing({
      commands: [{ ...asking, stdin: 'Ada', asksForInput: 'Your name? Once more (y/n)?' }],
      files: { 'hello.mjs': file({ prompts: ['Your name? '] }) },
      round: round(),
      active: ran(2),
    }),
    typed(['Your name? ', 'Your name? Once more (y/n)?']),
  ],
  [
    'one in a loop: as many lines as it had, and one that ends it',
    failing({ commands: [{ ...asking, stdin: 'Ada\nBob\n' }], round: round(), active: ran(3) }),
    typed(['Your name?', 'Your name?', 'to end the program']),
  ],
  [
    'a line of output before it reads: that is no question',
    failing({ commands: [reading('Too low!\n')], round: round(), active: ran(1) }),
    FREELY,
  ],
  [
    'a question that it prints as a line: it is one',
    failing({ commands: [reading('Hi!\nYour name?\n')], round: round(), active: ran(1) }),
    typed(['Your name?']),
  ],
  [
    'one that says nothing at all before it reads',
    failing({ commands: [reading('')], round: round(), active: ran(1) }),
    FREELY,
  ],
  [
    'one that read past all that it was given three times: nothing is mended for it',
    failing({ commands: fed(3), round: round(), active: ran(4) }),
    { do: 'finish_subtask', status: 'unverified' },
  ],
  [
    'one that asked four times and was never given anything: it is mended',
    failing({ ...inRepair, commands: [asking], active: ran(4) }),
    { do: 'open_round', origin: 'repair', file: 'hello.mjs' },
  ],
  [
    'a program that asks, where the proof is another one',
    working({
      ...WRITTEN,
      plan: planOf(doing(WRITE).tasks[0]!.subtasks, { proof: { cmd: 'node other.mjs' } }),
      files: { 'hello.mjs': file({ prompts: ['Name: '] }) },
      round: round(),
    }),
    ENDED,
  ],
  [
    'a program that asks nobody anything, and is to be the proof',
    working({
      ...WRITTEN,
      plan: planOf(doing(WRITE).tasks[0]!.subtasks, { proof: { cmd: 'node hello.mjs' } }),
      round: round(),
    }),
    ENDED,
  ],
  [
    'a program that asks, before the proof is due',
    working({
      ...WRITTEN,
      files: { 'hello.mjs': file({ prompts: ['Name: '] }) },
      round: round(),
    }),
    ENDED,
  ],
  [
    'a program that asks and is to be the proof: it is tried first',
    working({
      ...WRITTEN,
      plan: planOf(doing(WRITE).tasks[0]!.subtasks, { proof: { cmd: 'node hello.mjs' } }),
      files: { 'hello.mjs': file({ prompts: ['Name: '] }) },
      round: round(),
    }),
    typed(['Name: ']),
  ],
  [
    'one that was tried',
    working({
      plan: planOf(doing(WRITE).tasks[0]!.subtasks, { proof: { cmd: 'node hello.mjs' } }),
      files: { 'hello.mjs': file({ prompts: ['Name: '] }) },
      active: active({
        actions: [action('write_file', 'hello.mjs'), action('run_cmd', 'node hello.mjs')],
        succeeded: 2,
      }),
      commands: [command('node hello.mjs')],
      round: round(),
    }),
    ENDED,
  ],
];

describe('the guided driver', () => {
  it.each(inputs)('goes on after %s', (_, state, step) => {
    expect(next(state, { maxRounds: 24 }, guided)).toMatchObject(step);
  });
});
