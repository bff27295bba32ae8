import { renameSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { join } from '../../src/lib/files/absolute-paths.ts';
import { TEMPORARY_SUFFIX } from '../../src/lib/files/durable-files.ts';
import { type FileSystem, nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import { isSwapping, isWithheld, withheldPaths } from '../../src/schema/journal/swap.ts';
import { caseless } from '../support/caseless.ts';
import { dice } from '../support/dice.ts';
import { contents, KeptRun, memoryFolder, put, remove } from '../support/kept-run.ts';
import { lifetime } from '../support/killable-file-system.ts';
import { makeWorkspace } from '../tools/support.ts';

const BINARY = Buffer.from([0, 255, 1, 254, 13, 10]);

/** Every kind of change: by a tool and by a command, moved, removed, made, and another mode. */
async function workedOn(): Promise<{ run: KeptRun; before: Files; after: Files }> {
  const run = new KeptRun(memoryFolder());
  const { fs } = run;
  put(fs, 'crlf.txt', 'one\r\ntwo\r\n');
  put(fs, 'image.bin', BINARY);
  put(fs, 'old/name.txt', 'moved as it is');
  put(fs, 'script.sh', 'echo\n');
  put(fs, 'untouched.txt', 'mine');
  put(fs, 'was/file.txt', 'in a folder');
  put(fs, 'single', 'a file');
  const before = contents(fs);
  await run.write('crlf.txt', 'three\n');
  await run.write('new/deep/made.txt', 'made\n');
  await run.command(() => {
    put(fs, 'image.bin', Buffer.from([9, 0, 9]));
    remove(fs, 'old/name.txt');
    fs.rmdir('/w/old');
    put(fs, 'fresh/name.txt', 'moved as it is');
    setMode(fs, '/w/script.sh', 0o755);
    // A file takes the place of a folder.
    remove(fs, 'was/file.txt');
    fs.rmdir('/w/was');
    put(fs, 'was', 'a file now');
    // And a folder that of a file.
    remove(fs, 'single');
    put(fs, 'single/deep/file.txt', 'in a folder now');
  });
  const after = contents(fs);
  expect(after).not.toEqual(before);
  return { run, before, after };
}

type Files = Record<string, string>;

function setMode(fs: FileSystem, path: string, mode: number): void {
  const fd = fs.open(path, 'r');
  fs.fchmod(fd, mode);
  fs.close(fd);
}

const textOf = (said: string | undefined): string =>
  Buffer.from(said?.split(' ')[1] ?? '', 'hex').toString('utf8');

const foldersOf = (fs: FileSystem): readonly string[] => fs.readdir('/w');

describe('the changes of a run', () => {
  it('leave the folder as it was, to the byte and the mode, and come back as the run left them', async () => {
    const { run, before, after } = await workedOn();
    run.withhold();
    expect(contents(run.fs)).toEqual(before);
    expect(foldersOf(run.fs)).not.toContain('new');
    expect(isWithheld(run.state)).toBe(true);
    expect([...withheldPaths(run.state)]).not.toContain('untouched.txt');
    run.apply();
    expect(contents(run.fs)).toEqual(after);
    expect(foldersOf(run.fs)).not.toContain('old');
    expect(isWithheld(run.state)).toBe(false);
  });

  it('bring a name back that only its case was changed of, on a disk where both are one', async () => {
    const run = new KeptRun(caseless(memoryFolder()));
    const { fs } = run;
    put(fs, 'a.txt', 'mine');
    put(fs, 'd/b.txt', 'mine too');
    put(fs, 'other.txt', 'first');
    const before = contents(fs);
    await run.command(() => {
      fs.rename('/w/a.txt', '/w/A.txt');
      fs.rename('/w/d', '/w/D');
      put(fs, 'other.txt', 'second');
    });
    const after = contents(fs);
    expect(Object.keys(after)).toEqual(['A.txt', 'D/b.txt', 'other.txt']);
    expect(run.preview()).toMatchObject({ left: [] });
    run.withhold();
    expect(contents(fs)).toEqual(before);
    run.apply();
    expect(contents(fs)).toEqual(after);
  });

  it('stay where no file that was there is another one now', async () => {
    const run = new KeptRun(memoryFolder());
    put(run.fs, 'given.txt', 'given');
    await run.write('new.txt', 'new\n');
    await run.write('given.txt', 'other');
    await run.write('given.txt', 'given');
    const after = contents(run.fs);
    run.withhold();
    expect(contents(run.fs)).toEqual(after);
    expect(isWithheld(run.state)).toBe(false);
    expect(run.of('swap_started')).toEqual([expect.objectContaining({ files: [] })]);
  });

  it('leave alone what somebody has changed since, and name it, on both ways', async () => {
    const { run, before, after } = await workedOn();
    put(run.fs, 'crlf.txt', 'a person');
    run.withhold();
    expect(contents(run.fs)).toEqual({ ...before, 'crlf.txt': contents(run.fs)['crlf.txt'] });
    expect(textOf(contents(run.fs)['crlf.txt'])).toBe('a person');
    expect(run.state.swap?.left).toEqual([{ path: 'crlf.txt', why: 'it was changed since' }]);
    put(run.fs, 'image.bin', 'a later run');
    remove(run.fs, 'script.sh');
    run.fs.mkdir('/w/script.sh');
    run.apply();
    const now = contents(run.fs);
    expect(textOf(now['image.bin'])).toBe('a later run');
    expect(textOf(now['crlf.txt'])).toBe('a person');
    expect(run.state.swap?.left.map(({ path }) => path)).toEqual(['script.sh', 'image.bin']);
    const others = Object.entries(after).filter(
      ([path]) => !['crlf.txt', 'image.bin', 'script.sh'].includes(path),
    );
    expect(now).toMatchObject(Object.fromEntries(others));
  });

  it.skipIf(process.platform === 'win32')(
    'never follow a folder that is a link by now',
    async () => {
      const { root, write } = makeWorkspace();
      const outside = makeWorkspace();
      write('d/a.txt', 'given');
      const run = new KeptRun(nodeFileSystem, { workspace: root });
      await run.write('d/a.txt', 'run\n');
      renameSync(join(root, 'd'), join(outside.root, 'd'));
      symlinkSync(join(outside.root, 'd'), join(root, 'd'));
      run.withhold();
      expect(outside.read('d/a.txt')).toBe('run\n');
      expect(isWithheld(run.state)).toBe(false);
    },
  );

  it('that a person accepted are not withheld again, and an undo takes all of it back', async () => {
    const { run, before, after } = await workedOn();
    run.withhold();
    run.apply();
    run.withhold();
    expect(contents(run.fs)).toEqual(after);
    await run.write('crlf.txt', 'once more\n');
    run.withhold();
    expect(contents(run.fs)).toEqual(after);
    run.apply({ isResume: true });
    expect(textOf(contents(run.fs)['crlf.txt'])).toBe('once more\r\n');
    run.undo();
    expect(contents(run.fs)).toEqual(before);
  });

  it('are withheld again whole where only a resume had brought them in', async () => {
    const { run, before } = await workedOn();
    run.withhold();
    run.apply({ isResume: true });
    await run.write('untouched.txt', 'now this too\n');
    run.withhold();
    expect(contents(run.fs)).toEqual(before);
  });

  it('that cannot be read any more are named, and nobody tries it for ever', async () => {
    const { run, before } = await workedOn();
    run.withhold();
    run.apply({ isDamaged: true });
    expect(contents(run.fs)).toEqual(before);
    expect(isWithheld(run.state)).toBe(false);
    expect(run.state.swap?.left).toContainEqual({
      path: 'crlf.txt',
      why: 'what the run made of it cannot be read any more',
    });
  });

  it('are undone after withholding as after applying', async () => {
    for (const times of [0, 1, 2]) {
      const { run, before } = await workedOn();
      run.withhold();
      for (let count = 0; count < times; count += 1) run.apply();
      expect(run.undo()).toMatchObject({ outcome: 'undone', leftAlone: [] });
      expect(contents(run.fs)).toEqual(before);
      expect(isWithheld(run.state)).toBe(false);
    }
  });

  it('are in the blobs, both sides of them, before the first file is swapped', async () => {
    const { run } = await workedOn();
    const seen: string[] = [];
    run.withhold({
      onAppend: () => {
        if (seen.length > 0) return;
        seen.push(...run.fs.readdir('/w/.agent_context/blobs'));
        expect(textOf(contents(run.fs)['crlf.txt'])).toBe('three\r\n');
      },
    });
    const sides = [sha256('one\r\ntwo\r\n'), sha256('three\r\n'), sha256(BINARY)];
    expect(seen).toEqual(expect.arrayContaining(sides));
  });
});

/** Each file is one side or the other; what a write left behind under a name of its own is none. */
function expectWhole(now: Files, before: Files, after: Files): void {
  for (const [path, said] of Object.entries(now))
    if (!path.includes(TEMPORARY_SUFFIX)) expect([before[path], after[path]]).toContain(said);
}

/** A disk on which so many writes find room; what is freed helps nobody. */
function fullAfter(writes: number, fs: FileSystem): FileSystem {
  let left = writes;
  return {
    ...delegating(fs),
    write: (fd, bytes, position) => {
      left -= 1;
      if (left < 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      return fs.write(fd, bytes, position);
    },
  };
}

type Doing = 'withhold' | 'apply';

/** What was under way is finished by the next start; what had not begun is begun. */
function goOn(run: KeptRun, doing: Doing): void {
  if (isSwapping(run.state)) run.finishSwap();
  const isDone = doing === 'withhold' ? isWithheld(run.state) : run.state.swap?.to === 'run';
  if (!isDone) run[doing]();
}

/** Before it is cut off. */
async function upTo(doing: Doing) {
  const worked = await workedOn();
  if (doing === 'apply') worked.run.withhold();
  return worked;
}

describe.each(['withhold', 'apply'] as const)('a swap that is killed (%s)', (doing) => {
  it('is finished by the next start, wherever it died, and every file is whole meanwhile', async () => {
    for (let changes = 0; ; changes += dice(12, 1)) {
      const { run, before, after } = await upTo(doing);
      const life = lifetime(changes, run.fs);
      const dying = { fs: { ...delegating(run.fs), ...life.fs }, onAppend: life.beat };
      const started = run.of('swap_started').length;
      const doneBefore = run.of('file_swapped').length;
      try {
        run[doing](dying);
      } catch {
        // The kill.
      }
      expectWhole(contents(run.fs), before, after);
      goOn(run, doing);
      expect(contents(run.fs)).toEqual(doing === 'withhold' ? before : after);
      const swapped = run
        .of('file_swapped')
        .slice(doneBefore)
        .map(({ path }) => path);
      expect(new Set(swapped).size).toBe(swapped.length);
      expect(run.of('swap_started')).toHaveLength(started + 1);
      run.undo();
      expect(contents(run.fs)).toEqual(before);
      if (!life.isDead()) break;
    }
  });

  it('stops on a full disk with every file whole, and goes on when there is room', async () => {
    for (let writes = 0; ; writes += dice(12, 1)) {
      const { run, before, after } = await upTo(doing);
      const disk = fullAfter(writes, run.fs);
      let isFull = false;
      try {
        run[doing]({ fs: disk });
      } catch (error) {
        isFull = true;
        expect(error).toMatchObject({ code: 'E_DISK_FULL' });
      }
      expectWhole(contents(run.fs), before, after);
      goOn(run, doing);
      expect(contents(run.fs)).toEqual(doing === 'withhold' ? before : after);
      if (!isFull) break;
    }
  });
});
