/** A run on a durable engine, worked on slice by slice by workers that die at every boundary. */
import { describe, expect, it } from 'vitest';
import type { Slice } from '../../src/fleet/contract.ts';
import { watchLeases } from '../../src/journal/lock/lease.ts';
import { acquireLock } from '../../src/journal/lock/lock.ts';
import { machineWithGit, worldWithGit } from '../support/git-world.ts';
import { diligentModel, type PlannedWork, wantedBy } from '../support/models.ts';
import { journalOf } from '../support/run-in.ts';
import type { Script } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { type TestMachine, type TestWorld, testWorld, WORKSPACE } from '../support/test-machine.ts';
import { inProcess, REQUEST } from './in-process.ts';
import { hurriedLeases, type TestWorker, type WorkerParts, workerIn } from './worlds.ts';

const WORK: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};
const GOAL = 'Write hello.mjs: node hello.mjs prints "hello"';
const COMMIT = 'git commit -m "a b"';
const RUN = 'greeting';
const request = { ...REQUEST, run: RUN, workspace: WORKSPACE, goal: GOAL };
const ENDED = { slice: { is: 'ended', ending: 'achieved', exitCode: 0 } };

/** Workers one after the other on the same disk: the one before is dead. */
function workers(parts: WorkerParts) {
  const all: TestWorker[] = [];
  return {
    all,
    next: (): TestWorker => {
      all.at(-1)?.die();
      const worker = workerIn(parts);
      all.push(worker);
      return worker;
    },
  };
}

const lab = ({ world = testWorld(), ...parts }: Partial<WorkerParts> = {}) => {
  const whole = { world, script: diligentModel(WORK), ...parts };
  return { world, whole, ...workers(whole) };
};

describe('a run in a fleet', () => {
  it('comes to the ending that it has in one process, in slices of a turn or an action', async () => {
    const { world, next } = lab();
    const engine = inProcess(next);
    await engine.submit(request);
    await engine.drain();
    expect(await engine.standing(RUN)).toMatchObject(ENDED);
    expect(world.read('hello.mjs')).toBe('console.log("hello");\n');
    expect(journalOf(world)[0]).toMatchObject({ type: 'run_opened', run: RUN });
  });

  it('is one run however often it is submitted', async () => {
    const { world, next } = lab();
    const engine = inProcess(next);
    await engine.submit(request);
    await engine.submit(request);
    await engine.drain();
    await engine.submit(request);
    await engine.drain();
    const opened = journalOf(world).filter(({ type }) => type === 'run_opened');
    const turns = journalOf(world).filter(({ type }) => type === 'turn_finished');
    const alone = lab();
    const once = inProcess(alone.next);
    await once.submit(request);
    await once.drain();
    expect(opened).toHaveLength(1);
    expect(turns).toHaveLength(
      journalOf(alone.world).filter(({ type }) => type === 'turn_finished').length,
    );
  });

  it('ends the same where its worker dies at boundaries between engine and slice', async () => {
    let most = 0;
    const whole = lab();
    const counting = inProcess(whole.next, (_, nth) => {
      most = nth;
      return false;
    });
    await counting.submit(request);
    await counting.drain();
    expect(most).toBeGreaterThan(9);
    for (const dead of somePlaces(1, most + 1, 9)) {
      const { world, next } = lab();
      const engine = inProcess(next, (_, nth) => nth === dead);
      await engine.submit(request);
      await engine.drain();
      expect([dead, await engine.standing(RUN)]).toMatchObject([dead, ENDED]);
      expect(world.read('hello.mjs')).toBe('console.log("hello");\n');
    }
  });

  it('ends the same where its worker dies at records that a slice writes', async () => {
    const { world: whole, next } = lab();
    const once = inProcess(next);
    await once.submit(request);
    await once.drain();
    const records = journalOf(whole).length;
    for (const dead of somePlaces(1, records + 1, 17)) {
      let written = 0;
      const cut = lab({
        wrote: (_, machine) => {
          written += 1;
          if (written === dead) machine.kill();
        },
      });
      const engine = inProcess(cut.next);
      await engine.submit(request);
      await engine.drain();
      expect([dead, await engine.standing(RUN)]).toMatchObject([dead, ENDED]);
      const tokens = journalOf(cut.world).flatMap((one) =>
        one.type === 'lease_taken' ? one.token : [],
      );
      expect(tokens).toEqual(tokens.toSorted((one, other) => one - other));
      expect(new Set(tokens).size).toBe(tokens.length);
    }
  });
});

