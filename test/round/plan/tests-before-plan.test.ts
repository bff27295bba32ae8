/** The tests that are there are run before the plan is asked for. */
import { describe, expect, it } from 'vitest';
import type { RunState } from '../../../src/schema/state.ts';
import { diligentModel, type PlannedWork, wantedBy } from '../../support/models.ts';
import { type RunIn, runIn } from '../../support/run-in.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { somePlaces } from '../../support/some-kills.ts';
import { type ScriptedProgram, testWorld } from '../../support/test-machine.ts';

const GOAL = 'Fix the bug in sum.mjs';
const WORK: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'sum.mjs', purpose: 'adds' }],
  verify: { cmd: 'node --test' },
  files: { 'sum.mjs': ['export const sum = (a, b) => a + b;\n'] },
};

const TAP = (isRight: boolean): string =>
  isRight
    ? 'ok 1 - adds\n# tests 1\n# pass 1\n# fail 0\n'
    : "not ok 1 - adds\n  ---\n  location: '/ws/sum.test.mjs:3:1'\n  error: '-1 !== 3'\n  code: 'X'\n  ...\n# tests 1\n# pass 0\n# fail 1\n";

function broken(program?: ScriptedProgram) {
  const world = testWorld(
    program ??
      ((_args, _stdin, read) => {
        const isRight = read('sum.mjs')?.includes('a + b') === true;
        return { output: TAP(isRight), exitCode: isRight ? 0 : 1 };
      }),
  );
  world.write('sum.mjs', 'export const sum = (a, b) => a - b;\n');
  world.write('sum.test.mjs', "import { sum } from './sum.mjs';\n");
  return world;
}

const run = (
  world: ReturnType<typeof testWorld>,
  provider = scriptedProvider(diligentModel(WORK)),
  more: RunIn = {},
) => runIn(world, provider, { goal: GOAL, toolMode: 'json', ...more });

const planQuestion = (provider: ReturnType<typeof scriptedProvider>): string =>
  provider.requests.find((request) => wantedBy(request) === 'plan')?.messages.at(-1)?.content ?? '';

describe('tests that are there', () => {
  it('are shown by what fails, and recorded as red before the work', async () => {
    const world = broken();
    const provider = scriptedProvider(diligentModel(WORK));
    const { records, result } = await run(world, provider);
    expect(planQuestion(provider)).toContain(
      'The tests that are there fail: node --test\n- sum.test.mjs, adds: -1 !== 3\nGOAL: Fix',
    );
    expect(planQuestion(provider)).toContain('a - b');
    const content = provider.requests.find((request) => wantedBy(request) === 'content');
    expect(content?.messages.at(-1)?.content).toContain('- sum.test.mjs, adds: -1 !== 3\nWrite');
    const [check] = records.filter((one) => one.type === 'check_ran');
    expect(check).toMatchObject({
      id: 'look#0',
      check: { type: 'command_succeeds', cmd: 'node --test' },
      proof: false,
      when: 'before',
      red: 'failing',
      passed: false,
    });
    // It is no proof, neither of the plan nor of its failure.
    const before: RunState | undefined = result.state;
    expect(before.proof?.runs.every(({ when }) => when === 'after')).toBe(true);
    expect(result.ending).toBe('achieved');
    const types = records.map(({ type }) => type);
    expect(types.indexOf('check_ran')).toBeLessThan(types.indexOf('message_added'));
    expect(types.indexOf('action_intended')).toBeLessThan(types.indexOf('check_ran'));
  });

  it.each(['Räum sum.mjs auf', '整理 sum.mjs', 'Tidy sum.mjs up'])(
    'are run whatever the goal says, and in whatever language: %s',
    async (goal) => {
      const provider = scriptedProvider(diligentModel(WORK));
      await run(broken(), provider, { goal, maxRounds: 1 });
      expect(planQuestion(provider)).toContain('sum.test.mjs, adds: -1 !== 3');
    },
  );

  it('that pass are a fact, too', async () => {
    const world = broken(() => ({ output: TAP(true), exitCode: 0 }));
    const provider = scriptedProvider(diligentModel(WORK));
    const { records } = await run(world, provider);
    expect(planQuestion(provider)).toContain('The tests that are there pass: node --test\nGOAL');
    expect(records.find((one) => one.type === 'check_ran')).toMatchObject({ passed: true });
  });

  it('that do not end in a minute say nothing either way', async () => {
    let isFirst = true;
    const world = broken(() => {
      if (!isFirst) return { output: TAP(true), exitCode: 0 };
      isFirst = false;
      return 'timeout';
    });
    const provider = scriptedProvider(diligentModel(WORK));
    const { records } = await run(world, provider);
    expect(planQuestion(provider)).toContain('could not be run: node --test: timed out after 60 s');
    expect(records.find((one) => one.type === 'check_ran')).toMatchObject({ red: 'unknown' });
  });

  it('are not run where there are none, and the run goes on all the same', async () => {
    const world = testWorld();
    world.write('sum.mjs', 'export const sum = (a, b) => a - b;\n');
    const provider = scriptedProvider(diligentModel({ ...WORK, verify: { cmd: 'node sum.mjs' } }));
    const { records } = await run(world, provider, { maxRounds: 1 });
    const first = records.findIndex((one) => one.type === 'message_added');
    expect(records.slice(0, first).map(({ type }) => type)).not.toContain('check_ran');
    expect(planQuestion(provider)).toContain('a - b');
  });

  it('are not run for a model that leads by itself', async () => {
    const provider = scriptedProvider(diligentModel(WORK));
    const { records } = await run(broken(), provider, { toolMode: 'native', maxRounds: 1 });
    const first = records.findIndex((one) => one.type === 'message_added');
    expect(records.slice(0, first).map(({ type }) => type)).not.toContain('check_ran');
  });

  it('killed after any record of the look, the run asks the same and runs them again at most once', async () => {
    const whole = scriptedProvider(diligentModel(WORK));
    const { records } = await run(broken(), whole);
    const asked = records.findIndex(({ type }) => type === 'turn_finished');
    for (const at of somePlaces(1, asked + 1, 10)) {
      const world = broken();
      const provider = scriptedProvider(diligentModel(WORK));
      const machine = world.machine();
      const killed = run(world, provider, {
        machine,
        onRecord: (_, index) => {
          if (index < at) return;
          machine.kill();
          throw new Error('killed');
        },
      });
      await expect(killed).rejects.toThrow('killed');
      const told = await run(world, provider);
      expect(told.result.ending, `killed after record ${at}`).toBe('achieved');
      expect(provider.requests.map(({ messages }) => messages)).toContainEqual(
        whole.requests[0]?.messages,
      );
      expect(planQuestion(provider)).toBe(planQuestion(whole));
      const checks = told.records.filter(
        (one) => one.type === 'check_ran' && one.subtask === 'look',
      );
      const isKnown = records.slice(0, at).some(({ type }) => type === 'check_ran');
      expect(checks).toHaveLength(isKnown ? 0 : 1);
    }
  });
});
