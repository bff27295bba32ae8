import { describe, expect, it } from 'vitest';
import { undo } from '../../../src/host/journals/undo.ts';
import type { ModelRequest } from '../../../src/schema/model/turn.ts';
import type { JournalRecord, RecordOf } from '../../../src/schema/records.ts';
import { turnsIn } from '../../../src/schema/state-parts/children.ts';
import { diligentModel, type PlannedWork } from '../../support/models.ts';
import { type RunIn, runIn } from '../../support/run-in.ts';
import { LARGE, type Script, scriptedProvider } from '../../support/scripted-provider.ts';
import { someKills } from '../../support/some-kills.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../../support/test-machine.ts';

const NAMES = ['a', 'b', 'c', 'd'];

const PLAN = {
  tasks: [
    {
      description: 'four files',
      subtasks: NAMES.map((name) => ({
        ...{ do: `write ${name}.mjs`, files: [`${name}.mjs`], independent: true },
      })),
    },
  ],
  proof: { cmd: 'node a.mjs', prints: 'a' },
};

const textOf = ({ content }: ModelRequest['messages'][number]): string =>
  typeof content === 'string' ? content : '';

/** The subtask that the request is about: the one that was named last. */
const activeIn = ({ messages }: ModelRequest): string =>
  [
    ...messages
      .map(textOf)
      .join('\n')
      .matchAll(/ACTIVE SUBTASK (\d+\.\d+)/g),
  ].at(-1)?.[1] ?? '';

const contentOf = (name: string): string => `console.log("${name}");\n`;

/** It answers by the subtask and by what was done of it since that was named. */
const bySubtask: Script = (request) => {
  const id = activeIn(request);
  if (id === '') return { calls: [{ name: 'set_plan', args: PLAN }] };
  const name = NAMES[Number(id.split('.')[1]) - 1] ?? '';
  const at = request.messages.findLastIndex((one) => textOf(one).includes(`ACTIVE SUBTASK ${id}`));
  const isWritten = request.messages.slice(at + 1).some(({ role }) => role === 'tool');
  if (!isWritten)
    return {
      calls: [{ name: 'write_file', args: { path: `${name}.mjs`, content: contentOf(name) } }],
    };
  const end = { success: true, reason: `${name} is written` };
  return { calls: [{ name: 'mark_subtask_complete', args: end }] };
};

const newWorld = (): TestWorld => testWorld();

const GOAL = 'Write four files: node a.mjs prints "a"';

const run = (world: TestWorld, options: RunIn = {}, script: Script = bySubtask) =>
  runIn(world, scriptedProvider(script, LARGE), { goal: GOAL, ...options });

const of = <Type extends JournalRecord['type']>(records: readonly JournalRecord[], type: Type) =>
  records.filter((one): one is RecordOf<Type> => one.type === type);

const filesOf = (world: TestWorld) => NAMES.map((name) => world.read(`${name}.mjs`));

const ALL = NAMES.map(contentOf);

