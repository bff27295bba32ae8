import { describe, expect, it } from 'vitest';
import type { FileSystem } from '../../../src/lib/files/file-system.ts';
import { delegating } from '../../../src/lib/files/hiding-file-system.ts';
import { meaningsOf } from '../../../src/run/stream/bodies.ts';
import type { JournalRecord } from '../../../src/schema/records.ts';
import { caseless } from '../../support/caseless.ts';
import type { Script } from '../../support/scripted-provider.ts';
import {
  ALL,
  activeIn,
  bySubtask,
  contentOf,
  filesOf,
  NAMES,
  recordsOf,
  runChildren,
} from '../../support/side-by-side.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } });
const node = (file: string) => ({ name: 'run_cmd', args: { cmd: `node ${file}` } });

describe('what a subtask made as a run of its own', () => {
  it('is not taken, none of it, where somebody changed one of its files meanwhile: it is done again in the run', async () => {
    const world = testWorld();
    const atItsRepeat: (string | null)[] = [];
    const script = bySubtask({ '1.2': [write('notes.txt', 'by the subtask\n')] });
    const meddling: Script = (request, n) => {
      const id = activeIn(request);
      if (id === '1.3') world.write('b.mjs', 'of somebody else\n');
      const isInRun = JSON.stringify(request.messages).includes('worked on in a copy');
      if (isInRun && id === '1.2' && atItsRepeat.length === 0)
        atItsRepeat.push(world.read('b.mjs'), world.read('notes.txt'));
      return script(request, n);
    };
    const { records } = await runChildren(world, { parallel: 2 }, meddling);
    expect(recordsOf(records, 'child_joined')).toMatchObject([
      { subtask: '1.1', status: 'completed' },
      { subtask: '1.2', files: [], summary: 'b.mjs is not as it was when it began' },
      { subtask: '1.3', status: 'completed' },
      { subtask: '1.4', status: 'completed' },
    ]);
    expect(recordsOf(records, 'subtask_started')).toMatchObject([{ subtask: '1.2' }]);
    expect(atItsRepeat).toEqual(['of somebody else\n', null]);
    expect(filesOf(world)[0]).toBe(contentOf('a'));
  });

  it.each([
    ['a folder is where its file was to go', 'more', 'more/x.txt', /^more is not as it was/],
    ['a file is where its folder was to go', 'more/x.txt', 'more', /more/],
  ])('is not taken, none of it, where %s', async (_, wanted, meanwhile, why) => {
    const world = testWorld();
    const script = bySubtask({ '1.2': [write(wanted, 'by the subtask\n')] });
    const meddling: Script = (request, n) => {
      if (activeIn(request) === '1.3') world.write(meanwhile, 'of somebody else\n');
      return script(request, n);
    };
    const { records } = await runChildren(world, { parallel: 2 }, meddling);
    const [, second] = recordsOf(records, 'child_joined');
    expect(second).toMatchObject({ subtask: '1.2', files: [] });
    expect(second?.summary).toMatch(why);
    expect(world.read(meanwhile)).toBe('of somebody else\n');
  });

  it('is measured by the files that its copy began with, also where a kill delayed the copy', async () => {
    const world = testWorld();
    world.write('notes.txt', 'first\n');
    const machine = world.machine();
    let isDue = false;
    const kill = (record: JournalRecord): void => {
      const wasDue = isDue;
      isDue ||= record.type === 'child_started' && record.subtask === '1.2';
      if (!wasDue) return;
      machine.kill();
      throw new Error('killed');
    };
    await runChildren(world, { machine, parallel: 2, onRecord: kill }).catch(() => {});
    world.write('notes.txt', 'second\n');
    const script = bySubtask();
    const goingBack: Script = (request, n) => {
      world.write('notes.txt', 'first\n');
      return script(request, n);
    };
    const { records } = await runChildren(world, { parallel: 2 }, goingBack);
    expect(recordsOf(records, 'child_joined').map(({ files }) => files)).toEqual(
      NAMES.map((name) => [`${name}.mjs`]),
    );
    expect(world.read('notes.txt')).toBe('first\n');
    const again = recordsOf(records, 'child_started').find(({ subtask }) => subtask === '1.2');
    expect(again).toMatchObject({ again: true });
    expect(again && meaningsOf(again, { before: null, after: null })).toEqual([]);
  });

  it('is taken where somebody changed another file, which stays as they left it', async () => {
    const world = testWorld();
    world.write('letter.txt', 'Dear\n');
    const script = bySubtask();
    const writing: Script = (request, n) => {
      if (activeIn(request) === '1.3') world.write('letter.txt', 'Dear reader\n');
      return script(request, n);
    };
    const { records } = await runChildren(world, { parallel: 4 }, writing);
    expect(recordsOf(records, 'child_joined').every(({ status }) => status !== undefined)).toBe(
      true,
    );
    expect(world.read('letter.txt')).toBe('Dear reader\n');
    expect(filesOf(world)).toEqual(ALL);
  });

  it('is not taken where a command of it changed or removed a file that nobody named', async () => {
    const world = testWorld((args, _stdin, read, put, remove) => {
      if (args[0] !== 'wreck.mjs')
        return { output: `${/"(.*)"/.exec(read(args[0] ?? '') ?? '')?.[1]}\n`, exitCode: 0 };
      put('data.csv', 'nothing\n');
      remove('letter.txt');
      return { output: '', exitCode: 0 };
    });
    world.write('wreck.mjs', '');
    world.write('data.csv', '1;2\n');
    world.write('letter.txt', 'Dear\n');
    const atItsRepeat: (string | null)[] = [];
    const script = bySubtask({ '1.2': [node('wreck.mjs')] });
    const calm = bySubtask();
    const once: Script = (request, n) => {
      const isInRun = JSON.stringify(request.messages).includes('worked on in a copy');
      if (isInRun && atItsRepeat.length === 0)
        atItsRepeat.push(world.read('data.csv'), world.read('letter.txt'), world.read('b.mjs'));
      return (isInRun ? calm : script)(request, n);
    };
    const { records, result } = await runChildren(world, { parallel: 4 }, once);
    const [, second] = recordsOf(records, 'child_joined');
    expect(second).toMatchObject({ subtask: '1.2', files: [] });
    expect(second?.status).toBeUndefined();
    expect(second?.summary).toBe('a command there changed or removed letter.txt and data.csv');
    expect(atItsRepeat).toEqual(['1;2\n', 'Dear\n', null]);
    expect(result.ending).toBe('achieved');
    expect(filesOf(world)).toEqual(ALL);
  });

  it.skipIf(process.platform === 'win32')(
    'takes no file away that it only gave a name in another case, on a disk where both are one',
    async () => {
      const world = testWorld((args, _stdin, read, put, remove) => {
        if (args[0] !== 'rename.mjs')
          return { output: `${/"(.*)"/.exec(read(args[0] ?? '') ?? '')?.[1]}\n`, exitCode: 0 };
        const text = read('letter.txt');
        if (text !== null) remove('letter.txt');
        if (text !== null) put('Letter.txt', text);
        return { output: '', exitCode: 0 };
      });
      world.write('rename.mjs', '');
      world.write('letter.txt', 'Dear\n');
      const machine = world.machine();
      const script = bySubtask({ '1.2': [node('rename.mjs')] });
      const atItsEnd: (string | null)[] = [];
      const { records } = await runChildren(
        world,
        {
          machine: { ...machine, fs: caseless(machine.fs) },
          parallel: 2,
          onRecord: ({ type }) => {
            if (type === 'child_joined') atItsEnd.push(world.read('letter.txt'));
          },
        },
        script,
      );
      expect(atItsEnd).toEqual(Array(4).fill('Dear\n'));
      expect(recordsOf(records, 'child_joined')[1]?.summary).toBe(
        'Letter.txt leads to letter.txt in this folder',
      );
    },
  );

  /** Works on the copy of subtask 1.2 as a program of its own. */
  const working = (work: (folder: string, put: (path: string, text: string) => void) => void) => {
    const world = testWorld((args, _stdin, read, put, _remove, cwd) => {
      if (args[0] === 'work.mjs') work(cwd, put);
      return { output: `${/"(.*)"/.exec(read(args[0] ?? '') ?? '')?.[1]}\n`, exitCode: 0 };
    });
    world.write('work.mjs', '');
    world.write('run.sh', 'echo\n');
    return world;
  };

  it.skipIf(process.platform === 'win32')('is a file that may be run, or no longer', async () => {
    const setMode = (path: string, mode: number): void => {
      const fd = disk.open(path, 'r');
      disk.fchmod(fd, mode);
      disk.close(fd);
    };
    const world = working((folder) => {
      setMode(`${folder}/run.sh`, 0o755);
      setMode(`${folder}/b.sh`, 0o644);
    });
    const { fs: disk } = world.machine();
    world.write('b.sh', 'echo\n');
    setMode(`${WORKSPACE}/run.sh`, 0o640);
    setMode(`${WORKSPACE}/b.sh`, 0o750);
    const script = bySubtask({ '1.2': [node('work.mjs')] });
    const { records } = await runChildren(world, { parallel: 2 }, script);
    expect(recordsOf(records, 'child_joined')[1]?.files).toEqual(['b.mjs', 'b.sh', 'run.sh']);
    const modes = ['run.sh', 'b.sh'].map((name) => disk.lstat(`${WORKSPACE}/${name}`).mode);
    expect(modes).toEqual([0o751, 0o640]);
  });

  it('is not taken with a link, which nothing copies', async () => {
    const world = working((_folder, put) => put('latest', 'a link'));
    const { fs } = world.machine();
    const linked: FileSystem = {
      ...delegating(fs),
      lstat: (path) => ({
        ...fs.lstat(path),
        ...(path.endsWith('latest') ? { kind: 'symlink' } : {}),
      }),
    };
    const script = bySubtask({ '1.2': [node('work.mjs')] });
    const machine = { ...world.machine(), fs: linked };
    const { records } = await runChildren(world, { machine, parallel: 2 }, script);
    expect(recordsOf(records, 'child_joined')[1]).toMatchObject({
      files: [],
      summary: 'latest is a link, and links are not brought over',
    });
  });

  it('reaches no goal whose example fails on all of it: what is left is planned anew', async () => {
    const world = testWorld((args) => ({ output: `${args[0]?.slice(0, 1)}\n`, exitCode: 0 }));
    const quote = 'node d.mjs --twice prints dd';
    const argv = ['node', 'd.mjs', '--twice'];
    const brief = { kind: 'work', examples: [{ quote, argv, gives: 'dd' }] };
    const plain = bySubtask();
    const script: Script = (request, n) => {
      const reply = plain(request, n);
      if (activeIn(request) !== '' || typeof reply !== 'object' || !('calls' in reply))
        return reply;
      return { calls: reply.calls?.map((call) => ({ ...call, args: { ...call.args, brief } })) };
    };
    const goal = `Write four files.\n${quote}`;
    const { records, result } = await runChildren(world, { parallel: 4, goal }, script);
    expect(recordsOf(records, 'replan_started')[0]?.why).toMatch(
      /^what the goal says does not hold: The goal says: node d\.mjs --twice gives "dd"/,
    );
    expect(result.ending).toBe('unverified');
  });
});
