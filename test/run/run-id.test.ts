import { describe, expect, it } from 'vitest';
import { chatIn, recordsOfChat } from '../support/chat-in.ts';
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

describe('a run that another one begins', () => {
  it('names it in its first record, also where it is taken up with another', async () => {
    const world = testWorld();
    const parent = { run: 'job-7', seq: 12 };
    await runIn(world, model(), { goal: GOAL, parent, maxRounds: 1 });
    await runIn(world, model(), { goal: GOAL, parent: { run: 'x', seq: 1 } });
    expect(journalOf(world)[0]).toMatchObject({ type: 'run_opened', parent });
  });

  it.each([
    [{ parent: { run: '../x', seq: 1 } }, 'The parent of a run must have an id'],
    [{ parent: { run: 'x', seq: 0 } }, 'The parent of a run must have an id'],
    [{ worker: '' }, 'The name of a worker has 0 characters'],
    [{ worker: 'w'.repeat(201) }, 'The name of a worker has 201 characters'],
  ])('is refused with %j, before anything is opened', async (options, words) => {
    const world = testWorld();
    await expect(runIn(world, model(), { goal: GOAL, ...options })).rejects.toThrow(words);
    expect(world.read('.agent_context/history.jsonl')).toBeNull();
  });
});

it('a process that takes a run up is named as the caller calls it, beside its host', async () => {
  const world = testWorld();
  await runIn(world, model(), { goal: GOAL, maxRounds: 0, worker: 'w-1' });
  const { result } = await runIn(world, model(), { goal: null, worker: 'w-2' });
  expect(result.state.lease).toMatchObject({ token: 2, worker: 'w-2' });
  const taken = journalOf(world).filter(({ type }) => type === 'lease_taken');
  expect(taken).toMatchObject([{ token: 2, worker: 'w-2', host: world.machine().identity.host }]);
});

it('a process that takes a conversation up is named in the same way', async () => {
  const world = testWorld();
  const talk = scriptedProvider(() => 'Hello.');
  for (const worker of ['w-1', 'w-2']) {
    const { session } = await chatIn(world, talk, { worker });
    await session.send('Hi');
    await session.close();
    if (worker === 'w-1') continue;
    const taken = recordsOfChat(world, session.state.run).filter(
      (one) => one.type === 'lease_taken',
    );
    expect(taken).toMatchObject([{ token: 2, worker }]);
  }
});

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
    const first = await runIn(world, model(), { goal: GOAL, run: 'a', maxRounds: 0 });
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
