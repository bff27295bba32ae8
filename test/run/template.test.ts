/** A run that begins with the plan of a template. */
import { describe, expect, it } from 'vitest';
import { subtasksOf } from '../../src/schema/plan.ts';
import type { RecordOf } from '../../src/schema/records.ts';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { journalOf, type RunIn, runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const goal = 'Write one.txt and two.txt';

const text = `# Plan

## Two files

- the first
  - does: write_file one.txt
- the second
  - does: write_file two.txt
`;
const template = { name: 'two-files', text };

const WORK: PlannedWork = {
  subtasks: [
    { action: 'write_file', file: 'one.txt', purpose: 'the first' },
    { action: 'write_file', file: 'two.txt', purpose: 'the second' },
  ],
  files: { 'one.txt': ['1\n'], 'two.txt': ['2\n'] },
};

const plansOf = (world: TestWorld): readonly RecordOf<'plan_set'>[] =>
  journalOf(world).flatMap((record) => (record.type === 'plan_set' ? [record] : []));

const plannedTurns = (world: TestWorld) =>
  journalOf(world).filter((one) => one.type === 'turn_finished' && one.purpose === 'plan');

const guided = (world: TestWorld, more: RunIn = {}) =>
  runIn(world, scriptedProvider(diligentModel(WORK)), {
    ...{ goal, toolMode: 'json', plainTry: true, template },
    ...more,
  });

describe('a model that is led', () => {
  it('is told the goal before the first subtask, in every question once', async () => {
    const heard: string[] = [];
    const diligent = diligentModel(WORK);
    const script: Script = (request, n) => {
      heard.push(request.messages.map(({ content }) => content).join('\n'));
      return diligent(request, n);
    };
    await runIn(testWorld(), scriptedProvider(script), {
      ...{ goal, toolMode: 'json', template },
    });
    expect(heard.length).toBeGreaterThan(1);
    for (const told of heard) expect(told.split(`GOAL: ${goal}`)).toHaveLength(2);
  });

  it('is asked for no plan, whatever record the run is killed at, and no file is needed to go on', async () => {
    const calm = testWorld();
    await guided(calm);
    const records = journalOf(calm);
    expect(records[0]).toMatchObject({ template: 'two-files', planText: text });
    for (const at of somePlaces(1, records.length, 20)) {
      const world = testWorld();
      const machine = world.machine();
      await guided(world, {
        machine,
        onRecord: (_record, index) => {
          if (index < at) return;
          machine.kill();
          throw new Error('killed');
        },
      }).catch(() => undefined);
      await runIn(world, scriptedProvider(diligentModel(WORK)), { goal: null });
      expect(plansOf(world), `at ${at}`).toHaveLength(1);
      expect(plansOf(world)[0]).toMatchObject({ by: 'template', why: 'of the template two-files' });
      expect(plannedTurns(world)).toEqual([]);
      expect([world.read('one.txt'), world.read('two.txt')]).toEqual(['1\n', '2\n']);
    }
  });

  it('hears of no text that is no plan: the run says which line is wrong', async () => {
    const world = testWorld();
    const wrong = { name: 'odd', text: text.replace('does:', 'dose:') };
    await expect(guided(world, { template: wrong })).rejects.toMatchObject({
      code: 'E_USAGE',
      message: expect.stringMatching(/"odd" cannot be used\. Line \d+: There is no "dose:"/),
    });
    expect(plansOf(world)).toEqual([]);
  });

  it('keeps the plan that it began with, and says that another one counts for nothing', async () => {
    const world = testWorld();
    await guided(world, { agreePlan: true });
    const notices = async (given: typeof template) => {
      const { events } = await guided(world, { template: given });
      return events.flatMap((event) => (event.type === 'notice' ? [event.text] : [])).join('\n');
    };
    expect(await notices(template)).not.toContain('keeps the plan');
    expect(await notices({ ...template, text: `${text}\n` })).toContain('keeps the plan');
    expect(plansOf(world)).toHaveLength(1);
  });

  it('works only after a yes, where the plan is to be agreed to', async () => {
    const world = testWorld();
    const waiting = await guided(world, { agreePlan: true });
    expect(waiting.result.ending).toBe('paused');
    expect(world.read('one.txt')).toBeNull();
    await guided(world, { goal: null, agree: true });
    expect(plansOf(world).map(({ by }) => by)).toEqual(['template', 'caller']);
    expect(world.read('two.txt')).toBe('2\n');
  });
});

it('a model that leads is told the goal and the plan once, and works by it', async () => {
  const world = testWorld();
  const heard: string[] = [];
  const write = (path: string, content: string) => ({
    name: 'write_file',
    args: { path, content },
  });
  const done = { name: 'mark_subtask_complete', args: { success: true, reason: 'written' } };
  const replies = [
    { calls: [write('one.txt', '1\n'), done] },
    { calls: [write('two.txt', '2\n'), done] },
  ];
  const script: Script = (request, n) => {
    heard.push(request.messages.map(({ content }) => content).join('\n'));
    return replies[n - 1] ?? { calls: [done] };
  };
  const { result } = await runIn(world, scriptedProvider(script), {
    ...{ goal, toolMode: 'native', template, maxRounds: 6 },
  });
  expect(heard[0]?.split(`GOAL: ${goal}`)).toHaveLength(2);
  expect(heard[0]).toMatch(/The plan is given: work by it\.[\s\S]*1\.2 .*two\.txt/);
  expect(heard[0]).not.toContain('There is no plan yet');
  expect(plansOf(world)).toHaveLength(1);
  expect(subtasksOf(result.state.plan ?? { tasks: [] }).map(({ status }) => status)).toEqual([
    'completed',
    'completed',
  ]);
  expect(world.read('two.txt')).toBe('2\n');
});
