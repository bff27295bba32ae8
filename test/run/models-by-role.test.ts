/** One model plans and another works by that plan: each is asked for its own part, whatever the run is killed at. */
import { describe, expect, it } from 'vitest';
import type { RunGoalOptions } from '../../src/agent.ts';
import { DEFAULT_PROFILE } from '../../src/llm/failover/candidate.ts';
import type { Provider } from '../../src/llm/provider.ts';
import { diligentModel, type PlannedWork, planning } from '../support/models.ts';
import { journalOf, type RunIn, runIn } from '../support/run-in.ts';
import {
  LARGE,
  type Script,
  type ScriptedOptions,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const goal = 'Write one.txt and two.txt';
const WORK: PlannedWork = {
  subtasks: [
    { action: 'write_file', file: 'one.txt', purpose: 'the first' },
    { action: 'write_file', file: 'two.txt', purpose: 'the second' },
  ],
  files: { 'one.txt': ['1\n'], 'two.txt': ['2\n'] },
};

interface Pair {
  readonly options: Pick<RunGoalOptions, 'model' | 'fallbacks' | 'models'>;
  readonly worker: Provider;
  readonly heard: { readonly plan: string[]; readonly work: string[] };
}

/** A planner and a worker, who follow the same plan. */
function pair(size: ScriptedOptions = {}, script: Script = diligentModel(WORK)): Pair {
  const heard = { plan: [] as string[], work: [] as string[] };
  const model = (role: 'plan' | 'work'): Provider => {
    const scripted = scriptedProvider((request, n) => {
      heard[role].push(request.messages.map(({ content }) => content).join('\n'));
      return script(request, n);
    }, size);
    return {
      ...scripted,
      name: role === 'plan' ? 'planner' : 'worker',
      describe: async (name, signal) => ({
        ...(await scripted.describe(name, signal)),
        model: name,
      }),
    };
  };
  const planner = { provider: model('plan'), model: 'large', profile: DEFAULT_PROFILE };
  return {
    options: { model: 'small', fallbacks: [planner], models: { plan: 'planner/large' } },
    worker: model('work'),
    heard,
  };
}

const run = (world: TestWorld, { worker, options }: Pair, more: RunIn = {}) =>
  runIn(world, worker, { goal, ...options, ...more });

const turnsOf = (world: TestWorld) =>
  journalOf(world).flatMap((one) =>
    one.type === 'turn_finished' ? [one.modelRole ?? 'work'] : [],
  );

const DRIVERS = [
  ['that is led', {}, { toolMode: 'json' }],
  ['that leads', LARGE, {}],
] as const;

for (const [name, size, mode] of DRIVERS)
  describe(`a model ${name}`, () => {
    it('works by the plan of another one, in a conversation that begins with the goal', async () => {
      const world = testWorld();
      const both = pair(size);
      const { result, records } = await run(world, both, mode);
      expect([world.read('one.txt'), world.read('two.txt')]).toEqual(['1\n', '2\n']);
      const { plan, work } = both.heard;
      expect(plan.length).toBeGreaterThan(0);
      expect(work.length).toBeGreaterThan(0);
      expect(turnsOf(world).toSorted()).toEqual([
        ...plan.map(() => 'plan'),
        ...work.map(() => 'work'),
      ]);
      for (const told of work) {
        expect(told.split(`GOAL: ${goal}`)).toHaveLength(2);
        expect(told).not.toMatch(/There is no plan yet|Plan a goal as tasks/);
        expect(told).toContain('the first');
      }
      expect(plan.join('\n')).not.toContain('ACTIVE SUBTASK');
      expect(Object.keys(result.state.usage.byModel ?? {})).toEqual([
        'plan planner/large',
        'work worker/small',
      ]);
      const settings = records.flatMap((one) => (one.type === 'settings_changed' ? [one] : []));
      expect(settings.map(({ model, modelRole = 'work' }) => `${model} ${modelRole}`)).toEqual([
        'large plan',
        'small work',
      ]);
    });

    it('asks for nothing twice, whatever record the run is killed at, and keeps the roles', async () => {
      const calm = testWorld();
      const whole = pair(size);
      await run(calm, whole, mode);
      const records = journalOf(calm);
      const over = records.findLastIndex((one) => one.type === 'settings_changed');
      expect(over).toBeGreaterThan(0);
      const border = [over, over + 1];
      for (const at of new Set([...border, ...somePlaces(2, records.length, 60)])) {
        const world = testWorld();
        const machine = world.machine();
        const both = pair(size);
        await run(world, both, {
          ...{ ...mode, machine },
          onRecord: (_record, index) => {
            if (index < at) return;
            machine.kill();
            throw new Error('killed');
          },
        }).catch(() => undefined);
        const { fallbacks = [] } = both.options;
        await runIn(world, both.worker, { goal: null, model: 'small', fallbacks });
        expect(both.heard, `at ${at}`).toEqual(whole.heard);
        expect(turnsOf(world), `at ${at}`).toEqual(turnsOf(calm));
      }
    });
  });

describe('where a model leads', () => {
  it('what stands behind the plan in the same reply is not done by the one that plans', async () => {
    const world = testWorld();
    const write = { name: 'write_file', args: { path: 'one.txt', content: 'too early\n' } };
    const diligent = planning(diligentModel(WORK));
    const both = pair(LARGE, (request, n) => {
      const reply = diligent(request, n);
      const isPlan = reply.calls?.some(({ name }) => name === 'set_plan');
      return isPlan ? { calls: [...(reply.calls ?? []), write] } : reply;
    });
    const { records } = await run(world, both);
    const planned = records.find((one) => one.type === 'turn_finished' && one.modelRole === 'plan');
    expect(JSON.stringify(planned)).toContain('too early');
    expect(JSON.stringify(records.filter(({ type }) => type === 'action_started'))).not.toContain(
      'too early',
    );
    expect(world.read('one.txt')).toBe('1\n');
  });
});

describe('where the model that works cannot be asked', () => {
  it('a run begins not at all where it is not even described', async () => {
    const both = pair();
    const worker: Provider = {
      ...both.worker,
      describe: () => Promise.reject(new Error('not there')),
    };
    await expect(run(testWorld(), { ...both, worker }, { toolMode: 'json' })).rejects.toThrow();
    expect(both.heard.plan).toEqual([]);
  });

  it('and is not given to the start that goes on, the one that planned works, and that is said', async () => {
    const world = testWorld();
    const machine = world.machine();
    const both = pair();
    await run(world, both, {
      ...{ toolMode: 'json', machine },
      onRecord: (record) => {
        if (record.type !== 'plan_set') return;
        machine.kill();
        throw new Error('killed');
      },
    }).catch(() => undefined);
    const [planner] = both.options.fallbacks ?? [];
    if (!planner) throw new Error('There is a planner.');
    const { events } = await runIn(world, planner.provider, { goal: null, model: 'large' });
    const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
    expect(notices.join('\n')).toContain(
      'The model that planned goes on: worker/small is not among the models that can be asked',
    );
    expect(world.read('two.txt')).toBe('2\n');
  });
});

describe('names', () => {
  it('that no model has are refused before anything begins', async () => {
    const { worker, options } = pair();
    await expect(
      runIn(testWorld(), worker, { goal, ...options, models: { plan: 'planner/other' } }),
    ).rejects.toMatchObject({ code: 'E_USAGE', message: expect.stringContaining('planner/other') });
  });

  it('of one model for both are no roles', async () => {
    const world = testWorld();
    const { worker, options, heard } = pair();
    const models = { plan: 'worker/small' };
    await runIn(world, worker, { goal, ...options, models, toolMode: 'json' });
    expect(heard.plan).toEqual([]);
    expect(journalOf(world)[0]).not.toHaveProperty('models');
  });

  it('a plan that is given needs nobody to make one', async () => {
    const world = testWorld();
    const text =
      '# Plan\n\n## Two files\n\n- the first\n  - does: write_file one.txt\n- the second\n  - does: write_file two.txt\n';
    const both = pair();
    await run(world, both, { toolMode: 'json', template: { name: 'two', text } });
    expect(both.heard.plan).toEqual([]);
    expect(world.read('two.txt')).toBe('2\n');
  });
});
