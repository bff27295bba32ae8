import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { TardigradeError } from '../../src/lib/errors.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { withPauses } from '../../src/lib/interruptible.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { editFile } from '../../src/tools/builtin/edit-file.ts';
import { writeFile } from '../../src/tools/builtin/write-file.ts';
import { executeCall } from '../../src/tools/execute.ts';
import { type UndoDeps, undoing } from '../../src/undo/restore.ts';
import { aboutOutcome } from '../support/built-in-tools.ts';
import { dice } from '../support/dice.ts';
import { lifetime } from '../support/killable-file-system.ts';
import { undoRun } from '../support/undo-run.ts';
import { allowAll, makeWorkspace, type TestWorkspace } from '../tools/support.ts';

/** A run with real tools: its journal, and what undoing it needs. */
function makeRun(workspace: TestWorkspace) {
  const records: JournalRecord[] = [];
  let calls = 0;
  const call = async (name: string, args: Record<string, unknown>) => {
    const done = await executeCall({ id: 'c', name, args }, `1.1#1#${calls++}`, {
      tools: [writeFile, editFile],
      context: workspace.context,
      log: {
        intended: (record) => void records.push({ type: 'action_intended', ...record }),
        started: (record) => void records.push({ type: 'action_started', ...record }),
        finished: (record) => void records.push({ type: 'action_finished', ...record }),
        barrier: () => {},
      },
      clock: { monotonic: () => 0 },
      signal: new AbortController().signal,
      onOutput: () => {},
      blocked: null,
      watch: null,
      decide: allowAll,
      resultHash: () => '',
    });
    expect(done.status).toBe('ok');
    for (const [file, hash] of Object.entries(done.hashes)) workspace.known.set(file, hash);
  };
  const deps: UndoDeps = {
    fs: nodeFileSystem,
    workspace: workspace.root,
    records: () => [...records],
    append: (record) => void records.push(record),
    readBlob: (hash) => {
      const bytes = workspace.blobs.get(hash);
      if (bytes === undefined) throw new TardigradeError('E_JOURNAL_CORRUPT', 'gone', 'look');
      return bytes;
    },
    storeBlob: workspace.context.storeBlob,
  };
  const types = () => records.map((record) => record.type);
  return {
    records,
    deps,
    types,
    write: (file: string, content: string) => call('write_file', { path: file, content }),
    call,
  };
}

const snapshot = (root: string): string[] =>
  (fs.readdirSync(root, { recursive: true }) as string[]).sort().map((entry) => {
    const at = path.join(root, entry);
    const { mode } = fs.statSync(at);
    return fs.statSync(at).isDirectory() ? `${entry}/` : `${entry} ${mode} ${fs.readFileSync(at)}`;
  });

