import { expect, it } from 'vitest';
import { isCache } from '../../src/languages/languages.ts';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { runSync } from '../../src/lib/interruptible.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { editFile } from '../../src/tools/builtin/edit-file.ts';
import { listDir } from '../../src/tools/builtin/list-dir.ts';
import { readFile } from '../../src/tools/builtin/read-file.ts';
import { writeFile } from '../../src/tools/builtin/write-file.ts';
import type { Tool } from '../../src/tools/contract.ts';
import { executeCall } from '../../src/tools/execute.ts';
import { readBytes } from '../../src/workspace/files.ts';
import { scanWorkspace } from '../../src/workspace/scan.ts';
import { undoRun } from '../support/undo-run.ts';
import { allowAll, makeWorkspace } from './support.ts';

const WORKSPACE = 'C:\\work';

it('writes, reads, edits and undoes on win32, with / in everything it records', async () => {
  const fs = new MemoryFileSystem({ platform: 'win32' });
  fs.mkdir(WORKSPACE);
  const records: JournalRecord[] = [];
  const known = new Map<string, string | null>();
  const blobs = new Map<string, Uint8Array>();
  const tools: readonly Tool[] = [listDir, readFile, writeFile, editFile];
  let index = 0;
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const done = await executeCall({ id: 'c', name, args }, `1.1#1#${index++}`, {
      tools,
      context: {
        ...makeWorkspace().context,
        fs,
        workspace: WORKSPACE,
        lastKnownHash: (path) => known.get(path),
        storeBlob: (bytes) => {
          blobs.set(sha256(bytes), bytes);
          return sha256(bytes);
        },
      },
      log: {
        intended: (record) => void records.push({ type: 'action_intended', ...record }),
        started: () => {},
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
    for (const [path, hash] of Object.entries(done.hashes)) known.set(path, hash);
    return done.content;
  };
  const names = () => [...runSync(scanWorkspace(fs, WORKSPACE, isCache)).files.keys()];
  expect(await call('write_file', { path: 'src\\deep/a.py', content: 'a\r\nb\r\n' })).toBe(
    'Wrote 6 chars to src/deep/a.py',
  );
  expect(
    await call('edit_file', { path: 'src/deep\\a.py', old_text: 'b\n', new_text: 'c\nd\n' }),
  ).toBe('Replaced old_text in src/deep/a.py');
  expect(await call('list_dir', { path: 'src\\deep' })).toBe('a.py (9 bytes)');
  expect(await call('read_file', { path: '.\\src\\deep\\a.py' })).toBe('a\r\nc\r\nd\r\n');
  expect(readBytes(fs, 'C:\\work\\src\\deep\\a.py').toString()).toBe('a\r\nc\r\nd\r\n');
  expect(records[0]).toMatchObject({
    files: [{ path: 'src/deep/a.py', createdDirs: ['src', 'src/deep'] }],
  });
  const report = undoRun({
    fs,
    workspace: WORKSPACE,
    records: () => [...records],
    append: (record) => void records.push(record),
    readBlob: (hash) => blobs.get(hash) ?? Buffer.alloc(0),
    storeBlob: () => '',
  });
  expect(report).toMatchObject({
    removed: ['src/deep/a.py'],
    foldersRemoved: ['src/deep', 'src'],
  });
  expect(names()).toEqual([]);
});
