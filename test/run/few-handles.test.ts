import { describe, expect, test } from 'vitest';
import { explainError } from '../../src/cli/show-error.ts';
import { chainReport, listingOf, lockOwner, readRun } from '../../src/host/journals/journal.ts';
import { repair } from '../../src/host/journals/repair.ts';
import { undoChanges, undoPlan } from '../../src/host/journals/undo.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { fileSystemError } from '../../src/lib/files/memory-file-system.ts';
import { diligentModel } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { type TestMachine, type TestWorld, testWorld, WORKSPACE } from '../support/test-machine.ts';

const HELLO = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};
/** What takes a handle, at least for a moment. */
const TAKING = ['open', 'readdir'] as const;

/** A machine that has no handle left from the `n`-th on; counts them. */
function short(machine: TestMachine, n: number, code: string) {
  let count = 0;
  const fs = delegating(machine.fs);
  const taking = Object.fromEntries(
    TAKING.map((name) => [
      name,
      (...args: never[]) => {
        count += 1;
        if (count > n)
          throw Object.assign(fileSystemError(code, name, args[0] ?? ''), { syscall: name });
        return (fs[name] as (...given: never[]) => unknown)(...args);
      },
    ]),
  ) as Partial<FileSystem>;
  return { machine: { ...machine, fs: { ...fs, ...taking } }, count: () => count };
}

/** That it is told as what it is: not our bug, no damage, with what to do. */
function expectTold(error: unknown, at: number): void {
  const shown = explainError(error, 'agent');
  expect(shown, `from handle ${at} on`).toMatchObject({ exitCode: 8, isInternal: false });
  expect(shown.message, `from handle ${at} on`).toMatch(
    /^Too many files are open .*\((EMFILE|ENFILE)\)/,
  );
  expect(shown.hint).not.toBe('');
}

const finished = async (): Promise<TestWorld> => {
  const world = testWorld();
  await runIn(world, scriptedProvider(diligentModel(HELLO)));
  return world;
};

test('a run that has no handle left, from any one on, says so and goes on later', async () => {
  const whole = short(testWorld().machine(), Number.POSITIVE_INFINITY, 'EMFILE');
  await runIn(testWorld(), scriptedProvider(diligentModel(HELLO)), { machine: whole.machine });
  const all = whole.count();
  const places = somePlaces(0, all, 150);
  let told = 0;
  for (const at of places) {
    const world = testWorld();
    const code = at % 2 === 0 ? 'EMFILE' : 'ENFILE';
    const { machine } = short(world.machine(), at, code);
    const provider = scriptedProvider(diligentModel(HELLO));
    try {
      const { result } = await runIn(world, provider, { machine });
      // Only what nobody needs was left to open.
      expect(result.ending, `from handle ${at} on`).toBe('achieved');
    } catch (error) {
      told += 1;
      expectTold(error, at);
      const again = await runIn(world, scriptedProvider(diligentModel(HELLO)));
      const { result } = again;
      // The copy could not be made: what was before the run is not known, and nothing is claimed.
      if (result.ending === 'unverified') expect(result.detail).toContain('it is not known');
      else expect(result.ending, `after handle ${at}`).toBe('achieved');
    }
  }
  expect(told).toBeGreaterThan(places.length / 2);
});

describe.each<[string, (machine: TestMachine) => unknown]>([
  ['status', (machine) => readRun(machine, WORKSPACE)],
  ['the list of runs', (machine) => listingOf(machine, WORKSPACE)],
  ['the owner of the lock', (machine) => lockOwner(machine, WORKSPACE)],
  ['the look at the chain', (machine) => chainReport(machine, WORKSPACE)],
  ['repair', (machine) => repair(machine, { workspace: WORKSPACE, forceUnlock: false })],
  ['the plan of an undo', (machine) => undoPlan(machine, WORKSPACE)],
  [
    'undo',
    (machine) =>
      undoChanges(machine, { workspace: WORKSPACE, forceUnlock: false, onRecord: () => {} }),
  ],
])('%s', (_what, work) => {
  test('without a handle left, from any one on, says so', async () => {
    const rehearsal = short((await finished()).machine(), Number.POSITIVE_INFINITY, 'EMFILE');
    work(rehearsal.machine);
    for (const at of somePlaces(0, rehearsal.count(), 24)) {
      const world = await finished();
      const { machine } = short(world.machine(), at, 'EMFILE');
      try {
        work(machine);
      } catch (error) {
        expectTold(error, at);
      }
    }
  });
});