describe('a run in a fleet whose command was cut off', () => {
  it('names it unknown once and never begins it again, wherever the next worker dies while it takes over', async () => {
    // A worker of its own: it dies as its command is under way.
    const cutAt = async (nth: number) => {
      let written = 0;
      let deaths = 0;
      const cut = lab({
        ...{ script: insisting, machineOf: machineWithGit, world: worldWithGit() },
        wrote: (type, machine) => {
          written += deaths > 0 ? 1 : 0;
          const isDue = deaths === 0 ? type === 'action_started' : deaths === 1 && written === nth;
          if (!isDue) return;
          deaths += 1;
          machine.kill();
        },
      });
      const engine = inProcess(cut.next);
      await engine.submit(request);
      await engine.drain();
      return { records: journalOf(cut.world), deaths };
    };
    // No more are written by who takes over.
    const { records: whole } = await cutAt(Number.POSITIVE_INFINITY);
    const taken = whole.length - whole.findIndex(({ type }) => type === 'action_started') - 1;
    expect(taken).toBeGreaterThan(10);
    for (const nth of somePlaces(1, taken + 1, 19)) {
      const { records, deaths } = await cutAt(nth);
      expect([nth, deaths]).toEqual([nth, 2]);
      const unknown = records.flatMap((one) =>
        one.type === 'action_finished' && one.status === 'interrupted' ? [one.id] : [],
      );
      // Checks of the engine may be run again.
      const commands = new Set(
        records.flatMap((one) =>
          one.type === 'action_intended' && one.class === 'command' ? [one.id] : [],
        ),
      );
      const begun = records.flatMap((one) =>
        one.type === 'action_started' && commands.has(one.id) ? [one.id] : [],
      );
      expect([nth, begun]).toEqual([nth, [...new Set(begun)]]);
      expect([nth, unknown]).toEqual([nth, [...new Set(unknown)]]);
      expect(unknown).toContain(begun[0]);
    }
  });
});

/** Insists on a call until it was made, or until the user said no. */
const insisting: Script = (request, n) => {
  const model = diligentModel(WORK);
  if (wantedBy(request) !== 'tools') return model(request, n);
  const told = request.messages.map(({ content }) => content).join('\n');
  const isOver = /exit code 0|said no/.test(told);
  return isOver ? model(request, n) : { calls: [{ name: 'run_cmd', args: { cmd: COMMIT } }] };
};

describe('a run in a fleet that needs a yes', () => {
  const asking = () =>
    lab({
      ...{ isAllowed: false, script: insisting, machineOf: machineWithGit },
      world: worldWithGit(),
    });

  it.each([
    ['yes', true],
    ['no', false],
  ])('waits at no worker, and goes on once the answer is %s', async (_, allowed) => {
    const { next, world } = asking();
    const engine = inProcess(next);
    await engine.submit(request);
    await engine.drain();
    const waiting = await engine.standing(RUN);
    expect(waiting).toMatchObject({ slice: { is: 'waiting', questions: [{ target: COMMIT }] } });
    const questions = waiting?.slice?.is === 'waiting' ? waiting.slice.questions : [];
    const turns = () => journalOf(world).filter(({ type }) => type === 'turn_finished').length;
    const before = turns();
    // What comes twice wakes nobody.
    await engine.submit(request);
    await engine.drain();
    expect(turns()).toBe(before);
    await engine.answer(RUN, { id: questions[0]?.id ?? '', allowed, why: '', mac: '' });
    await engine.drain();
    const commits = world.commands.filter(({ line }) => line.includes('commit'));
    expect(commits).toHaveLength(allowed ? 1 : 0);
    if (allowed) expect(await engine.standing(RUN)).toMatchObject(ENDED);
    expect(turns()).toBeGreaterThan(before);
  });
});

describe('a run in a fleet that is cancelled', () => {
  it('pauses where it stands, stays there however often it is submitted, and goes on once it is resumed', async () => {
    const { world, next } = lab();
    let cancelling = Promise.resolve();
    const engine = inProcess(next, (at, nth) => {
      // In the middle of the workflow, as a person would.
      if (at === 'answered' && nth === 5) cancelling = engine.cancel(RUN);
      return false;
    });
    await engine.submit(request);
    await engine.drain();
    await cancelling;
    expect(await engine.standing(RUN)).toMatchObject({ isStopped: true });
    const before = journalOf(world);
    expect(before.at(-1)).toMatchObject({ type: 'run_paused', why: 'interrupted' });
    await engine.submit(request);
    await engine.drain();
    expect(journalOf(world)).toHaveLength(before.length);
    await engine.resume(RUN);
    await engine.drain();
    expect(await engine.standing(RUN)).toMatchObject(ENDED);
    // There is nothing left to stop.
    await engine.cancel(RUN);
    await engine.drain();
    expect(await engine.standing(RUN)).toMatchObject({ ...ENDED, isStopped: false });
  });
});

