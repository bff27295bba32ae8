import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryOf } from '../../src/lib/files/durable-files.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { runSync } from '../../src/lib/interruptible.ts';
import { editFile } from '../../src/tools/builtin/edit-file.ts';
import { listDir } from '../../src/tools/builtin/list-dir.ts';
import { readFile } from '../../src/tools/builtin/read-file.ts';
import { writeFile } from '../../src/tools/builtin/write-file.ts';
import { replacing } from '../../src/tools/files/replace-text.ts';
import { hashFile, readBytes } from '../../src/workspace/files.ts';
import { makeWorkspace, type TestWorkspace, use } from './support.ts';

const MB = 1024 * 1024;
const onPosix = it.skipIf(process.platform === 'win32');

/** Takes no room on the disk. */
function makeHuge(workspace: TestWorkspace, name: string, size: number, start = ''): void {
  workspace.write(name, start);
  fs.truncateSync(path.join(workspace.root, name), size);
}

it('refuses to edit or replace a file by its size, unread', async () => {
  const opened: string[] = [];
  const open: typeof nodeFileSystem.open = (name, ...rest) => {
    opened.push(name);
    return nodeFileSystem.open(name, ...rest);
  };
  const workspace = makeWorkspace({ open });
  makeHuge(workspace, 'huge.log', 5_000_000_000);
  const edited = await use(editFile, workspace, { path: 'huge.log', old_text: 'a', new_text: 'b' });
  const written = await use(writeFile, workspace, { path: 'huge.log', content: 'b' });
  for (const { status, content } of [edited, written]) {
    expect(status).toBe('error');
    expect(content).toContain('huge.log has 5,000,000,000 bytes, and no file over 16 MB');
  }
  expect(opened).toEqual([]);
});

it('shows the beginning of a huge file, and reads no more of it than that', async () => {
  let read = 0;
  const counting: typeof nodeFileSystem.read = (fd, buffer, position) => {
    const count = nodeFileSystem.read(fd, buffer, position);
    read += count;
    return count;
  };
  const workspace = makeWorkspace({ read: counting });
  makeHuge(workspace, 'huge.txt', 5_000_000_000, `first\n${'x'.repeat(2 * MB)}`);
  const shown = await use(readFile, workspace, { path: 'huge.txt', end_line: 1 });
  expect(shown).toMatchObject({ status: 'ok' });
  expect(shown.content).toContain('only a part was looked at');
  expect(shown.content).toContain('first');
  // What was not seen whole gives no right to replace it.
  expect(shown.hashes).toBeUndefined();
  expect(read).toBeLessThan(2 * MB);
});

it('stops looking for a far line of a huge file when it is cancelled', async () => {
  const workspace = makeWorkspace();
  makeHuge(workspace, 'huge.txt', 5_000_000_000, 'first\n');
  const prepared = await readFile.prepare(
    { path: 'huge.txt', start_line: 2_000_000_000 },
    workspace.context,
  );
  if (prepared.kind === 'refused') throw new Error(prepared.result.content);
  const cancelled = new AbortController();
  const hooks = { signal: cancelled.signal, onSpawn: () => {}, onOutput: () => {} };
  const reading = prepared.perform(hooks);
  cancelled.abort();
  expect(await reading).toMatchObject({ status: 'cancelled' });
});

/** Each read finds more behind it. */
function growing(root: string): Pick<typeof nodeFileSystem, 'read'> {
  return {
    read: (fd, buffer, position) => {
      fs.appendFileSync(path.join(root, 'log.txt'), 'y'.repeat(300_000));
      return nodeFileSystem.read(fd, buffer, position);
    },
  };
}

it('ends with a file that grows while it is read, and does not write over what was added', async () => {
  const workspace = makeWorkspace();
  workspace.write('log.txt', `start\n${'x'.repeat(600_000)}`);
  const disk = { ...workspace.context.fs, ...growing(workspace.root) };
  const file = path.join(workspace.root, 'log.txt');
  expect(readBytes(disk, file)).toHaveLength(600_006);
  expect(hashFile(disk, file)).toMatch(/^[0-9a-f]{64}$/);
  const context = { ...workspace.context, fs: disk };
  const args = { path: 'log.txt', old_text: 'start', new_text: 'end' };
  expect(await use(editFile, { ...workspace, context }, args)).toMatchObject({
    status: 'conflict',
  });
  expect(workspace.read('log.txt')).toMatch(/^start\n/);
});

