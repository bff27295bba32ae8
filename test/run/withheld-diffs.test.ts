/** What a model that is led changed in files that were there, and nothing proves. */
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/agent.ts';
import { applyRun, diff, status, undo } from '../../src/host/library/queries.ts';
import { exitCodeOfResult } from '../../src/run/exit-codes.ts';
import type { RecordType } from '../../src/schema/records.ts';
import { openSession } from '../../src/sessions/open-session.ts';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { journalOf, type RunIn, runIn } from '../support/run-in.ts';
import { SCRIPTED_MODEL, type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../support/test-machine.ts';

const GIVEN = 'console.log("old");\n';
const WRITTEN = 'console.log("new");\n';

/** Writes over a file that was there and makes one; `verify` is what would prove it. */
const work = (verify?: PlannedWork['verify']): PlannedWork => ({
  subtasks: [
    { action: 'write_file', file: 'app.mjs', purpose: 'prints new' },
    { action: 'write_file', file: 'more.mjs', purpose: 'is new' },
  ],
  ...(verify === undefined ? {} : { verify }),
  files: { 'app.mjs': [WRITTEN], 'more.mjs': ['console.log("more");\n'] },
});

function folder(): TestWorld {
  const world = testWorld();
  world.write('app.mjs', GIVEN);
  return world;
}

const goal = 'Make app.mjs print new and write more.mjs';

const run = (world: TestWorld, script: Script, more: RunIn = {}) =>
  runIn(world, scriptedProvider(script), { goal, toolMode: 'json', ...more });

const types = (world: TestWorld, ...wanted: RecordType[]) =>
  journalOf(world).flatMap(({ type }) => (wanted.includes(type) ? [type] : []));

const SWAP = ['swap_started', 'file_swapped', 'swap_finished'] as const;

const where = (world: TestWorld) => ({ workspace: WORKSPACE, machine: world.machine() });

const unproved = () => diligentModel(work());

describe('at its end', () => {
  it('is out of the folder and kept as one set with what it made, and the result shows it', async () => {
    const world = folder();
    const { result } = await run(world, unproved());
    expect(exitCodeOfResult(result)).toBe(9);
    expect(world.read('app.mjs')).toBe(GIVEN);
    expect(world.read('more.mjs')).toBeNull();
    expect(result.withheld?.files.map(({ path, change }) => [path, change])).toEqual([
      ['app.mjs', 'changed'],
      ['more.mjs', 'new'],
    ]);
    expect(result.withheld?.files[0]?.diff).toBe(
      '--- a/app.mjs\n+++ b/app.mjs\n@@ -1,1 +1,1 @@\n-console.log("old");\n+console.log("new");\n',
    );
    expect(types(world, ...SWAP, 'run_finished')).toEqual([
      ...['swap_started', 'file_swapped', 'file_swapped', 'swap_finished'],
      'run_finished',
    ]);
    const shown: string[] = [];
    for await (const { path } of diff(where(world))) shown.push(path);
    expect(shown).toEqual(['app.mjs', 'more.mjs']);
    // Asked again, it says so again.
    expect((await run(world, unproved())).result).toMatchObject({
      ending: 'already_finished',
      withheld: { files: [{ path: 'app.mjs' }, { path: 'more.mjs' }] },
    });
  });

  it('is applied as one set, once, and undone after that', async () => {
    const world = folder();
    await run(world, unproved());
    expect(await applyRun(where(world))).toEqual({
      ...{ outcome: 'applied', applied: ['app.mjs', 'more.mjs'], leftAlone: [] },
    });
    expect(world.read('app.mjs')).toBe(WRITTEN);
    expect(await applyRun(where(world))).toMatchObject({ outcome: 'already_applied' });
    expect(await status(where(world))).toMatchObject({ standing: 'unverified' });
    await undo(where(world));
    expect(world.read('app.mjs')).toBe(GIVEN);
    expect(world.read('more.mjs')).toBeNull();
    await expect(applyRun(where(world))).rejects.toMatchObject({ code: 'E_USAGE' });
  });

  it('says that it applied nothing where somebody has written each of its files', async () => {
    const world = folder();
    await run(world, unproved());
    for (const path of ['app.mjs', 'more.mjs']) world.write(path, 'mine\n');
    expect(await applyRun(where(world))).toMatchObject({ outcome: 'left_alone', applied: [] });
    expect(world.read('app.mjs')).toBe('mine\n');
  });

  it('is applied by the number of its run after another one, which stays the current one', async () => {
    const world = folder();
    const first = await run(world, unproved());
    await run(
      world,
      diligentModel({ ...work(), files: { 'app.mjs': ['console.log(1);\n'], 'more.mjs': [''] } }),
      {
        ...{ goal: 'Something else with app.mjs', keep: true },
      },
    );
    const current = (await status(where(world)))?.state.run;
    const report = await applyRun({ ...where(world), run: first.result.state.run });
    expect(report.leftAlone.map(({ path }) => path)).toContain('app.mjs');
    expect(world.read('app.mjs')).toBe('console.log(1);\n');
    expect((await status(where(world)))?.state.run).toBe(current);
  });

  it('stays where it is proved, and where nothing that was there is changed', async () => {
    const world = testWorld((_args, _stdin, read) =>
      (read('app.mjs') ?? '').includes('new')
        ? { output: 'ok 1 - app\n# pass 1\n# fail 0\n', exitCode: 0 }
        : { output: 'not ok 1 - app\n# pass 0\n# fail 1\n', exitCode: 1 },
    );
    world.write('app.mjs', GIVEN);
    world.write('app.test.mjs', "import './app.mjs';\n");
    const proved = await run(world, diligentModel(work({ cmd: 'node --test' })));
    expect([proved.result.ending, proved.result.withheld]).toEqual(['achieved', undefined]);
    expect(world.read('app.mjs')).toBe(WRITTEN);
    const empty = testWorld();
    const made = await run(empty, unproved(), { maxRounds: 1 });
    expect([made.result.ending, made.result.withheld]).toEqual(['paused', undefined]);
    expect(empty.read('app.mjs')).toBe(WRITTEN);
    expect(types(empty, ...SWAP)).toEqual([]);
  });

  it('stays where a person wanted that, also in the process that goes on', async () => {
    const world = folder();
    await run(world, unproved(), { keep: true, maxRounds: 1 });
    const { result } = await run(world, unproved(), { goal: null });
    expect(result.ending).toBe('unverified');
    expect(world.read('app.mjs')).toBe(WRITTEN);
    expect(types(world, ...SWAP)).toEqual([]);
  });
});

/** Ends it as soon as the first file is written. */
const cutShort =
  (world: TestWorld, end: () => ReturnType<Script>): Script =>
  (request, n) =>
    world.read('app.mjs') === WRITTEN ? end() : diligentModel(work())(request, n);

describe('at a pause', () => {
  it('is out of the folder at a limit, and a resume brings it back in before anything else', async () => {
    const world = folder();
    const first = await run(world, unproved(), { maxRounds: 1 });
    expect(exitCodeOfResult(first.result)).toBe(4);
    expect(world.read('app.mjs')).toBe(GIVEN);
    expect(first.result.withheld?.files.map(({ path }) => path)).toEqual(['app.mjs']);
    const seen: (string | null)[] = [];
    const script: Script = (request, n) => {
      seen.push(world.read('app.mjs'));
      return diligentModel(work())(request, n);
    };
    const second = await run(world, script, { goal: null });
    expect(seen[0]).toBe(WRITTEN);
    const since = journalOf(world).map(({ type }) => type);
    const resumed = since.indexOf('run_resumed');
    expect(since.slice(resumed, resumed + 4)).toEqual([
      ...['run_resumed', 'swap_started', 'file_swapped', 'swap_finished'],
    ]);
    expect(second.events).not.toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('Changed by somebody else') }),
    );
    expect(second.result.withheld?.files).toHaveLength(2);
  });

  it('that was applied meanwhile is accepted, and only what comes after it is withheld', async () => {
    const world = folder();
    await run(world, unproved(), { maxRounds: 1 });
    await applyRun(where(world));
    const { result } = await run(world, unproved(), { goal: null });
    expect(result.ending).toBe('unverified');
    expect(world.read('app.mjs')).toBe(WRITTEN);
    expect(result.withheld).toBeUndefined();
  });

  it.each([
    ['no model is there', { fails: { kind: 'network_error', retryable: false } }, 7],
    ['a key is wrong', { fails: { kind: 'auth_failed' } }, 7],
  ] as const)('is left in place where %s', async (_why, reply, exitCode) => {
    const world = folder();
    const { result } = await run(
      world,
      cutShort(world, () => reply),
    );
    expect(exitCodeOfResult(result)).toBe(exitCode);
    expect(world.read('app.mjs')).toBe(WRITTEN);
    expect(types(world, ...SWAP)).toEqual([]);
  });

  it('is left in place where a person stops it', async () => {
    const world = folder();
    const stop = new AbortController();
    const { result } = await run(
      world,
      cutShort(world, () => {
        stop.abort();
        return '';
      }),
      { signal: stop.signal },
    );
    expect(exitCodeOfResult(result)).toBe(130);
    expect(world.read('app.mjs')).toBe(WRITTEN);
    expect(types(world, ...SWAP)).toEqual([]);
  });
});

