/** A command for one run makes it the current one for a moment: the former one comes back, and nothing stays half done. */
import { expect, it } from 'vitest';
import { adopt } from '../../../src/host/journals/adopt.ts';
import { apply } from '../../../src/host/journals/apply.ts';
import { listingOf, readRun } from '../../../src/host/journals/journal.ts';
import { undo } from '../../../src/host/library/queries.ts';
import { isSwapping } from '../../../src/schema/journal/swap.ts';
import { diligentModel } from '../../support/models.ts';
import { type RunIn, runIn, UNSTATED } from '../../support/run-in.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../../support/test-machine.ts';

const GIVEN = 'console.log("old");\n';
const GOAL = 'Make app.mjs print new';
const originKey = new Uint8Array(32).fill(7);
const key = { kind: 'ok', key: originKey } as const;
const KEYS = { find: () => key, findOrMake: () => key };

/** A run that changes a file that was there, which nothing proves. */
function withheldIn(world: TestWorld, more: RunIn = {}) {
  const model = diligentModel({
    subtasks: [{ action: 'write_file', file: 'app.mjs', purpose: 'prints new' }],
    files: { 'app.mjs': ['console.log("new");\n'] },
  });
  return runIn(world, scriptedProvider(model), {
    ...{ goal: GOAL, toolMode: 'json', originKey },
    ...more,
  });
}

const otherIn = (world: TestWorld) =>
  runIn(world, scriptedProvider(diligentModel({ subtasks: [] })), { goal: UNSTATED, originKey });

function folder(): TestWorld {
  const world = testWorld();
  world.write('app.mjs', GIVEN);
  return world;
}

const idOf = (world: TestWorld, goal: string): string =>
  listingOf(world.machine(), WORKSPACE).find((run) => run.goal === goal)?.id ?? '';

const currentIn = (world: TestWorld) => readRun(world.machine(), WORKSPACE);

async function withTwo() {
  const world = folder();
  await withheldIn(world);
  await otherIn(world);
  const request = { workspace: WORKSPACE, run: idOf(world, GOAL), forceUnlock: false };
  return { world, request: { ...request, onRecord: () => {} } };
}

it('a run that cannot be applied leaves the former run the current one', async () => {
  const { world, request } = await withTwo();
  const foreign = () => {
    throw new Error('not yours');
  };
  expect(() => apply(world.machine(), request, foreign)).toThrow('not yours');
  expect(currentIn(world)?.goal).toBe(UNSTATED);
  await undo({ ...request, machine: world.machine() });
  expect(() => apply(world.machine(), request, () => {})).toThrow('was undone');
  expect(currentIn(world)?.goal).toBe(UNSTATED);
});

it('a run whose changes were applied only in part stays the current one, so that a start finishes it', async () => {
  const { world, request } = await withTwo();
  const stop = () => {
    throw new Error('stopped');
  };
  expect(() => apply(world.machine(), { ...request, onRecord: stop }, () => {})).toThrow('stopped');
  expect(currentIn(world)?.goal).toBe(GOAL);
});

it('adopting another run first finishes the swap that was cut off in the current one', async () => {
  const world = folder();
  await otherIn(world);
  const machine = world.machine();
  const dies = ({ type }: { type: string }) => {
    if (type === 'swap_started') machine.kill();
  };
  await expect(withheldIn(world, { machine, onRecord: dies })).rejects.toThrow();
  expect(isSwapping(currentIn(world) ?? {})).toBe(true);
  const request = { workspace: WORKSPACE, run: idOf(world, UNSTATED), forceUnlock: false };
  adopt(world.machine(), KEYS, request);
  expect(currentIn(world)?.goal).toBe(UNSTATED);
  expect(isSwapping(readRun(world.machine(), WORKSPACE, idOf(world, GOAL)) ?? {})).toBe(false);
  expect(world.read('app.mjs')).toBe(GIVEN);
});
