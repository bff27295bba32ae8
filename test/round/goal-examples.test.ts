/** An example that the goal states is tried, and what does not hold is mended. */
import { describe, expect, it } from 'vitest';
import { diligentModel } from '../support/models.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const WRONG = 'export const double = (n) => n + 2;\n';
const RIGHT = 'export const double = (n) => n * 2;\n';

async function play(versions: readonly string[]) {
  const world: TestWorld = testWorld((args) => {
    const value = world.read('tools.mjs') === RIGHT ? 10 : 7;
    if (!args.includes('-e')) return { output: 'all is well\n', exitCode: 0 };
    return { output: `gives ${value}\n`, exitCode: value === 10 ? 0 : 1 };
  });
  const model = diligentModel({
    subtasks: [{ action: 'write_file', file: 'tools.mjs', purpose: 'doubles a number' }],
    verify: { cmd: 'node tools.mjs', prints: 'well' },
    files: { 'tools.mjs': versions },
  });
  const goal = 'Write tools.mjs with double(n): double(5) gives 10. It prints "all is well".';
  const { result } = await runIn(world, scriptedProvider(model), { goal, toolMode: 'json' });
  const tried = journalOf(world).flatMap((record) =>
    record.type === 'check_ran' && 'type' in record.check && record.check.type === 'goal_example'
      ? [{ passed: record.passed, text: String(record.text) }]
      : [],
  );
  return { result, tried, world };
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
    expect(tried[0]?.text).toMatch(/^The goal says: double\(5\) gives 10\n[\s\S]*gives 7/);
    expect(tried.at(-1)).toMatchObject({ passed: true });
    expect(world.read('tools.mjs')).toBe(RIGHT);
    expect(result.ending).toBe('achieved');
  });

  it('that never holds ends no run as achieved', async () => {
    const { result } = await play([WRONG]);
    expect(result.ending).not.toBe('achieved');
  });
});