/** A machine whose locks cannot be renewed any more once its first command has begun; that command goes on until it is ended. */
function cutOff() {
  let now = 0;
  let ended = 0;
  const looks: (() => void)[] = [];
  let begin = (): void => {};
  const commandBegan = new Promise<void>((done) => {
    begin = done;
  });
  let isCutOff = false;
  const machineOf = (world: TestWorld): TestMachine => {
    const made = world.machine();
    const rename: typeof made.fs.rename = (from, to) => {
      if (isCutOff && to.includes('lock.'))
        throw Object.assign(new Error('the volume is gone'), { code: 'EIO' });
      made.fs.rename(from, to);
    };
    const every = (_: number, look: () => void) => {
      looks.push(look);
      return () => {};
    };
    const processes: TestMachine['processes'] = (...where) => {
      const all = made.processes(...where);
      const run: typeof all.run = async (request, hooks) => {
        if (request.args[0] !== 'hello.mjs') return all.run(request, hooks);
        hooks.onSpawn?.(9999, 'spawned');
        isCutOff = true;
        begin();
        await new Promise((done) => hooks.signal.addEventListener('abort', done));
        ended = now;
        return { ...(await all.run(request, hooks)), kind: 'cancelled' };
      };
      return { ...all, run };
    };
    const fs = new Proxy(made.fs, {
      get: (target, name) => (name === 'rename' ? rename : Reflect.get(target, name)),
    });
    return { ...made, fs, processes, clock: { ...made.clock, monotonic: () => now, every } };
  };
  return {
    machineOf,
    leases: () => watchLeases(15_000, { monotonic: () => now }),
    commandBegan,
    now: () => now,
    endedAt: () => ended,
    passSecond: async () => {
      now += 1000;
      for (const look of looks) look();
      await new Promise(setImmediate);
    },
  };
}

async function untilOver(advance: () => Promise<Slice>): Promise<Slice> {
  for (;;) {
    const slice = await advance();
    if (slice.is !== 'going_on') return slice;
  }
}

describe.skipIf(process.platform === 'win32')('of two machines that see one folder', () => {
  const elsewhere = { host: 'two', boot: 'other' };

  it('the second waits for the lease of the first to end, and the first writes nothing after that', async () => {
    const world = testWorld();
    const script = diligentModel(WORK);
    const signal = new AbortController().signal;
    const first = workerIn({ world, script, leases: hurriedLeases() });
    expect(await first.advance(request, signal)).toMatchObject({ is: 'going_on' });
    const second = workerIn({ world, script, place: elsewhere, leases: hurriedLeases() });
    expect(await second.advance(request, signal)).toMatchObject({ is: 'busy' });
    let slice = await second.advance(request, signal);
    let tries = 0;
    for (; slice.is === 'busy' && tries < 60; tries += 1)
      slice = await second.advance(request, signal);
    expect(slice.is).toBe('going_on');
    expect(tries).toBeGreaterThan(10);
    const before = journalOf(world).length;
    expect(await first.advance(request, signal)).toMatchObject({ is: 'busy' });
    expect(journalOf(world)).toHaveLength(before);
  });

  it('the first gives up by itself before the second may begin', () => {
    const { fs, clock, identity } = testWorld().machine();
    let now = 0;
    const leases = { ms: 15_000, now: () => now, isOver: () => false };
    const directory = '/ws/lock';
    fs.mkdir(directory);
    const lock = acquireLock({ fs, clock, identity, directory, leases });
    now = 9000;
    lock.renew();
    now = 18_000;
    expect([lock.isHeld(), lock.isLate()]).toEqual([true, false]);
    now = 19_001;
    lock.renew();
    expect([lock.isHeld(), lock.isLate()]).toEqual([true, true]);
  });

  it('the first ends its command, and records nothing, before the second may begin', async () => {
    const world = testWorld();
    const script = diligentModel(WORK);
    const signal = new AbortController().signal;
    const volume = cutOff();
    const first = workerIn({
      ...{ world, script, leases: volume.leases() },
      machineOf: volume.machineOf,
    });
    const working = untilOver(() => first.advance(request, signal));
    await volume.commandBegan;
    const second = workerIn({ world, script, place: elsewhere, leases: volume.leases() });
    const before = journalOf(world).length;
    let slice = await second.advance(request, signal);
    while (slice.is === 'busy') {
      await volume.passSecond();
      slice = await second.advance(request, signal);
    }
    expect(volume.endedAt()).toBeGreaterThan(10_000);
    expect(volume.endedAt()).toBeLessThan(15_000);
    expect(volume.now()).toBeGreaterThanOrEqual(15_000);
    expect(await working).toMatchObject({ is: 'busy' });
    // What came to the journal is of the second alone.
    const after = journalOf(world).slice(before);
    expect(after[0]).toMatchObject({ type: 'lease_taken', host: 'two' });
    expect(after.filter(({ type }) => type === 'lease_taken')).toHaveLength(1);
  });

  it('nobody takes a lock whose owner has agreed to no lease', async () => {
    const world = testWorld();
    const script = diligentModel(WORK);
    const signal = new AbortController().signal;
    const first = workerIn({ world, script });
    await first.advance(request, signal);
    const second = workerIn({ world, script, place: elsewhere, leases: hurriedLeases() });
    for (let tries = 0; tries < 60; tries += 1)
      expect(await second.advance(request, signal)).toMatchObject({ is: 'busy' });
  });
});
