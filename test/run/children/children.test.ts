import { describe, expect, it } from 'vitest';
import { openOwnedRun, type RunGoalOptions, type RunResult } from '../../../src/agent.ts';
import { undoChanges } from '../../../src/host/journals/undo.ts';
import type { JournalRecord } from '../../../src/schema/records.ts';
import { turnsIn } from '../../../src/schema/state-parts/children.ts';
import { diligentModel, type PlannedWork } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { LARGE, scriptedProvider } from '../../support/scripted-provider.ts';
import {
  ALL,
  activeIn,
  asked,
  bySubtask,
  contentOf,
  filesOf,
  GOAL,
  IDS,
  NAMES,
  recordsOf,
  runChildren,
  textOf,
} from '../../support/side-by-side.ts';
import { someKills } from '../../support/some-kills.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

/** The first one looks around first, so that it is the last to end. */
const FIRST_ENDS_LAST = bySubtask({
  '1.1': Array.from({ length: 3 }, () => ({ name: 'list_dir', args: { path: '.' } })),
});

describe('subtasks that need no other', () => {
  it('are done in the run itself one at a time', async () => {
    const world = testWorld();
    const { records, result } = await runChildren(world, { parallel: 1 });
    expect(result.ending).toBe('achieved');
    expect(recordsOf(records, 'child_started')).toEqual([]);
    expect(filesOf(world)).toEqual(ALL);
  });

  it('begin with the conversation up to the plan, leave the same bytes as runs of their own, joined and told in the order of the plan whatever order they end in, and are undone with the run', async () => {
    const world = testWorld();
    const provider = scriptedProvider(FIRST_ENDS_LAST, LARGE);
    const { records, result } = await runIn(world, provider, { goal: GOAL, parallel: 4 });
    expect(result).toMatchObject({ ending: 'achieved' });
    expect(turnsIn(result.state)).toBe(1 + 2 * NAMES.length + 3);
    expect(recordsOf(records, 'child_started').map(({ subtask }) => subtask)).toEqual(IDS);
    expect(recordsOf(records, 'child_ended').at(-1)?.subtask).toBe('1.1');
    expect(recordsOf(records, 'child_joined')).toMatchObject(
      NAMES.map((name, at) => ({ subtask: IDS[at], status: 'completed', files: [`${name}.mjs`] })),
    );
    const told = recordsOf(records, 'message_added').filter(
      ({ cause }) => cause === 'child_joined',
    );
    expect(told.map(({ text }) => text)).toEqual(
      NAMES.map(
        (name, at) =>
          `Subtask ${IDS[at]}, worked on in a copy of the folder, is completed. It changed ${name}.mjs. ${name} is written`,
      ),
    );
    expect(filesOf(world)).toEqual(ALL);
    const [first, ...others] = provider.requests;
    expect(others.length).toBe(2 * NAMES.length + 3);
    for (const { messages, tools } of others) {
      expect(messages.slice(0, first?.messages.length)).toEqual(first?.messages);
      expect(tools).toEqual(first?.tools);
    }
    await undoChanges(
      world.machine(),
      { workspace: WORKSPACE, forceUnlock: false, onRecord: () => {} },
      () => {},
    );
    expect(filesOf(world)).toEqual([null, null, null, null]);
  });

  it('are begun once another one ends, though one still works', async () => {
    const { records } = await runChildren(testWorld(), { parallel: 2 }, FIRST_ENDS_LAST);
    const placeOf = (type: 'child_started' | 'child_ended', id: string | undefined): number =>
      records.findIndex((record) => record.type === type && record.subtask === id);
    expect(placeOf('child_started', IDS[2])).toBeGreaterThan(placeOf('child_ended', IDS[1]));
    expect(placeOf('child_started', IDS[2])).toBeLessThan(placeOf('child_ended', IDS[0]));
  });
});

describe('a model that is led', () => {
  const WORK: PlannedWork = {
    subtasks: NAMES.map((name) => ({
      ...{
        action: 'write_file',
        file: `${name}.mjs`,
        purpose: `writes ${name}`,
        independent: true as unknown as string,
      },
    })),
    verify: { cmd: 'node a.mjs', prints: 'a' },
    files: Object.fromEntries(NAMES.map((name) => [`${name}.mjs`, [contentOf(name)]])),
  };

  it('leaves the same bytes with 4 at once, and ends as well', async () => {
    const world = testWorld();
    const options = { toolMode: 'json' as const, parallel: 4 };
    const { records, result } = await runChildren(world, options, diligentModel(WORK));
    expect(recordsOf(records, 'child_joined')).toHaveLength(4);
    expect(filesOf(world)).toEqual(ALL);
    expect(result.ending).toBe('achieved');
  });
});

