import { describe, expect, it } from 'vitest';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const WORK: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};
const model = () => scriptedProvider(diligentModel(WORK));
const GOAL = 'Write hello.mjs, which prints hello';

describe('a run that is begun under an id', () => {
  it('is one run, however often it is submitted', async () => {
    const world = testWorld();
    await runIn(world, model(), { goal: GOAL, run: 'job-7' });
    expect(journalOf(world)[0]).toMatchObject({ type: 'run_opened', run: 'job-7' });
    const again = model();
    const { result } = await runIn(world, again, { goal: GOAL, run: 'job-7' });
    expect(result).toMatchObject({ ending: 'already_finished' });
    expect(again.requests).toEqual([]);
  });

  it('goes on where it was paused, and is another one than the same goal under another id', async () => {
    const world = testWorld();
    const first = await runIn(world, model(), { goal: GOAL, run: 'a', maxRounds: 1 });
    expect(first.result).toMatchObject({ ending: 'paused' });
    const other = await runIn(world, model(), { goal: GOAL, run: 'b' });
    expect(other.result.state.run).toBe('b');
    const on = await runIn(world, model(), { goal: GOAL, run: 'a' });
    expect(on.result.state.run).toBe('a');
    expect(journalOf(world).map(({ type }) => type)).toContain('run_resumed');
  });

  it.each([
    [{ run: '../x' }, 'The id of a run has'],
    [{ run: 'x', again: true }, 'cannot begin again'],
  ])('is refused as %j', async (options, words) => {
    await expect(runIn(testWorld(), model(), { goal: GOAL, ...options })).rejects.toThrow(words);
  });

  it('is refused where the id belongs to a run of another goal', async () => {
    const world = testWorld();
    await runIn(world, model(), { goal: GOAL, run: 'x' });
    await expect(runIn(world, model(), { goal: 'Another goal', run: 'x' })).rejects.toThrow(
      'has another goal',
    );
  });
});
