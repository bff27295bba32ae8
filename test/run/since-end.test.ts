/** A goal that was achieved is given again: its files are looked at, and nothing is run. */
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/agent.ts';
import { exitCodeOfResult } from '../../src/run/exit-codes.ts';
import { resultBody } from '../../src/run/stream/result-body.ts';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { journalOf, type RunIn, runIn, SAY_HELLO } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../support/test-machine.ts';

const HELLO: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};

const work = (world: TestWorld, more: RunIn = {}, planned = HELLO) =>
  runIn(world, scriptedProvider(diligentModel(planned)), { toolMode: 'json', ...more });

async function achieved(): Promise<TestWorld> {
  const world = testWorld();
  expect((await work(world)).result.ending).toBe('achieved');
  return world;
}

/** The goal again, and what that did beside looking. */
async function again(world: TestWorld, more: RunIn = {}): Promise<RunResult> {
  const provider = scriptedProvider(() => 'Nobody asked me.');
  const before = [world.commands.length, JSON.stringify(journalOf(world))];
  const { result } = await runIn(world, provider, { toolMode: 'json', ...more });
  expect(result).toMatchObject({ ending: 'already_finished', detail: 'achieved' });
  expect(provider.requests).toEqual([]);
  if (more.goal === undefined)
    expect([world.commands.length, JSON.stringify(journalOf(world))]).toEqual(before);
  return result;
}

const facts = { elapsedMs: 0, workspace: WORKSPACE, resume: 'agent resume' };
const AS_LEFT = { isComplete: true, compared: 1, differs: [], notCompared: [] };

describe('a goal that was achieved and is given again', () => {
  it('ends with 0 where its files are as the run left them', async () => {
    const result = await again(await achieved());
    expect(result.sinceEnd).toEqual(AS_LEFT);
    expect(exitCodeOfResult(result)).toBe(0);
    expect(resultBody(result, facts)).toMatchObject({ exitCode: 0, sinceEnd: AS_LEFT });
  });

  it('names a file that is another one now and ends with 9, until it is as it was', async () => {
    const world = await achieved();
    world.write('hello.mjs', 'console.log("bye");\n');
    const result = await again(world);
    const differs = [{ path: 'hello.mjs', is: 'changed' }];
    expect(result.sinceEnd).toEqual({ ...AS_LEFT, differs });
    expect(resultBody(result, facts)).toMatchObject({
      ...{ exitCode: 9, ending: 'already_finished', resume: null },
      sinceEnd: { differs },
    });
    world.write('hello.mjs', 'console.log("hello");\n');
    expect(exitCodeOfResult(await again(world))).toBe(0);
  });

  it('names a file that is gone, and one that became a folder', async () => {
    const world = await achieved();
    world.machine().fs.unlink(placeOf('hello.mjs'));
    const gone = await again(world);
    expect(gone.sinceEnd?.differs).toEqual([{ path: 'hello.mjs', is: 'removed' }]);
    expect(exitCodeOfResult(gone)).toBe(9);
    world.write('hello.mjs/more.txt', 'x');
    expect((await again(world)).sinceEnd?.differs).toEqual([{ path: 'hello.mjs', is: 'changed' }]);
  });

  it('sees what a later run made of its files', async () => {
    const world = await achieved();
    const goal = 'Write hello.mjs: node hello.mjs prints "bye"';
    const bye: PlannedWork = {
      ...{ ...HELLO, verify: { cmd: 'node hello.mjs', prints: 'bye' } },
      files: { 'hello.mjs': ['console.log("bye");\n'] },
    };
    await work(world, { goal }, bye);
    expect(world.read('hello.mjs')).toContain('bye');
    const result = await again(world, { goal: SAY_HELLO });
    expect(result.sinceEnd?.differs).toEqual([{ path: 'hello.mjs', is: 'changed' }]);
    expect((await again(world, { goal })).sinceEnd).toEqual(AS_LEFT);
  });

  it('says nothing of its files to who only asks how the run ended', async () => {
    const world = await achieved();
    world.write('hello.mjs', 'console.log("bye");\n');
    expect(exitCodeOfResult(await again(world, { goal: null }))).toBe(0);
  });

  it('counts what commands changed, also where a crash cut one off', async () => {
    let hasDied = false;
    const world = testWorld((_args, _stdin, read, write, _remove, cwd) => {
      if (read('hello.mjs') === null) return { output: 'no file', exitCode: 1 };
      if (cwd !== WORKSPACE) return { output: 'hello\n', exitCode: 0 };
      write('log.txt', 'ran');
      if (!hasDied) {
        hasDied = true;
        write('hello.mjs', 'console.log("hello"); // 2\n');
        machine.kill();
      }
      return { output: 'hello\n', exitCode: 0 };
    });
    const machine = world.machine();
    await expect(work(world, { machine })).rejects.toThrow();
    expect(hasDied).toBe(true);
    expect((await work(world)).result.ending).toBe('achieved');
    const unseen = journalOf(world).filter(
      (one) => one.type === 'files_changed' && one.by === 'unknown',
    );
    expect(unseen).toHaveLength(1);
    expect((await again(world)).sinceEnd).toEqual({ ...AS_LEFT, compared: 2 });
    world.write('log.txt', 'other');
    const differs = [{ path: 'log.txt', is: 'changed' }];
    expect((await again(world)).sinceEnd).toEqual({ ...AS_LEFT, compared: 2, differs });
  });

  it('looks as well where the run or the look itself was killed', async () => {
    const whole = testWorld();
    const { records } = await work(whole);
    for (const kill of somePlaces(1, records.length, 24)) {
      const world = testWorld();
      const machine = world.machine();
      const onRecord = (_: unknown, index: number): void => {
        if (index < kill) return;
        machine.kill();
        throw new Error('killed');
      };
      await expect(work(world, { machine, onRecord })).rejects.toThrow();
      expect((await work(world)).result.ending).toBe('achieved');
      expect((await again(world)).sinceEnd).toEqual(AS_LEFT);
      await killedWhileItLooks(world);
      expect((await again(world)).sinceEnd).toEqual(AS_LEFT);
    }
  });
});

const placeOf = (path: string): string =>
  [WORKSPACE, path].join(WORKSPACE.includes('\\') ? '\\' : '/');

/** The process dies as it begins to read the file. */
async function killedWhileItLooks(world: TestWorld): Promise<void> {
  const machine = world.machine();
  const fs = new Proxy(machine.fs, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (name !== 'open') return value;
      return (path: string, flags: string) => {
        if (path === placeOf('hello.mjs')) machine.kill();
        return target.open(path, flags as 'r');
      };
    },
  });
  await expect(work(world, { machine: { ...machine, fs } })).rejects.toThrow();
}
