/** An example that the goal states is tried, and what does not hold is mended. */
import { describe, expect, it } from 'vitest';
import { diligentModel } from '../support/models.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const WRONG = 'export const double = (n) => n + 2;\n';
const RIGHT = 'export const double = (n) => n * 2;\n';

const examples = [{ quote: '', part: 1, how: 'call', input: 'double(5)', result: '10' }] as const;

const triedIn = (world: TestWorld) =>
  journalOf(world).flatMap((record) =>
    record.type === 'check_ran' && 'type' in record.check && record.check.type === 'goal_example'
      ? [{ passed: record.passed, text: String(record.text) }]
      : [],
  );

const doubling = (): TestWorld => {
  const world: TestWorld = testWorld((args, _stdin, see) => {
    const [code] = args.filter((arg) => arg.includes('double'));
    if (code === undefined) return { output: 'all is well\n', exitCode: 0 };
    const text = see('tools.mjs');
    if (text == null) return { output: 'no such module\n', exitCode: 1 };
    const given = Number(/double\)\((-?\d+)\)/.exec(code)?.[1]);
    const value = text === RIGHT ? given * 2 : given + 2;
    const wanted = Number(/same\(v, (-?\d+)\)/.exec(code)?.[1]);
    return { output: `gives ${value}\n`, exitCode: value === wanted ? 0 : 1 };
  });
  return world;
};

async function play(versions: readonly string[]) {
  const world = doubling();
  const model = diligentModel({
    subtasks: [{ action: 'write_file', file: 'tools.mjs', purpose: 'doubles a number' }],
    verify: { cmd: 'node tools.mjs', prints: 'well' },
    files: { 'tools.mjs': versions },
  });
  const goal = 'Write tools.mjs with double(n): double(5) gives 10. It prints "all is well".';
  const { result } = await runIn(world, scriptedProvider(model, { examples }), {
    goal,
    toolMode: 'json',
  });
  return { result, tried: triedIn(world), world };
}

describe('an example that the goal states', () => {
  it('passes before the proof', async () => {
    const { result, tried } = await play([RIGHT]);
    expect(result.ending).toBe('achieved');
    expect(tried).toEqual([{ passed: true, text: 'as the goal says: double(5) gives 10' }]);
  });

  it('is mended where it does not hold, and said with what came instead', async () => {
    const { result, tried, world } = await play([WRONG, RIGHT]);
    expect(tried[0]).toMatchObject({ passed: false });
    expect(tried[0]?.text).toBe('The goal says: double(5) gives 10, but it gives 7');
    expect(tried.at(-1)).toMatchObject({ passed: true });
    expect(world.read('tools.mjs')).toBe(RIGHT);
    expect(result.ending).toBe('achieved');
  });

  it('that never holds ends no run as achieved', async () => {
    const { result } = await play([WRONG]);
    expect(result.ending).not.toBe('achieved');
  });
});

describe('an example that never holds for a model that leads', () => {
  const done = { name: 'mark_subtask_complete', args: { success: true, reason: 'as asked' } };
  const goal = 'Write tools.mjs with double(n).\ndouble(5) gives 10';
  const brief = [{ quote: 'double(5) gives 10', call: 'double(5)', gives: '10' }];
  const tasks = [{ description: 'it', subtasks: [{ do: 'write it', files: ['tools.mjs'] }] }];

  it.each([
    ['node tools.mjs', 'unverified', 'the goal says double(5) gives 10, which does not hold'],
    ['node gone.mjs double', 'failed', 'the proof did not pass: node gone.mjs double: '],
  ])('is the reason at the end, or the proof is: %s', async (cmd, ending, reason) => {
    const plan = { name: 'set_plan', args: { tasks, proof: { cmd }, brief } };
    const write = { name: 'write_file', args: { path: 'tools.mjs', content: WRONG } };
    const provider = scriptedProvider(
      ({ messages }) => ({
        calls: messages.some(({ role }) => role === 'assistant') ? [done] : [plan, write, done],
      }),
      LARGE,
    );
    const { result } = await runIn(doubling(), provider, { goal });
    expect(result.ending).toBe(ending);
    expect(result).toMatchObject({ detail: expect.stringContaining(reason) });
  });
});

describe('an example that held before the run', () => {
  const goal = 'Today double(5) gives 7. Mend tools.mjs.';
  const before = [{ quote: '', part: 1, how: 'call', input: 'double(5)', result: '7' }] as const;

  async function mend(versions: readonly string[]) {
    const world = doubling();
    world.write('tools.mjs', WRONG);
    const model = diligentModel({
      subtasks: [{ action: 'write_file', file: 'tools.mjs', purpose: 'doubles a number' }],
      verify: { cmd: 'node tools.mjs', prints: '' },
      files: { 'tools.mjs': versions },
    });
    const provider = scriptedProvider(model, { examples: before });
    const { result } = await runIn(world, provider, { goal, toolMode: 'json' });
    return { result, tried: triedIn(world), world };
  }

  it('tells how things were: that it does not hold any more is no fault', async () => {
    const { tried } = await mend([RIGHT]);
    expect(tried).toEqual([
      { passed: true, text: expect.stringContaining('set aside, it was so before') },
    ]);
  });

  it('proves nothing where it holds still', async () => {
    const { result } = await mend([`${WRONG}// as it was\n`]);
    expect(result.ending).not.toBe('achieved');
  });
});

describe('what must not come out', () => {
  it.each([
    'Write tools.mjs with double(n): double(5) must not give 7.',
    'Schreibe tools.mjs mit double(n): double(5) darf nicht 7 ergeben.',
    '写 tools.mjs，里面有 double(n)：double(5)不返回7。',
  ])('is no example, whatever the model says: %s', async (goal) => {
    const world = doubling();
    const model = diligentModel({
      subtasks: [
        { action: 'write_file', file: 'tools.mjs', purpose: 'doubles a number' },
        { action: 'write_file', file: 'tools.test.mjs', purpose: 'tests it' },
      ],
      verify: { cmd: 'node tools.mjs' },
      files: { 'tools.mjs': [WRONG], 'tools.test.mjs': ["import './tools.mjs';\n"] },
    });
    const says = [{ quote: '', part: 1, how: 'call', input: 'double(5)', result: '7' }] as const;
    const { result } = await runIn(world, scriptedProvider(model, { examples: says }), {
      goal,
      toolMode: 'json',
    });
    expect(triedIn(world)).toEqual([]);
    expect(result.ending).not.toBe('achieved');
  });
});