describe('a run that is killed', () => {
  it('at any record of its swap ends the same by the next start', async () => {
    const calm = folder();
    await run(calm, unproved());
    const records = journalOf(calm);
    const first = records.findIndex(({ type }) => type === 'swap_started');
    expect(first).toBeGreaterThan(0);
    for (const at of somePlaces(first + 1, records.length + 1, 6)) {
      const world = folder();
      const machine = world.machine();
      await run(world, unproved(), {
        machine,
        onRecord: (_record, index) => {
          if (index < at) return;
          machine.kill();
          throw new Error('killed');
        },
      }).catch(() => undefined);
      const { result } = await run(world, unproved());
      expect([at, stateOf(result)]).toEqual([at, 'unverified']);
      expect(world.read('app.mjs')).toBe(GIVEN);
      expect(world.read('more.mjs')).toBeNull();
      expect(result.withheld?.files).toHaveLength(2);
      expect(types(world, 'swap_started')).toHaveLength(1);
    }
  });

  it('and whose swap is half done is finished by another goal, the same one begun again, an undo and applying it', async () => {
    const half = async (): Promise<TestWorld> => {
      const world = folder();
      const machine = world.machine();
      await run(world, unproved(), {
        machine,
        onRecord: ({ type }) => {
          if (type !== 'file_swapped') return;
          machine.kill();
          throw new Error('killed');
        },
      }).catch(() => undefined);
      expect(types(world, ...SWAP)).toEqual(['swap_started', 'file_swapped']);
      return world;
    };
    const talk = await half();
    const notices: string[] = [];
    const session = await openSession({
      ...{ workspace: WORKSPACE, provider: scriptedProvider(unproved()), model: SCRIPTED_MODEL },
      machine: talk.machine(),
      onEvent: (event) => {
        if (event.type === 'notice') notices.push(event.text);
      },
    });
    await session.close();
    expect(notices).toContainEqual(expect.stringContaining('half out of this folder'));
    const other = await half();
    await run(
      other,
      diligentModel({ subtasks: [{ action: 'write_file', file: 'x.mjs', purpose: 'x' }] }),
      {
        goal: 'Write x.mjs',
      },
    );
    expect([other.read('app.mjs'), other.read('more.mjs')]).toEqual([GIVEN, null]);
    const anew = await half();
    const found: unknown[] = [];
    const script = unproved();
    const again: Script = (...asked) => {
      found.push([anew.read('app.mjs'), anew.read('more.mjs')]);
      return script(...asked);
    };
    const begun = await run(anew, again, { again: true });
    expect(found[0]).toEqual([GIVEN, null]);
    expect(begun.records.map(({ type }) => type)).toContain('run_opened');
    const undone = await half();
    await undo(where(undone));
    expect([undone.read('app.mjs'), undone.read('more.mjs')]).toEqual([GIVEN, null]);
    const applied = await half();
    expect(await applyRun(where(applied))).toMatchObject({ outcome: 'applied' });
    expect(applied.read('app.mjs')).toBe(WRITTEN);
  });
});

const stateOf = ({ ending, state }: RunResult): string | undefined =>
  ending === 'already_finished' ? state.ended?.ending : ending;