onPosix('never waits for a pipe, a socket or a device, whoever opens it', async () => {
  const workspace = makeWorkspace();
  const at = (name: string): string => path.join(workspace.root, name);
  execFileSync('mkfifo', [at('pipe')]);
  const server = net.createServer().listen(at('socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  fs.symlinkSync('/dev/zero', at('device'));
  for (const name of ['pipe', 'socket', 'device']) {
    for (const flags of ['r', 'r+', 'a', 'w'])
      expect(() => nodeFileSystem.open(at(name), flags), `${name} ${flags}`).toThrow(
        /EFTYPE|EACCES/,
      );
    expect(await use(readFile, workspace, { path: name })).toMatchObject({ status: 'error' });
    const args = { path: name, old_text: 'a', new_text: 'b' };
    expect(await use(editFile, workspace, args)).toMatchObject({ status: 'error' });
    expect(await use(writeFile, workspace, { path: name, content: 'a' })).toMatchObject({
      status: 'error',
    });
  }
  server.close();
  nodeFileSystem.close(nodeFileSystem.open(workspace.root, 'r'));
});

onPosix('writes and replaces a file whose name has no room for an ending', async () => {
  const workspace = makeWorkspace();
  for (const name of ['x'.repeat(255), `${'é'.repeat(126)}.js`]) {
    expect(await use(writeFile, workspace, { path: name, content: 'one' })).toMatchObject({
      status: 'ok',
    });
    const args = { path: name, old_text: 'one', new_text: 'two' };
    expect(await use(editFile, workspace, args)).toMatchObject({ status: 'ok' });
    expect(workspace.read(name)).toBe('two');
  }
  expect(fs.readdirSync(workspace.root)).toHaveLength(2);
});

it('gives each name a temporary one of its own, beside it, and no longer than a name may be', () => {
  expect(temporaryOf('/a/b.txt')).toBe('/a/b.txt.agent.tmp');
  const [one, other] = ['1', '2'].map((end) => temporaryOf(`/a/${'x'.repeat(254)}${end}`));
  expect(one).not.toBe(other);
  expect(one).toMatch(/^\/a\/[0-9a-f]{16}\.agent\.tmp$/);
  expect(temporaryOf(`C:\\a\\${'x'.repeat(250)}`)).toMatch(/^C:\\a\\[0-9a-f]{16}\.agent\.tmp$/);
});

it('looks at no more of a huge folder than it shows', async () => {
  let looks = 0;
  const workspace = makeWorkspace({
    readdir: () => Array.from({ length: 300_000 }, (_, index) => `f${index}`),
    lstat: (name) => {
      looks += 1;
      return { ...nodeFileSystem.lstat(path.dirname(name)), kind: 'file' };
    },
  });
  const listed = await use(listDir, workspace, { path: '.' });
  expect(listed.content).toContain('... and 299500 more');
  expect(looks).toBeLessThan(1000);
});

it('makes no text that is larger than a file that is changed may be', async () => {
  const workspace = makeWorkspace();
  workspace.writeKnown('a.txt', 'a'.repeat(100_000));
  const args = { path: 'a.txt', old_text: 'a', new_text: 'b'.repeat(1000), replace_all: true };
  const edited = await use(editFile, workspace, args);
  expect(edited.content).toContain('100000 places');
  expect(edited.content).toContain('100,000,000 bytes');
  expect(workspace.read('a.txt')).toHaveLength(100_000);
});

it('counts a text that stands everywhere, and names its first lines only', () => {
  const text = 'a\r\n'.repeat(100_000);
  const once = { all: false, isTooLong: () => false };
  expect(runSync(replacing(text, 'a', 'b', once))).toEqual({
    ...{ kind: 'ambiguous', count: 100_000, lines: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  });
  const oneLine = `${'a'.repeat(100_000)}\r\n`;
  const all = runSync(replacing(oneLine, 'a', 'b', { ...once, all: true }));
  expect(all).toMatchObject({ kind: 'replaced', count: 100_000 });
});
