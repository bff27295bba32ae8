/** Trials in a copy that somebody skips: nothing is claimed, and whoever goes on with the run tries the rest. */
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/schema/events/events.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { diligentModel } from '../support/models.ts';
import { journalOf, type RunIn, runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { isInCopy, type TestWorld, testWorld } from '../support/test-machine.ts';

/** `node check.mjs` fails without the file that its code names. */
function greeter(inCopy: (nth: number) => void = () => {}): TestWorld {
  let copies = 0;
  const world = testWorld(([file = ''], _stdin, read, write) => {
    if (isInCopy(read)) inCopy(++copies);
    if (read('.gitignore') !== null) write('out.txt', 'built\n');
    const code = read(file === 'check.mjs' ? 'hello.mjs' : file) ?? '';
    if (code.includes('throw') || read('names.txt') === null)
      return { output: 'Error\n', exitCode: 1 };
    return { output: 'hello Ada\n', exitCode: 0 };
  });
  world.write('hello.mjs', 'throw new Error("boom");\n');
  world.write('names.txt', 'Ada\n');
  world.write('check.mjs', 'import "./hello.mjs";\n');
  return world;
}

const options = {
  goal: 'Correct hello.mjs: it says hello Ada, from names.txt',
  toolMode: 'native',
} as const;

const provider = (cmd = 'node check.mjs') =>
  scriptedProvider(
    diligentModel({
      subtasks: [
        { action: 'read_file', file: 'hello.mjs', purpose: 'see what is wrong' },
        { action: 'write_file', file: 'hello.mjs', purpose: 'greets by name' },
      ],
      verify: { cmd, prints: 'hello Ada' },
      files: { 'hello.mjs': ['console.log("hello " + read("names.txt"));\n'] },
    }),
  );

const tried = (records: readonly JournalRecord[]): readonly string[] =>
  records
    .flatMap((one) =>
      one.type === 'check_ran' && one.scratch && !one.scratch.skipped ? [one.scratch.what] : [],
    )
    .filter((what) => what !== 'rehearsal');

const trialsIn = (events: readonly RunEvent[]) =>
  events.flatMap((event) =>
    event.type === 'trial_started' ? [`${event.n} of ${event.of}: ${event.words}`] : [],
  );

/** Skips when the trial of that number, or of these words, begins. */
function skippedAt(n: number | string, world: TestWorld, more: RunIn = {}, proof?: string) {
  const skip = new AbortController();
  const emit = (event: RunEvent): void => {
    if (event.type === 'trial_started' && [event.n, event.words].includes(n)) skip.abort();
  };
  return runIn(world, provider(proof), { ...options, ...more, skipTrials: skip.signal, emit });
}

const UNTRIED = {
  ending: 'unverified',
  detail:
    'node check.mjs passes; not tried, since it was skipped (a resume tries it): without names.txt and as it was before the run',
};

describe('trials at the end of a run', () => {
  it('are told with their number, of as many as are in sight', async () => {
    const { result, events } = await runIn(greeter(), provider(), options);
    expect(result.ending).toBe('achieved');
    expect(trialsIn(events)).toEqual([
      '1 of 3: as it is',
      '2 of 3: without names.txt',
      '3 of 3: as it was before the run',
    ]);
  });

  it.each([
    [1, 'as it is, without names.txt and as it was before the run'],
    [2, 'without names.txt and as it was before the run'],
    [3, 'as it was before the run'],
  ])('prove nothing once they are skipped: trial %i', async (n, left) => {
    const { result, records } = await skippedAt(n, greeter());
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: `node check.mjs passes; not tried, since it was skipped (a resume tries it): ${left}`,
    });
    expect(tried(records)).toHaveLength(n - 1);
  });

  it('are tried by whoever goes on with the run, and only those that are left', async () => {
    const world = greeter();
    const { result } = await skippedAt(2, world);
    expect(result).toMatchObject(UNTRIED);
    const later = await runIn(world, provider(), { ...options, goal: null });
    expect(later.result).toMatchObject({ ending: 'achieved' });
    expect(tried(later.records)).toEqual(['without', 'before']);
    const over = await runIn(world, provider(), { ...options, goal: null });
    expect(over.result.ending).toBe('already_finished');
  });

  it('of what a build writes are skipped, too, and tried once', async () => {
    const world = greeter();
    world.write('.gitignore', 'out.txt\n');
    world.write('out.txt', 'old\n');
    const built = 'node check.mjs, without what it writes, as it was before the run';
    const first = await skippedAt(built, world);
    expect(first.result).toMatchObject({ ending: 'unverified' });
    expect(first.result.detail).toMatch(`a resume tries it): ${built}`);
    const second = await skippedAt('as it is', world, { goal: null });
    expect(second.result).toMatchObject({ ending: 'unverified' });
    expect(tried(second.records)).toEqual(['built']);
    const third = await runIn(world, provider(), { ...options, goal: null });
    expect(third.result).toMatchObject({ ending: 'achieved' });
    expect(tried(third.records)).not.toContain('built');
  });

  it('take back what is withheld before they are tried', async () => {
    const world = greeter();
    world.write('check.mjs', 'await import("./hello.mjs");\n');
    await skippedAt(2, world, { toolMode: 'json' }, 'node check.mjs');
    expect(world.read('hello.mjs')).toContain('throw');
    const { result } = await runIn(world, provider('node check.mjs'), { ...options, goal: null });
    expect(result.ending).toBe('achieved');
    expect(world.read('hello.mjs')).toContain('names.txt');
  });

  it('that come to their end while they are skipped count', async () => {
    const skip = new AbortController();
    const world = greeter((nth) => {
      if (nth === 2) skip.abort();
    });
    const { result, records } = await runIn(world, provider(), {
      ...options,
      skipTrials: skip.signal,
    });
    expect(result.ending).toBe('unverified');
    expect(result.state.intents).toEqual({});
    expect(result.detail).toMatch(/not tried.*: .*as it was before the run$/);
    expect(tried(records)).not.toContain('before');
  });

  it('stay skipped whichever record the process is killed after', async () => {
    const undisturbed = greeter();
    await skippedAt(2, undisturbed);
    const whole = journalOf(undisturbed);
    const note = whole.findIndex((one) => one.type === 'note' && one.kind === 'trials_skipped');
    expect(note).toBeGreaterThan(0);
    for (const at of somePlaces(note + 1, whole.length + 1, 3)) {
      const world = greeter();
      const machine = world.machine();
      const killed = skippedAt(2, world, {
        machine,
        onRecord: (_, index) => {
          if (index < at) return;
          machine.kill();
          throw new Error('killed');
        },
      });
      await killed.catch(() => {});
      const isEnded = journalOf(world).some(({ type }) => type === 'run_finished');
      if (isEnded) continue;
      const { result } = await runIn(world, provider(), options);
      expect(result, `killed after record ${at}`).toMatchObject(UNTRIED);
    }
  });
});
