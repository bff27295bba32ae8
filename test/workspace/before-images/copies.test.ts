import { describe, expect, it } from 'vitest';
import { undoPlan } from '../../../src/host/journals/undo.ts';
import { createBlobStore } from '../../../src/journal/blobs/blobs.ts';
import { layoutOf } from '../../../src/journal/layout.ts';
import type { FileSystem } from '../../../src/lib/files/file-system.ts';
import { delegating } from '../../../src/lib/files/hiding-file-system.ts';
import { runSync } from '../../../src/lib/interruptible.ts';
import { sha256 } from '../../../src/lib/sha256.ts';
import { undoFromCopies } from '../../../src/undo/copies.ts';
import {
  copiedContents,
  findCopies,
  readIndex,
} from '../../../src/workspace/before-images/copy-folder.ts';
import { sweepFolder } from '../../../src/workspace/sweep-folder.ts';
import { lifetime } from '../../support/killable-file-system.ts';
import { diligentModel } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import {
  type TestMachine,
  type TestWorld,
  testWorld,
  WORKSPACE,
} from '../../support/test-machine.ts';

const ROOT = WORKSPACE.replace(/ws$/, 'data');
const MINE = 'what the user had\n';
const DATA = 'a,b\n1,2\n';

const WORK = {
  subtasks: [
    { action: 'read_file', file: 'notes.txt', purpose: 'see it' },
    { action: 'write_file', file: 'notes.txt', purpose: 'note it' },
    { action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' },
    { action: 'run_cmd', cmd: 'node hello.mjs', purpose: 'see that it works' },
  ],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'notes.txt': [`${MINE}more\n`], 'hello.mjs': ['console.log("hello");\n'] },
};

/** Its program tidies what the user had, too. */
function world(meanwhile = (): void => {}): TestWorld {
  const made = testWorld((args, _stdin, _read, write) => {
    if (args[0] === 'hello.mjs') write('data.csv', 'a;b\n1;2\n');
    meanwhile();
    return { output: 'hello\n', exitCode: 0 };
  });
  made.write('notes.txt', MINE);
  made.write('data.csv', DATA);
  return made;
}

const start = (on: TestWorld, machine: TestMachine = on.machine(), backupFolder: string = ROOT) =>
  runIn(on, scriptedProvider(diligentModel(WORK)), {
    ...{ goal: 'Note hello and print it', machine, backupFolder, toolMode: 'native' },
  });

const where = (fs: FileSystem) => ({ fs, root: ROOT, workspace: WORKSPACE });

/** As `git clean` does. */
const loseState = (fs: FileSystem): void => void runSync(sweepFolder(fs, layoutOf(WORKSPACE).root));

describe('what files held before, kept outside of the workspace', () => {
  it('puts a file of a tool and one of a command back where .agent_context is gone', async () => {
    const on = world();
    await start(on);
    expect([on.read('notes.txt'), on.read('data.csv')]).toEqual([`${MINE}more\n`, 'a;b\n1;2\n']);
    const machine = on.machine();
    loseState(machine.fs);
    const plan = undoPlan(machine, WORKSPACE, undefined, {}, ROOT);
    expect(plan).toMatchObject({ goal: 'Note hello and print it', isAsBefore: false });
    expect(undoFromCopies(0, where(machine.fs), undefined)).toMatchObject({
      outcome: 'undone',
      restored: ['data.csv', 'notes.txt'],
      removed: ['hello.mjs'],
      leftAlone: [],
    });
    expect([on.read('notes.txt'), on.read('data.csv')]).toEqual([MINE, DATA]);
    expect(on.read('hello.mjs')).toBeNull();
  });

  it('lays what a file held beside it where a command changed it in which the process was killed', async () => {
    const on: TestWorld = world(() => machine.kill());
    const machine = on.machine();
    await start(on, machine).catch(() => {});
    expect(on.read('data.csv')).not.toBe(DATA);
    const { fs } = on.machine();
    loseState(fs);
    const beside = 'data.csv.before-run-1';
    expect(undoFromCopies(0, where(fs), undefined)?.beside).toEqual([{ path: 'data.csv', beside }]);
    expect(on.read(beside)).toBe(DATA);
  });

  it('lays what a file held beside it where somebody changed it since', async () => {
    const on = world();
    await start(on);
    on.write('notes.txt', 'mine, and newer\n');
    const machine = on.machine();
    loseState(machine.fs);
    const report = undoFromCopies(0, where(machine.fs), undefined);
    const beside = 'notes.txt.before-run-1';
    expect(report?.beside).toEqual([{ path: 'notes.txt', beside }]);
    expect([on.read('notes.txt'), on.read(beside)]).toEqual(['mine, and newer\n', MINE]);
  });

  it('puts a file back that somebody took away since', async () => {
    const on = world();
    await start(on);
    const machine = on.machine();
    machine.fs.unlink(`${WORKSPACE}/notes.txt`);
    loseState(machine.fs);
    expect(undoFromCopies(0, where(machine.fs), 'notes.txt')).toMatchObject({
      ...{ outcome: 'undone', restored: ['notes.txt'], beside: [] },
    });
    expect([on.read('notes.txt'), on.read('data.csv')]).toEqual([MINE, 'a;b\n1;2\n']);
  });

  it('is written nowhere unless a folder is given, nor where the folder lies in the workspace', async () => {
    const [silent, inside] = [world(), world()];
    const machine = silent.machine();
    await runIn(silent, scriptedProvider(diligentModel(WORK)), { machine, toolMode: 'native' });
    expect(() => machine.fs.stat(ROOT)).toThrow('ENOENT');
    await start(inside, inside.machine(), `${WORKSPACE}/data`);
    expect(() => inside.machine().fs.stat(`${WORKSPACE}/data`)).toThrow('ENOENT');
  });

  it('has each content in one of both places, wherever the process is killed', async () => {
    const originals = { 'notes.txt': MINE, 'data.csv': DATA };
    let isThrough = false;
    // `npm run crash` takes three times as many places.
    for (let n = 0; !isThrough; n += process.env.EVERY_KILL ? 7 : 46) {
      const on = world();
      const machine = on.machine();
      const life = lifetime(n, machine.fs);
      const fs = { ...delegating(machine.fs), ...life.fs };
      await start(on, { ...machine, fs }).then(
        () => {
          isThrough = true;
        },
        () => {},
      );
      const disk = on.machine().fs;
      const blobs = createBlobStore(disk, layoutOf(WORKSPACE).blobs);
      for (const [path, text] of Object.entries(originals)) {
        if (on.read(path) === text) continue;
        const hash = sha256(text);
        const isInBlobs = blobs.has(hash);
        expect(isInBlobs || isKept(disk, hash), `${path} after ${n} changes`).toBe(true);
      }
      loseState(disk);
      undoFromCopies(0, where(disk), undefined);
      for (const [path, text] of Object.entries(originals))
        expect(on.read(path), `${path} after ${n} changes`).toBe(text);
    }
  });
});

const isKept = (fs: FileSystem, hash: string): boolean =>
  findCopies(fs, ROOT, WORKSPACE).some(
    ({ place }) => copiedContents(fs, place, readIndex(fs, place).lines)(hash) !== null,
  );
