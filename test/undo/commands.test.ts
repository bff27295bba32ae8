import { describe, expect, it } from 'vitest';
import { createBlobStore } from '../../src/journal/blobs/blobs.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { join } from '../../src/lib/files/absolute-paths.ts';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import { differencesOf } from '../../src/undo/differences.ts';
import { contents, FOLDER, KeptRun, put, remove } from '../support/kept-run.ts';
import { lifetime } from '../support/killable-file-system.ts';

const TABLE = 'id;name\r\n1;  Ann \r\n\r\n2;B\u00f6\r\n';

/** A run on a folder in which these files lay before. */
function runOn(files: Record<string, string | Uint8Array>): KeptRun {
  const run = new KeptRun();
  for (const [path, content] of Object.entries(files)) put(run.fs, path, content);
  return run;
}

describe('undoing what commands did', () => {
  it('puts a file that a script cleaned back to the byte', async () => {
    const run = runOn({ 'data.csv': TABLE });
    const before = contents(run.fs);
    await run.write('clean.py', 'clean()\n');
    await run.command(() => put(run.fs, 'data.csv', 'id;name\n1;Ann\n2;B\u00f6\n'));
    expect(run.of('files_changed')).toMatchObject([
      { by: 'command', files: [{ path: 'data.csv', before: sha256(TABLE) }] },
    ]);
    const report = run.undo();
    expect(report).toMatchObject({ restored: ['data.csv'], removed: ['clean.py'] });
    expect(contents(run.fs)).toEqual(before);
  });

  it('brings back what a command removed, with its folder and its mode', async () => {
    const run = runOn({ 'notes/given.txt': 'mine', 'other.txt': 'too' });
    const fd = run.fs.open('/w/notes/given.txt', 'r+');
    run.fs.fchmod(fd, 0o600);
    run.fs.close(fd);
    const before = contents(run.fs);
    await run.command(() => {
      remove(run.fs, 'notes/given.txt');
      run.fs.rmdir('/w/notes');
    });
    expect(run.undo().restored).toEqual(['notes/given.txt']);
    expect(contents(run.fs)).toEqual(before);
  });

  it('tells beforehand that a folder comes back in the place of a file', async () => {
    const run = runOn({ 'd/given.txt': 'mine' });
    const before = contents(run.fs);
    await run.command(() => {
      remove(run.fs, 'd/given.txt');
      run.fs.rmdir('/w/d');
      put(run.fs, 'd', 'a file');
    });
    expect(run.preview()).toMatchObject({
      files: expect.arrayContaining(['d/given.txt (changed by a command, will be put back)']),
      left: [],
    });
    const blobs = createBlobStore(run.fs, layoutOf(FOLDER).blobs);
    const place = { fs: run.fs, workspace: FOLDER, readBlob: (hash: string) => blobs.read(hash) };
    expect([...differencesOf(place, run.records)]).toMatchObject([
      { path: 'd', before: null, problem: '' },
      { path: 'd/given.txt', before: Buffer.from('mine'), after: null, problem: '' },
    ]);
    expect(run.undo()).toMatchObject({ leftAlone: [] });
    expect(contents(run.fs)).toEqual(before);
  });

  it('puts the mode back where a command changed nothing else', async () => {
    const run = runOn({ 'run.sh': 'echo\n', 'key.txt': 'mine' });
    const before = contents(run.fs);
    await run.command(() => {
      for (const [path, mode] of [
        ['run.sh', 0o755],
        ['key.txt', 0o600],
      ] as const) {
        const fd = run.fs.open(`/w/${path}`, 'r+');
        run.fs.fchmod(fd, mode);
        run.fs.close(fd);
      }
    });
    expect(contents(run.fs)).not.toEqual(before);
    const place = { fs: run.fs, workspace: FOLDER, readBlob: () => Buffer.alloc(0) };
    expect([...differencesOf(place, run.records)].map(({ problem }) => problem)).toEqual(
      Array(2).fill('only its mode is different'),
    );
    expect(run.undo().restored.toSorted()).toEqual(['key.txt', 'run.sh']);
    expect(contents(run.fs)).toEqual(before);
  });

  it('undoes edits in place of two files, and a formatter that touches fifty', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`src/${n % 5}/f${n}.py`, `x=${n}\n`]),
    );
    const run = runOn({ ...files, 'a.txt': 'one', 'b.txt': 'two' });
    const before = contents(run.fs);
    await run.command(() => {
      put(run.fs, 'a.txt', 'ONE');
      put(run.fs, 'b.txt', 'TWO');
    });
    await run.command(() => {
      for (const [path, text] of Object.entries(files)) put(run.fs, path, text.replace('=', ' = '));
    });
    // Everything was kept once, before the first command.
    expect(run.of('files_kept')).toMatchObject([{ files: 52 }]);
    expect(run.undo().restored).toHaveLength(52);
    expect(contents(run.fs)).toEqual(before);
  });

  it('goes back over commands and tools that take turns, in one step', async () => {
    const run = runOn({ 'a.txt': 'given' });
    const before = contents(run.fs);
    await run.command(() => put(run.fs, 'a.txt', 'by a command'));
    await run.write('a.txt', 'by a tool\n');
    await run.command(() => put(run.fs, 'a.txt', 'by a command again'));
    await run.check(() => remove(run.fs, 'a.txt'));
    expect(run.of('files_kept')).toHaveLength(1);
    expect(run.undo().restored).toEqual(['a.txt']);
    expect(contents(run.fs)).toEqual(before);
  });

  it('removes what commands made and nobody changed since, and their empty folders', async () => {
    const run = runOn({ 'a.txt': 'given' });
    const before = contents(run.fs);
    await run.command(() => {
      put(run.fs, 'out/deep/report.txt', 'report');
      put(run.fs, 'out/page.html', 'page');
      put(run.fs, 'chart.svg', 'chart');
    });
    put(run.fs, 'out/page.html', 'a person went on with it');
    const report = run.undo();
    expect(report.removed).toEqual(['out/deep/report.txt', 'chart.svg']);
    expect(report.leftAlone).toEqual([{ path: 'out/page.html', why: 'it was changed since' }]);
    expect(report.foldersRemoved).toEqual(['out/deep']);
    expect(report.foldersLeft).toEqual(['out']);
    const { 'out/page.html': _left, ...rest } = contents(run.fs);
    expect(rest).toEqual(before);
  });

  it('removes empty folders that commands made, where no file was changed', async () => {
    const run = runOn({ 'a.txt': 'given' });
    await run.command(() => {
      for (const folder of ['out', 'out/deep', 'kept']) run.fs.mkdir(`${FOLDER}/${folder}`);
    });
    put(run.fs, 'kept/mine.txt', 'person');
    expect(run.preview()).toMatchObject({
      files: [
        'out/deep/ (created by the run, will be removed)',
        'out/ (created by the run, will be removed)',
      ],
      isAsBefore: false,
    });
    expect(run.undo()).toMatchObject({
      ...{ outcome: 'undone', foldersRemoved: ['out/deep', 'out'], foldersLeft: ['kept'] },
    });
    expect(run.preview()).toMatchObject({ files: [], isAsBefore: true });
  });

  it('does not touch what a person changed, made or removed after the command', async () => {
    const run = runOn({ 'a.txt': 'given', 'b.txt': 'given', 'c.txt': 'given' });
    await run.command(() => {
      put(run.fs, 'a.txt', 'command');
      put(run.fs, 'b.txt', 'command');
      put(run.fs, 'c.txt', 'command');
    });
    put(run.fs, 'a.txt', 'person');
    remove(run.fs, 'b.txt');
    put(run.fs, 'mine.txt', 'person');
    expect(run.preview()).toMatchObject({
      files: ['c.txt (changed by a command, will be put back)'],
      left: ['b.txt (it was removed since)', 'a.txt (it was changed since)'],
    });
    const report = run.undo();
    expect(report.restored).toEqual(['c.txt']);
    expect(report.leftAlone).toEqual([
      { path: 'b.txt', why: 'it was removed since' },
      { path: 'a.txt', why: 'it was changed since' },
    ]);
    expect(Object.keys(contents(run.fs))).toEqual(['a.txt', 'c.txt', 'mine.txt']);
  });

  it('leaves alone and names a file that a person writes too, as nobody knows who wrote it last', async () => {
    const run = runOn({ 'a.txt': 'given', 'b.txt': 'b' });
    await run.command(() => put(run.fs, 'a.txt', 'command 1'));
    put(run.fs, 'a.txt', 'person');
    await run.command(() => {
      put(run.fs, 'a.txt', 'command 2, or the person');
      put(run.fs, 'b.txt', 'command 2');
    });
    expect(run.notices.join()).toContain('Somebody else writes "a.txt"');
    const { leftAlone, restored } = run.undo();
    expect(restored).toEqual(['b.txt']);
    expect(leftAlone.map(({ path }) => path)).toEqual(['a.txt']);
    expect(contents(run.fs)['a.txt']).toContain(Buffer.from('or the person').toString('hex'));
  });

  it('brings back a file that is gone after a command, even if a person wrote it too', async () => {
    const run = runOn({ 'a.txt': 'given' });
    await run.command(() => {});
    put(run.fs, 'a.txt', 'person');
    const asThePersonLeftIt = contents(run.fs);
    await run.command(() => remove(run.fs, 'a.txt'));
    run.undo();
    expect(contents(run.fs)).toEqual(asThePersonLeftIt);
  });

  it('keeps what it takes away, for a person who worked while a command ran', async () => {
    const run = runOn({ 'a.txt': 'given' });
    await run.command(() => put(run.fs, 'a.txt', 'saved in an editor meanwhile'));
    const { byCommands } = run.undo();
    const [replaced] = byCommands?.replaced ?? [];
    expect(replaced?.path).toBe('a.txt');
    expect(replaced?.blob).toBe(sha256('saved in an editor meanwhile'));
    expect(run.fs.stat(join('/w/.agent_context/blobs', replaced?.blob ?? '')).kind).toBe('file');
  });

  it('names no kept content of an empty file that it removes', async () => {
    const run = runOn({});
    await run.command(() => put(run.fs, 'log.txt', ''));
    expect(run.undo()).toMatchObject({ removed: ['log.txt'], byCommands: { replaced: [] } });
    expect(contents(run.fs)).toEqual({});
  });

  it('names a file that became a folder, and the reverse, and forces neither', async () => {
    const run = runOn({ data: 'a file', 'dir/a.txt': 'in a folder' });
    await run.command(() => {
      remove(run.fs, 'data');
      put(run.fs, 'data/mine.txt', 'now a folder');
      remove(run.fs, 'dir/a.txt');
      run.fs.rmdir('/w/dir');
      put(run.fs, 'dir', 'now a file');
    });
    put(run.fs, 'data/more.txt', 'a person');
    const report = run.undo();
    expect(report.leftAlone).toEqual([{ path: 'data', why: 'it is not a file any more' }]);
    expect(Object.keys(contents(run.fs))).toEqual(['data/more.txt', 'dir/a.txt']);
  });

  it('says of a run of an older build that its commands are not covered', async () => {
    const run = runOn({});
    const intent = { id: '1', class: 'command', tool: 'run_cmd', signature: '' } as const;
    run.record({ type: 'action_intended', ...intent, args: { cmd: 'make' }, files: [] });
    expect(run.undo()).toEqual(expect.not.objectContaining({ byCommands: expect.anything() }));
  });
});

