import { describe, expect, it } from 'vitest';
import { guided } from '../../../src/drivers/guided/guided.ts';
import type { RunState } from '../../../src/schema/state.ts';
import type { CommandFact } from '../../../src/schema/state-parts/run-facts.ts';
import { inconclusiveBecause } from '../../../src/steps/gate/inconclusive.ts';
import { next } from '../../../src/steps/next.ts';
import {
  action,
  active,
  bareState,
  claim,
  failed,
  file,
  planOf,
  subtask,
  WRITE,
} from '../../support/run-state.ts';

const MODULE = { 'm.py': file({ defines: ['add(a, b)', 'LIMIT', 'Stack(items) .push(x)'] }) };
const PROGRAM = { 'm.py': file({ defines: ['play()', 'score(a)'] }) };
const ASKS = { 'm.py': file({ defines: ['score(a)'], prompts: ['Name: '] }) };

const TYPED: RunState['brief'] = {
  examples: [{ quote: 'q', input: { how: 'stdin', text: '3' } }],
  ...{ keep: [], removes: [] },
};

const moot = (
  more: Partial<CommandFact>,
  files: RunState['files'] = MODULE,
  goal = 'g',
  cmd = 'python m.py',
  brief?: RunState['brief'],
) => {
  const command = failed(cmd, { exitCode: 0, ...more });
  const state = bareState('guided', {
    goal,
    files,
    commands: [command],
    ...(brief ? { brief } : {}),
  });
  return inconclusiveBecause(state, command);
};

describe('A failure says nothing against the work', () => {
  it.each([
    ['a module printed nothing', moot({ shortfall: 'silent' })],
    ['a plan guessed what is printed', moot({ shortfall: 'output', prints: '1000' }, PROGRAM)],
    [
      'a program wants arguments, and it was given none',
      moot({ shortfall: 'usage', exitCode: 2 }, PROGRAM),
    ],
    ['a module did not print the guess', moot({ shortfall: 'silent', prints: '42' })],
  ])('when %s', (_, why) => expect(why).not.toBeNull());
});

describe('A failure is one', () => {
  it.each([
    [
      'when the goal says what is printed',
      moot({ shortfall: 'output', prints: 'Total: 7' }, PROGRAM, 'print "total: 7"'),
    ],
    [
      'when tests did not pass',
      moot({ shortfall: 'output', prints: 'passed' }, MODULE, 'g', 'python -m pytest -q'),
    ],
    ['when a program forgot to call what it defines', moot({ shortfall: 'silent' }, PROGRAM)],
    [
      'when the goal has an example of a command, and what is there only defines',
      moot({ shortfall: 'silent' }, MODULE, 'g', 'python m.py', TYPED),
    ],
    [
      'when it was given arguments, and what is there only defines',
      moot({ shortfall: 'silent' }, MODULE, 'g', 'python m.py 3'),
    ],
    ['when a program that asks printed nothing', moot({ shortfall: 'silent' }, ASKS)],
    ['when nothing is known of what was run', moot({ shortfall: 'silent' }, {})],
    [
      'when it wants others than it was given',
      moot({ shortfall: 'usage' }, PROGRAM, 'a script that takes an argument', 'python m.py 3'),
    ],
    ['when the command broke', moot({ exitCode: 1 })],
    ['when it wants input and got none yet', moot({ exitCode: 1, asksForInput: 'Name?' })],
  ])('%s', (_, why) => expect(why).toBeNull());
});

const PROOF = { cmd: 'python m.py', prints: '1000' };
const guess = failed(PROOF.cmd, {
  status: 'error',
  exitCode: 0,
  shortfall: 'output',
  prints: '1000',
});
const claimed = (commands: readonly CommandFact[]) =>
  bareState('guided', {
    plan: planOf([subtask('1.1', WRITE, { status: 'in_progress' })], { proof: PROOF }),
    files: PROGRAM,
    commands,
    active: active({
      actions: [action('write_file', 'hello.mjs')],
      succeeded: 1,
      claim: claim({ isOpen: true, success: true, checks: [{ passed: false, text: 'no' }] }),
    }),
  });

describe('A proof that asks for what was only guessed', () => {
  it('ends the subtask without a repair', () => {
    expect(next(claimed([guess]), { maxRounds: 24 }, guided)).toMatchObject({
      do: 'finish_subtask',
    });
  });

  it('does not excuse another check that failed', () => {
    const state = claimed([guess]);
    const plan = planOf(
      [
        subtask('1.1', WRITE, {
          status: 'in_progress',
          checks: [{ type: 'file_exists', path: 'hello.mjs' }],
        }),
      ],
      { proof: PROOF },
    );
    expect(next({ ...state, plan }, { maxRounds: 24 }, guided)).toMatchObject({
      do: 'tell_failed_check',
      isProof: false,
    });
  });

  it('is told and mended where the command broke', () => {
    const broke = failed(PROOF.cmd, { exitCode: 1 });
    expect(next(claimed([broke]), { maxRounds: 24 }, guided)).toMatchObject({
      do: 'tell_failed_check',
    });
  });

  it('makes no run failed and plans nothing anew: nothing is verified', () => {
    const state = bareState('guided', {
      plan: planOf([subtask('1.1', WRITE, { status: 'completed' })], { proof: PROOF }),
      commands: [guess],
      proof: { passed: false, text: 'no', runs: [] },
    });
    expect(next(state, { maxRounds: 24 }, guided)).toEqual({
      do: 'finish',
      ending: 'unverified',
      detail: 'not verified: python m.py: what it was to print was only guessed by the plan',
    });
  });
});
