import { expect, test } from 'vitest';
import { layoutOf } from '../../src/journal/layout.ts';
import { ensureDirectory } from '../../src/lib/files/durable-files.ts';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import type { ServerPlace } from '../../src/server/place.ts';
import { TalkStore } from '../../src/server/sessions/store.ts';

test('a conversation whose journal was taken away while a process holds it is named as that', async () => {
  const fs = new MemoryFileSystem();
  const { sessions } = layoutOf('/work');
  ensureDirectory(fs, `${sessions}/t/quarantine`);
  fs.close(fs.open(`${sessions}/t/quarantine/history.t.jsonl`, 'w'));
  const note = { run: 't', workspace: '/work', address: 'a' };
  const place = { fs, live: { all: () => [note] }, roots: ['/work'], dataFolder: '/data' };
  const catalogue = { folders: () => ['/work'], add: () => ({ path: '/work' }) } as never;
  const feed = () => ({ journal: {}, touch: () => {}, questions: new Map() }) as never;
  const store = new TalkStore(place as unknown as ServerPlace, catalogue, feed);
  expect(store.list()).toMatchObject([{ id: 't', number: null }]);
  const lost = { code: 'E_JOURNAL_MISSING' };
  expect(() => store.detail('t')).toThrow(expect.objectContaining(lost));
  expect(() => store.talk('t')).toThrow(expect.objectContaining(lost));
  expect(() => store.transcript('t')).toThrow(expect.objectContaining(lost));
  await expect(store.resume('t', { workspacePath: '/work' })).rejects.toMatchObject(lost);
});