describe('a run whose subtasks are runs', () => {
  const calmly = async () => {
    const provider = scriptedProvider(bySubtask(), LARGE);
    let count = 0;
    const onRecord = () => (count += 1);
    await runIn(testWorld(), provider, { goal: GOAL, parallel: 3, onRecord });
    return { provider, count };
  };

  it('asks what it would have asked after a kill, and ends with the same files', async () => {
    const { provider: calm, count } = await calmly();
    expect(count).toBeGreaterThan(60);
    const every = Array.from({ length: count - 8 }, (_, at) => at + 8);
    for (const at of someKills(every, 90, 50)) {
      const world = testWorld();
      const provider = scriptedProvider(bySubtask(), LARGE);
      const machine = world.machine();
      const kill = (_: JournalRecord, seen: number): void => {
        if (seen !== at) return;
        machine.kill();
        throw new Error('killed');
      };
      const options = { goal: GOAL, parallel: 3 };
      await runIn(world, provider, { ...options, machine, onRecord: kill }).catch(() => {});
      const { result } = await runIn(world, provider, options);
      expect([at, result.ending, result.detail]).toEqual([at, 'achieved', expect.anything()]);
      expect([at, asked(provider)]).toEqual([at, asked(calm)]);
      expect(filesOf(world)).toEqual(ALL);
    }
  });

  it('gives itself back after a step of each, and the next process goes on with the same requests', async () => {
    const { provider: calm } = await calmly();
    const world = testWorld();
    const provider = scriptedProvider(bySubtask(), LARGE);
    const most: number[] = [];
    const works = async (options: RunGoalOptions): Promise<RunResult> => {
      for (;;) {
        const before = provider.requests.length;
        const run = await openOwnedRun(options);
        const result = await run.takeStep(() => true).finally(() => run.close());
        most.push(provider.requests.length - before);
        if (result !== null) return result;
      }
    };
    const { result, records } = await runIn(world, provider, { goal: GOAL, parallel: 3, works });
    expect(result.ending).toBe('achieved');
    expect(Math.max(...most)).toBe(3);
    expect(asked(provider)).toEqual(asked(calm));
    expect(provider.requests).toHaveLength(calm.requests.length);
    expect(turnsIn(result.state)).toBe(calm.requests.length);
    expect(recordsOf(records, 'child_rested').length).toBeGreaterThan(4);
    expect(filesOf(world)).toEqual(ALL);
  });
});

describe('a subtask that is a run of its own', () => {
  const remove = { name: 'delete_file', args: { path: 'old.txt' } };

  it('asks in the name of the run, which waits where nobody is there and goes on with the answer', async () => {
    const script = bySubtask({ '1.2': [remove, remove] });
    const world = testWorld();
    world.write('old.txt', 'old\n');
    const waiting = await runChildren(world, { parallel: 2 }, script);
    expect(waiting.result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(waiting.result.state.permissions?.open).toMatchObject([
      { tool: 'delete_file', target: 'old.txt' },
    ]);
    // The others went on to their ends.
    expect(recordsOf(waiting.records, 'child_ended')).toHaveLength(3);
    const targets: string[] = [];
    const ask = async ({ target }: { readonly target: string }) => {
      targets.push(target);
      return 'once' as const;
    };
    const { result } = await runChildren(world, { parallel: 2, ask }, script);
    expect(targets).toEqual(['old.txt']);
    expect(result.state.permissions?.open).toEqual([]);
    expect(world.read('old.txt')).toBeNull();
    expect(filesOf(world)).toEqual(ALL);
  });

  it('reaches nothing outside of its copy, installs nothing and leaves nothing running, whatever is allowed', async () => {
    const calls = ['npm install left-pad', 'cat ../../../c.mjs'].map((cmd) => ({
      name: 'run_cmd',
      args: { cmd },
    }));
    const beside = { name: 'run_cmd', args: { cmd: 'node a.mjs', background: true } };
    const provider = scriptedProvider(bySubtask({ '1.1': [...calls, beside] }), LARGE);
    await runIn(testWorld(), provider, { goal: GOAL, parallel: 2, yes: true });
    const seen = provider.requests
      .filter((request) => activeIn(request) === '1.1')
      .flatMap(({ messages }) => messages.map(textOf))
      .join('\n');
    const copy = 'This subtask is done in a copy of the folder, beside others';
    expect(seen).toContain(`${copy}: nothing is installed there.`);
    expect(seen).toContain(`${copy}: nothing runs there in the background.`);
    expect(seen).toContain(`${copy}: nothing outside of it is reached from there.`);
  });
});
