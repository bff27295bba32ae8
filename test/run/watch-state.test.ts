import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { layoutOf } from '../../src/journal/layout.ts';
import { acquireLock } from '../../src/journal/lock/lock.ts';
import { replaceFile } from '../../src/lib/files/durable-files.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import type { Provider } from '../../src/llm/provider.ts';
import type { ProcessHooks } from '../../src/processes/contract.ts';
import { watchState } from '../../src/run/watch-state.ts';
import { diligentModel } from '../support/models.ts';
import { journalOf, runIn, UNSTATED } from '../support/run-in.ts';
import { type ScriptedProvider, scriptedProvider } from '../support/scripted-provider.ts';
import { type TestMachine, testWorld, WORKSPACE } from '../support/test-machine.ts';

const LAYOUT = layoutOf(WORKSPACE);
const WORK = {
  subtasks: [
    { action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' },
    { action: 'run_cmd', cmd: 'node hello.mjs', purpose: 'shows it' },
  ],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};
const GONE = { code: 'E_STATE_GONE', message: expect.stringContaining('was saved to ') };
const TAKEN = { code: 'E_FENCED', message: expect.stringContaining('lock') };

/** A machine whose seconds pass when it is told so. */
function ticking(machine: TestMachine) {
  const actions = new Set<() => void>();
  const every = (ms: number, action: () => void) => {
    expect(ms).toBeLessThanOrEqual(1000);
    actions.add(action);
    return () => void actions.delete(action);
  };
  return {
    machine: { ...machine, clock: { ...machine.clock, every } },
    second: () => {
      for (const action of actions) action();
    },
    isStopped: () => actions.size === 0,
  };
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

function removeTree(fs: FileSystem, path: string): void {
  if (fs.lstat(path).kind === 'directory') {
    for (const name of fs.readdir(path)) removeTree(fs, join(path, name));
    fs.rmdir(path);
  } else fs.unlink(path);
}

/** What is done to the state, and what the run must end with. */
const DAMAGE: readonly [string, (fs: FileSystem) => void, object][] = [
  ['the folder is removed', (fs) => removeTree(fs, LAYOUT.root), GONE],
  ['the folder is renamed', (fs) => fs.rename(LAYOUT.root, join(WORKSPACE, 'x')), GONE],
  ['the journal is removed', (fs) => fs.unlink(LAYOUT.history), GONE],
  [
    'another journal stands there',
    (fs) => replaceFile(fs, LAYOUT.history, Buffer.from('{}\n')),
    GONE,
  ],
  ['the lock is removed', (fs) => removeTree(fs, LAYOUT.lock), TAKEN],
  ['the lock is taken over', takeOver, TAKEN],
];

function takeOver(fs: FileSystem): void {
  const startTimeOf = () => null;
  const identity = { host: 'else', boot: 'b', pidNamespace: 'n', pid: 7, startTimeOf };
  acquireLock({ fs, directory: LAYOUT.lock, identity, clock: { now: () => 0 } }, { force: true });
}

/** Both waits end by the same look: in turn. */
describe.each(DAMAGE.filter((_, at) => at % 2 === 0))('while %s', (_what, damage, ending) => {
  test('a command is ended within the second, and so is the run', async () => {
    const world = testWorld();
    const { machine, second, isStopped } = ticking(world.machine());
    let isEnded = false;
    const processes: TestMachine['processes'] = (...args) => ({
      ...machine.processes(...args),
      run: async (_request, hooks: ProcessHooks) => {
        hooks.onSpawn?.(9001, 'then');
        damage(machine.fs);
        second();
        await untilAborted(hooks.signal);
        isEnded = true;
        return {
          ...{ kind: 'cancelled', exitCode: null, signal: null, output: '' },
          ...{ truncatedBytes: 0, durationMs: 0 },
        };
      },
    });
    const provider = scriptedProvider(diligentModel(WORK));
    const run = runIn(world, provider, { machine: { ...machine, processes } });
    await expect(run).rejects.toMatchObject(ending);
    expect(isEnded).toBe(true);
    expect(isStopped()).toBe(true);
  });
});

describe.each(DAMAGE.filter((_, at) => at % 2 === 1))('while %s', (_what, damage, ending) => {
  test('a request is given up within the second, and so is the run', async () => {
    const world = testWorld();
    const { machine, second } = ticking(world.machine());
    const model = scriptedProvider(diligentModel(WORK));
    const provider = waitingAt(2, model, () => {
      damage(machine.fs);
      second();
    });
    await expect(runIn(world, provider, { goal: UNSTATED, machine })).rejects.toMatchObject(ending);
    expect(model.requests).toHaveLength(1);
  });
});

/** Its `n`-th answer never comes. */
function waitingAt(n: number, provider: ScriptedProvider, onWait: () => void): Provider {
  let asked = 0;
  return {
    ...provider,
    async *stream(request, signal, deadlines) {
      asked += 1;
      if (asked === n) {
        onWait();
        await untilAborted(signal);
      } else yield* provider.stream(request, signal, deadlines);
    },
  };
}

test('a look that finds all as it was changes nothing', async () => {
  const world = testWorld();
  const { machine, second, isStopped } = ticking(world.machine());
  const provider = scriptedProvider(diligentModel(WORK));
  const { result, records } = await runIn(world, provider, { machine, emit: second });
  expect(result.ending).toBe('achieved');
  expect(isStopped()).toBe(true);
  const calm = await runIn(testWorld(), scriptedProvider(diligentModel(WORK)));
  expect(records.map(({ type }) => type)).toEqual(calm.records.map(({ type }) => type));
});

test('what was saved goes on as if nothing had been', async () => {
  const world = testWorld();
  const { machine } = ticking(world.machine());
  const run = runIn(world, scriptedProvider(diligentModel(WORK)), {
    machine,
    onRecord: ({ type }) => {
      if (type === 'action_finished') removeTree(machine.fs, LAYOUT.root);
    },
  });
  const error = await run.catch((reason: unknown) => reason);
  expect(error).toMatchObject(GONE);
  const place = / saved to (\S+)\.$/.exec((error as Error).message)?.[1] ?? '';
  machine.fs.rename(place, LAYOUT.history);
  const provider = scriptedProvider(diligentModel(WORK));
  const { result } = await runIn(world, provider, { goal: null });
  expect(result.ending).toBe('achieved');
  expect(journalOf(world).filter(({ type }) => type === 'plan_set')).toHaveLength(1);
  expect(world.commands.map(({ line }) => line)).toContain('node hello.mjs');
});

test('a folder that goes while a text is read back is what is said, not a damaged blob', async () => {
  const world = testWorld();
  const { machine } = ticking(world.machine());
  const model = scriptedProvider(diligentModel(WORK));
  const provider = waitingAt(2, model, () => {
    removeTree(machine.fs, LAYOUT.root);
    throw new Error('the provider broke too');
  });
  await expect(runIn(world, provider, { goal: UNSTATED, machine })).rejects.toMatchObject(GONE);
});

describe('a command that runs for long', () => {
  const watched = (intents: object, isDurable: boolean, refuses = false) => {
    let syncs = 0;
    let second = (): void => {};
    const every = (_ms: number, action: () => void) => {
      second = action;
      return () => {};
    };
    const sync = (): void => {
      syncs += 1;
      if (refuses) throw new Error('the disk refuses');
    };
    const journal = { watch: { reason: () => null }, isDurable };
    const context = { journal, state: { intents }, sync };
    const clock = { ...testWorld().machine().clock, every };
    watchState({ isOurs: () => true, context }, { clock, signal: new AbortController().signal });
    second();
    return syncs;
  };

  test('has what it began on the disk within a second, where it is not yet', () => {
    expect(watched({ '1.1#1#0': {} }, false)).toBe(1);
    expect(watched({ '1.1#1#0': {} }, true)).toBe(0);
    expect(watched({}, false)).toBe(0);
  });

  test('goes on where the disk refuses: the next barrier says so', () => {
    expect(watched({ '1.1#1#0': {} }, false, true)).toBe(1);
  });
});