describe('an undo that is killed', () => {
  it('is finished by calling it again, wherever it died, and takes nothing twice', async () => {
    // `npm run crash` takes every place.
    for (let changes = 0; ; changes += process.env.EVERY_KILL ? 1 : 4) {
      const run = runOn({ 'a.txt': 'given', 'gone/b.txt': 'given too' });
      const before = contents(run.fs);
      await run.command(() => {
        put(run.fs, 'a.txt', 'command');
        remove(run.fs, 'gone/b.txt');
        run.fs.rmdir('/w/gone');
        put(run.fs, 'made/c.txt', 'made');
      });
      const life = lifetime(changes, run.fs);
      try {
        run.undo({ fs: { ...delegating(run.fs), ...life.fs }, onAppend: life.beat });
      } catch {
        // The kill.
      }
      run.undo();
      expect(contents(run.fs)).toEqual(before);
      expect(run.fs.readdir('/w')).toEqual(['.agent_context', 'a.txt', 'gone']);
      const restored = run.of('file_restored').map(({ path }) => path);
      expect(restored.sort()).toEqual(['a.txt', 'gone/b.txt', 'made/c.txt']);
      expect(run.of('undo_finished')).toHaveLength(1);
      if (!life.isDead()) break;
    }
  });
});

describe('a command that a crash cut off', () => {
  it('leaves its changes named, and done by nobody knows whom', async () => {
    const run = runOn({ 'a.txt': 'given', 'b.txt': 'given', 'c.txt': 'stays' });
    await run.dieInCommand(() => {
      put(run.fs, 'a.txt', 'half');
      remove(run.fs, 'b.txt');
      put(run.fs, 'new.txt', 'new');
    });
    run.settle();
    expect(run.of('files_changed')).toMatchObject([
      {
        by: 'unknown',
        files: [
          { path: 'a.txt', before: sha256('given'), after: sha256('half') },
          { path: 'b.txt', before: sha256('given'), after: null },
          { path: 'new.txt', before: null, after: sha256('new') },
        ],
      },
    ]);
    // A second start finds it recorded.
    run.restart();
    run.settle();
    expect(run.of('files_changed')).toHaveLength(1);
  });

  it('is not undone, since a person may have worked meanwhile, but what was there is handed out', async () => {
    const run = runOn({ 'a.txt': 'given' });
    await run.dieInCommand(() => put(run.fs, 'a.txt', 'half, or a person'));
    run.settle();
    const { leftAlone, outcome } = run.undo();
    expect(outcome).toBe('nothing_to_undo');
    expect(leftAlone).toMatchObject([{ path: 'a.txt' }]);
    expect(leftAlone[0]?.why).toContain(`blobs/${sha256('given')}`);
    expect(run.fs.stat(`/w/.agent_context/blobs/${sha256('given')}`).size).toBe(5);
    expect(Object.values(contents(run.fs))[0]).toContain(
      Buffer.from('half, or a person').toString('hex'),
    );
  });

  it('is told apart from what earlier commands and tools of the run had left', async () => {
    const run = runOn({ 'a.txt': 'given' });
    await run.command(() => put(run.fs, 'a.txt', 'command'));
    await run.write('b.txt', 'tool\n');
    await run.dieInCommand(() => {});
    run.settle();
    expect(run.of('files_changed')).toHaveLength(1);
    expect(run.undo()).toMatchObject({ restored: ['a.txt'], removed: ['b.txt'], leftAlone: [] });
  });
});
