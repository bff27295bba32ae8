/** Loops that a model goes in, and honest work that looks like one: whole runs on a scripted model. */
import { describe, expect, it } from 'vitest';
import type { JournalRecord, RecordOf } from '../../src/schema/records.ts';
import { diligentModel, type PlannedWork, planJson, wantedBy } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { type Script, type ScriptedReply, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const WORK: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'a.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node a.mjs', prints: 'hello' },
};
const A = 'throw new Error("A");\n';
const B = 'throw new Error("B");\n';

const write = (content: string): ScriptedReply => ({
  calls: [{ name: 'write_file', args: { path: 'a.mjs', content } }],
});
const RUN: ScriptedReply = { calls: [{ name: 'run_cmd', args: { cmd: 'node a.mjs' } }] };

/** One of these after the other, from the start again when they are used up. */
function inTurn(replies: readonly ScriptedReply[]): Script {
  let next = 0;
  return (request) =>
    wantedBy(request) === 'plan' ? planJson(WORK) : (replies[next++ % replies.length] ?? RUN);
}

/** In the guided driver code comes apart from the action that names it. */
function contentsInTurn(contents: readonly string[]): Script {
  let next = 0;
  return (request, n) =>
    wantedBy(request) === 'content'
      ? `\`\`\`js\n${contents[next++ % contents.length]}\`\`\``
      : diligentModel(WORK)(request, n);
}

const actions = (records: readonly JournalRecord[]) =>
  records.flatMap((one) =>
    one.type === 'action_finished' && one.does !== 'sets_plan' ? [one] : [],
  );

const isBlocked = ({ status }: { status: string }): boolean => status === 'blocked';

/** Blocked, or, of a repair that only goes back, refused as what it is. */
const isStopped = (action: RecordOf<'action_finished'>): boolean =>
  isBlocked(action) || /the same as an earlier answer/.test(String(action.result));

describe('a model that goes in circles is blocked within eight actions and ends before round 20', () => {
  const LOOPS: readonly (readonly [string, Script, 'native' | 'json'])[] = [
    ['two contents in turn', inTurn([write(A), write(B)]), 'native'],
    ['two contents in turn, each run', inTurn([write(A), RUN, write(B), RUN]), 'native'],
    ['two bad contents in turn, in json mode', contentsInTurn([A, B]), 'json'],
  ];
  it.each(LOOPS)('%s', async (_, script, toolMode) => {
    const run = await runIn(testWorld(), scriptedProvider(script), { toolMode });
    const { result, records } = run;
    const stoppedAt = actions(records).findIndex(isStopped);
    expect(stoppedAt).toBeGreaterThan(0);
    expect(stoppedAt).toBeLessThanOrEqual(8);
    expect(result.ending).not.toBe('paused');
    expect(result.ending).not.toBe('achieved');
    // Setting a plan goes in no circle.
    const plans = records.filter(
      (one) => one.type === 'action_finished' && one.does === 'sets_plan',
    );
    expect(result.state.counters.rounds - plans.length).toBeLessThan(20);
  });
});

describe('a model that insists on a blocked call', () => {
  const LOOPS: readonly (readonly [string, Script])[] = [
    ['and makes no plan', () => write(A)],
    ['and plans it again', inTurn([write(A)])],
  ];
  it.each(LOOPS)('%s: the run ends within 20 turns', async (_, script) => {
    const model = scriptedProvider(script);
    const { result } = await runIn(testWorld(), model, { toolMode: 'native' });
    expect(model.requests.length).toBeLessThanOrEqual(20);
    expect(result.ending).toBe('failed');
    expect(result.detail).toContain('again and again without effect');
  });
});

it('what was held back is told in loops.json and in the ledger, with the call', async () => {
  const world = testWorld();
  const options = { toolMode: 'native' } as const;
  await runIn(world, scriptedProvider(inTurn([write(A), write(B)])), options);
  const { blocked, recent } = JSON.parse(world.read('.agent_context/loops.json') ?? '');
  const args = JSON.stringify({ path: 'a.mjs', content: A.trim() });
  const call = { tool: 'write_file', args, rule: 'alternating', round: 5 };
  expect(blocked[0]).toEqual({ ...call, time: '2023-11-14T22:13:20.000Z' });
  expect(recent).toHaveLength(4);
  const ledger = world.read('.agent_context/agent_ledger.log') ?? '';
  expect(ledger).toMatch(/Z TRIED write_file \{"path":"a\.mjs","content":"throw .*\} blocked\n/);
});

describe('work that only looks like a loop', () => {
  it('ten honest repairs in a row, each with the same failing run, are never blocked', async () => {
    const repairs = Array.from({ length: 10 }, (_, n) => [
      write(`${A}// ${'try '.repeat(n + 1)}\n`),
      RUN,
    ]).flat();
    const done: ScriptedReply[] = [
      write('console.log("hello");\n'),
      RUN,
      { calls: [{ name: 'mark_subtask_complete', args: { success: true } }] },
    ];
    const script = inTurn([...repairs, ...done]);
    const goal = 'Write a.mjs: node a.mjs prints "hello"';
    const options = { goal, toolMode: 'native', maxRounds: 40 } as const;
    const { result, records } = await runIn(testWorld(), scriptedProvider(script), options);
    expect(actions(records).filter(isBlocked)).toEqual([]);
    expect(result.ending).toBe('achieved');
  });
});