describe('undoing a run', () => {
  it('is left off between two files, and goes on with the next one when it is done again', async () => {
    const workspace = makeWorkspace();
    const names = ['a.txt', 'b.txt', 'c.txt'];
    for (const name of names) workspace.writeKnown(name, 'first');
    const run = makeRun(workspace);
    for (const name of names) await run.write(name, 'second');
    const interrupt = new AbortController();
    const breathe = async () => {
      if (run.types().includes('file_restored')) interrupt.abort();
    };
    await expect(withPauses(undoing(run.deps), breathe, interrupt.signal)).rejects.toMatchObject({
      code: 'E_INTERRUPTED',
    });
    expect(names.map((name) => workspace.read(name)).sort()).toEqual(['first', 'second', 'second']);
    expect(undoRun(run.deps)).toMatchObject({ outcome: 'undone' });
    expect(names.map((name) => workspace.read(name))).toEqual(['first', 'first', 'first']);
    expect(run.types().filter((type) => type === 'file_restored')).toHaveLength(3);
  });

  it('puts back contents and modes, removes what it made, and journals each file', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'first');
    workspace.writeKnown('run.sh', 'echo one two');
    fs.chmodSync(path.join(workspace.root, 'run.sh'), 0o750);
    const before = snapshot(workspace.root);
    const { deps, records, write, call } = makeRun(workspace);
    await write('a.txt', 'second');
    await write('new/deep/b.txt', 'b');
    await call('edit_file', { path: 'run.sh', old_text: 'two', new_text: 'three' });
    await write('a.txt', 'third');
    const length = records.length;
    const report = undoRun(deps);
    expect(snapshot(workspace.root)).toEqual(before);
    expect(report).toEqual({
      outcome: 'undone',
      restored: ['a.txt', 'run.sh'],
      removed: ['new/deep/b.txt'],
      leftAlone: [],
      foldersRemoved: ['new/deep', 'new'],
      foldersLeft: [],
      commands: [],
    });
    expect(records.slice(length)).toEqual([
      { type: 'undo_started', files: ['a.txt', 'run.sh', 'new/deep/b.txt'] },
      { type: 'file_restored', path: 'a.txt', hash: sha256('first'), skipped: '' },
      { type: 'file_restored', path: 'run.sh', hash: sha256('echo one two'), skipped: '' },
      { type: 'file_restored', path: 'new/deep/b.txt', hash: null, skipped: '' },
      { type: 'undo_finished' },
    ]);
  });

  it('leaves alone what somebody changed or removed since, and keeps its folder', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'old');
    const { deps, write } = makeRun(workspace);
    await write('a.txt', 'new');
    await write('made/b.txt', 'b');
    await write('gone.txt', 'g');
    workspace.write('a.txt', 'edited by hand');
    workspace.write('made/notes.txt', 'mine');
    fs.rmSync(path.join(workspace.root, 'gone.txt'));
    const report = undoRun(deps);
    expect(report.leftAlone).toEqual([{ path: 'a.txt', why: 'it was changed since' }]);
    expect(report.removed).toEqual(['made/b.txt']);
    expect(report.foldersLeft).toEqual(['made']);
    expect(workspace.read('a.txt')).toBe('edited by hand');
    expect(workspace.read('made/notes.txt')).toBe('mine');
  });

  it('says of no file that it was removed or put back that was as before already', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'old');
    const { deps, write } = makeRun(workspace);
    await write('a.txt', 'new');
    await write('gone.txt', 'g');
    workspace.write('a.txt', 'old');
    fs.rmSync(path.join(workspace.root, 'gone.txt'));
    const report = undoRun(deps);
    expect(report).toMatchObject({ outcome: 'undone', restored: [], removed: [], leftAlone: [] });
  });

  it('puts back a file that is named in another case, where that is the same file', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'old');
    const { deps, write } = makeRun(workspace);
    await write('a.txt', 'new');
    expect(undoRun(deps, 'A.TXT').outcome).toBe('nothing_to_undo');
    const onMac = { ...deps, fs: { ...nodeFileSystem, platform: 'darwin' as const } };
    expect(undoRun(onMac, 'A.TXT').restored).toEqual(['a.txt']);
    expect(workspace.read('a.txt')).toBe('old');
  });

  it('goes back no farther than what somebody wrote between two writes of the run', async () => {
    const workspace = makeWorkspace();
    const { deps, write } = makeRun(workspace);
    await write('a.txt', 'run 1');
    workspace.writeKnown('a.txt', 'by hand');
    await write('a.txt', 'run 2');
    undoRun(deps);
    expect(workspace.read('a.txt')).toBe('by hand');
  });

  it('names the commands it does not cover, and does nothing without writes', () => {
    const workspace = makeWorkspace();
    const { deps, records, types } = makeRun(workspace);
    const command = { class: 'command' as const, tool: 'run_cmd', signature: '' };
    for (const [id, cmd] of [
      ['1', 'pytest'],
      ['2', 'python a.py'],
      ['3', 'pytest'],
    ] as const) {
      records.push({ type: 'action_intended', id, args: { cmd }, files: [], ...command });
    }
    expect(undoRun(deps)).toMatchObject({
      outcome: 'nothing_to_undo',
      commands: ['python a.py'],
    });
    expect(types()).not.toContain('undo_started');
  });

  it('counts a write without an outcome only when the disk shows that it happened', async () => {
    for (const happened of [true, false]) {
      const workspace = makeWorkspace();
      workspace.writeKnown('a.txt', 'old');
      const { deps, records, write } = makeRun(workspace);
      await write('a.txt', 'one');
      await write('a.txt', 'two');
      records.pop();
      if (!happened) workspace.write('a.txt', 'one');
      undoRun(deps);
      expect(workspace.read('a.txt')).toBe('old');
    }
  });

  it('leaves a file whose before-image is gone, and says so', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'old');
    const { deps, write } = makeRun(workspace);
    await write('a.txt', 'new');
    workspace.blobs.clear();
    expect(undoRun(deps).leftAlone[0]?.why).toContain('missing in the blobs');
    expect(workspace.read('a.txt')).toBe('new');
  });

  it('never follows a folder that was swapped for a link', async () => {
    const workspace = makeWorkspace();
    const outside = makeWorkspace();
    const { deps, write } = makeRun(workspace);
    await write('d/a.txt', 'x');
    fs.renameSync(path.join(workspace.root, 'd'), path.join(outside.root, 'd'));
    fs.symlinkSync(path.join(outside.root, 'd'), path.join(workspace.root, 'd'));
    expect(undoRun(deps).leftAlone).toHaveLength(1);
    expect(outside.read('d/a.txt')).toBe('x');
  });

  it('stops on a full disk with the file whole, and goes on when called again', async () => {
    const workspace = makeWorkspace();
    workspace.writeKnown('a.txt', 'old');
    const { deps, types, write } = makeRun(workspace);
    await write('a.txt', 'new');
    const full = (): never => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    };
    expect(() => undoRun({ ...deps, fs: { ...nodeFileSystem, write: full } })).toThrow(/full/);
    expect(workspace.read('a.txt')).toBe('new');
    undoRun(deps);
    expect(workspace.read('a.txt')).toBe('old');
    expect(types().slice(-3)).toEqual(['undo_started', 'file_restored', 'undo_finished']);
  });

  it('is finished by calling it again, wherever it was killed', async () => {
    for (let changes = 0; ; changes += dice(4, 1)) {
      const workspace = makeWorkspace();
      workspace.writeKnown('a.txt', 'old');
      const before = snapshot(workspace.root);
      const { deps, types, write } = makeRun(workspace);
      await write('a.txt', 'new');
      await write('d/b.txt', 'b');
      const life = lifetime(changes);
      const dying: UndoDeps = {
        ...deps,
        fs: { ...nodeFileSystem, ...life.fs },
        append: (record) => {
          life.beat();
          deps.append(record);
        },
      };
      try {
        undoRun(dying);
      } catch {
        // The kill.
      }
      undoRun(deps);
      expect(snapshot(workspace.root)).toEqual(before);
      const undo = types().slice(4);
      expect(undo).toEqual(['undo_started', 'file_restored', 'file_restored', 'undo_finished']);
      workspace.write('a.txt', 'a new life');
      expect(undoRun(deps).outcome).toBe('already_undone');
      expect(workspace.read('a.txt')).toBe('a new life');
      if (!life.isDead()) break;
    }
  });

  it('works on a file system in memory', () => {
    const memory = new MemoryFileSystem();
    memory.mkdir('/w');
    const fd = memory.open('/w/a.txt', 'w', 0o644);
    memory.write(fd, Buffer.from('new'), 0);
    memory.close(fd);
    const appended: string[] = [];
    const files = [{ path: 'a.txt', before: null, after: sha256('new') }];
    const action = { id: '1', tool: 'write_file', signature: '' };
    const report = undoRun({
      fs: memory,
      workspace: '/w',
      records: () => [
        { type: 'action_intended', ...action, class: 'write', args: {}, files },
        {
          type: 'action_finished',
          ...action,
          ...aboutOutcome('write_file', { path: 'a.txt' }),
          callId: '',
          status: 'ok',
          result: '',
          resultHash: '',
          facts: {},
          hashes: {},
        },
      ],
      append: (record) => void appended.push(record.type),
      readBlob: () => Buffer.alloc(0),
      storeBlob: () => '',
    });
    expect(report.removed).toEqual(['a.txt']);
    expect(memory.readdir('/w')).toEqual([]);
    expect(appended).toEqual(['undo_started', 'file_restored', 'undo_finished']);
  });
});