describe('subtasks that need no other', () => {
  it('are done in the run itself where nothing else is asked for', async () => {
    const world = newWorld();
    const { records, result } = await run(world);
    expect(result.ending).toBe('achieved');
    expect(of(records, 'child_started')).toEqual([]);
    expect(filesOf(world)).toEqual(ALL);
  });

  it('are runs of their own, joined and told in the order of the plan, and leave the same bytes', async () => {
    const world = newWorld();
    const { records, result } = await run(world, { parallel: 4 });
    expect(result).toMatchObject({ ending: 'achieved' });
    expect(turnsIn(result.state)).toBe(1 + 2 * NAMES.length);
    const ids = NAMES.map((_, at) => `1.${at + 1}`);
    expect(of(records, 'child_started').map(({ subtask }) => subtask)).toEqual(ids);
    expect(of(records, 'child_joined')).toMatchObject(
      NAMES.map((name, at) => ({ subtask: ids[at], status: 'completed', files: [`${name}.mjs`] })),
    );
    const told = of(records, 'message_added').filter(({ cause }) => cause === 'child_joined');
    expect(told.map(({ text }) => text)).toEqual(
      NAMES.map(
        (name, at) =>
          `Subtask ${ids[at]}, worked on in a copy of the folder, is completed. It changed ${name}.mjs. ${name} is written`,
      ),
    );
    expect(filesOf(world)).toEqual(ALL);
  });

  it('begin with the conversation up to the plan, to the byte', async () => {
    const provider = scriptedProvider(bySubtask, LARGE);
    await runIn(newWorld(), provider, { goal: GOAL, parallel: 2 });
    const [first, ...others] = provider.requests;
    expect(others.length).toBe(8);
    for (const { messages, tools } of others) {
      expect(messages.slice(0, first?.messages.length)).toEqual(first?.messages);
      expect(tools).toEqual(first?.tools);
    }
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

  it.each([
    [1, 0],
    [4, 4],
  ])('leaves the same bytes with %i at once, and ends as well', async (parallel, children) => {
    const world = newWorld();
    const options = { toolMode: 'json' as const, parallel };
    const { records, result } = await run(world, options, diligentModel(WORK));
    expect(of(records, 'child_joined')).toHaveLength(children);
    expect(filesOf(world)).toEqual(ALL);
    expect(result.ending).toBe('achieved');
  });
});

describe('a run killed while its subtasks are runs', () => {
  const texts = (provider: { readonly requests: readonly ModelRequest[] }) =>
    [...new Set(provider.requests.map((request) => JSON.stringify(request)))].sort();

  it('asks what it would have asked, and ends with the same files', async () => {
    const calm = scriptedProvider(bySubtask, LARGE);
    let count = 0;
    await runIn(newWorld(), calm, { goal: GOAL, parallel: 3, onRecord: () => (count += 1) });
    expect(count).toBeGreaterThan(60);
    const every = Array.from({ length: count - 8 }, (_, at) => at + 8);
    for (const at of someKills(every, 34, 5)) {
      const world = newWorld();
      const provider = scriptedProvider(bySubtask, LARGE);
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
      expect([at, texts(provider)]).toEqual([at, texts(calm)]);
      expect(filesOf(world)).toEqual(ALL);
    }
  });
});

describe('a subtask that was a run of its own', () => {
  it('is done again in the run where somebody changed its file meanwhile', async () => {
    const world = newWorld();
    const meddling: Script = (request, n) => {
      if (activeIn(request) === '1.3') world.write('b.mjs', 'of somebody else\n');
      return bySubtask(request, n);
    };
    const { records } = await run(world, { parallel: 2 }, meddling);
    expect(of(records, 'child_joined')).toMatchObject([
      { subtask: '1.1', status: 'completed' },
      { subtask: '1.2', files: [], summary: 'b.mjs is not as it was when it began' },
      { subtask: '1.3', status: 'completed' },
      { subtask: '1.4', status: 'completed' },
    ]);
    expect(of(records, 'subtask_started')).toMatchObject([{ subtask: '1.2' }]);
    expect(filesOf(world)[0]).toBe(contentOf('a'));
  });

  it('installs nothing, leaves nothing running and reaches nothing outside of its copy', async () => {
    const calls = [
      { name: 'run_cmd', args: { cmd: 'npm install left-pad' } },
      { name: 'run_cmd', args: { cmd: 'node a.mjs', background: true } },
      { name: 'run_cmd', args: { cmd: 'cat ../../../c.mjs' } },
    ];
    const reaching: Script = (request, n) => {
      const reply = bySubtask(request, n);
      const isWrite = typeof reply !== 'string' && reply.calls?.[0]?.name === 'write_file';
      return isWrite && activeIn(request) === '1.1'
        ? { calls: [...calls, ...(reply.calls ?? [])] }
        : reply;
    };
    const provider = scriptedProvider(reaching, LARGE);
    await runIn(newWorld(), provider, { goal: GOAL, parallel: 2, yes: true });
    const seen = provider.requests.flatMap(({ messages }) => messages.map(textOf)).join('\n');
    const copy = 'This subtask is done in a copy of the folder, beside others';
    expect(seen).toContain(`${copy}: nothing is installed there.`);
    expect(seen).toContain(`${copy}: nothing runs there in the background.`);
    expect(seen).toContain(`${copy}: nothing outside of it is reached from there.`);
  });

  it('is undone with the run', async () => {
    const world = newWorld();
    await run(world, { parallel: 2 });
    expect(filesOf(world)).toEqual(ALL);
    await undo(
      world.machine(),
      { workspace: WORKSPACE, forceUnlock: false, onRecord: () => {} },
      () => {},
    );
    expect(filesOf(world)).toEqual([null, null, null, null]);
  });

  it('asks in the name of the run, which waits where nobody is there and goes on with the answer', async () => {
    const asking: Script = (request, n) => {
      const reply = bySubtask(request, n);
      const isWrite = typeof reply !== 'string' && reply.calls?.[0]?.name === 'write_file';
      const remove = { name: 'delete_file', args: { path: 'old.txt' } };
      if (!isWrite || activeIn(request) !== '1.2') return reply;
      return { calls: [remove, remove, ...(reply.calls ?? [])] };
    };
    const world = newWorld();
    world.write('old.txt', 'old\n');
    const waiting = await run(world, { parallel: 2 }, asking);
    expect(waiting.result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(waiting.result.state.permissions?.open).toMatchObject([
      { tool: 'delete_file', target: 'old.txt' },
    ]);
    const asked: string[] = [];
    const ask = async ({ target }: { readonly target: string }) => {
      asked.push(target);
      return 'once' as const;
    };
    const { result } = await run(world, { parallel: 2, ask }, asking);
    expect(asked).toEqual(['old.txt']);
    expect(result.state.permissions?.open).toEqual([]);
    expect(world.read('old.txt')).toBeNull();
    expect(filesOf(world)).toEqual(ALL);
  });

  it('has a share of what is left of the limits, and pauses the run where all is used', async () => {
    const world = newWorld();
    const first = await run(world, { parallel: 2, maxRounds: 6 });
    expect(first.result).toMatchObject({ ending: 'paused', why: 'limit_rounds' });
    const { result } = await run(world, { parallel: 2, maxRounds: 40 });
    expect(result.ending).toBe('achieved');
    expect(filesOf(world)).toEqual(ALL);
  });
});
