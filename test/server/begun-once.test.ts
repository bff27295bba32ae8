/** A conversation that is asked for twice under one key, with a server that was killed in between. */
import { expect, test } from 'vitest';
import { claimWorkFile } from '../../src/host/work-files.ts';
import { ensureDirectory } from '../../src/lib/files/durable-files.ts';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { nameFor, nameForToday } from '../../src/server/http/once.ts';
import type { Launch, ServerPlace } from '../../src/server/place.ts';
import { UNSEEN } from '../../src/server/process-end.ts';
import { queueRun } from '../../src/server/runs/act.ts';
import { TalkStore } from '../../src/server/sessions/store.ts';
import { TalkProcesses } from '../../src/server/sessions/talk-process.ts';

const machine = (pid: number) => ({
  ...{ host: 'h', boot: 'b', pidNamespace: 'n', pid },
  startTimeOf: (one: number) => `started ${one}`,
});

function placeWith(fs: MemoryFileSystem, notes: readonly object[], launch: (work: Launch) => void) {
  let at = 0;
  ensureDirectory(fs, '/work');
  ensureDirectory(fs, '/data');
  return {
    ...{ fs, launch, roots: ['/work'], dataFolder: '/data', identity: machine(1) },
    clock: {
      ...{ now: () => at, monotonic: () => at },
      sleep: async () => {
        at += 1;
      },
    },
    live: { all: () => (at < 3 ? [] : notes) },
    withoutSecrets: (said: string) => said,
    random: () => Buffer.from(`${Math.random()}`),
  } as unknown as ServerPlace;
}

test('has the same name each time', async () => {
  const files: string[] = [];
  const created = async (key: string | null) => {
    const place = placeWith(new MemoryFileSystem(), [], ({ file, ended }) => {
      files.push(file);
      ended({ code: null, signal: 'SIGKILL' });
    });
    const catalogue = { add: (path: string) => ({ path }) } as never;
    const store = new TalkStore(place, catalogue, () => ({}) as never);
    await expect(store.create({ workspacePath: '/work' }, key)).rejects.toThrow(
      'Its process was ended by SIGKILL before it was open.',
    );
  };
  for (const key of ['k', 'k', 'other', null, null]) await created(key);
  expect(files[1]).toBe(files[0]);
  expect(new Set(files).size).toBe(4);
});

test('is waited for while the process of the first request opens it', async () => {
  const fs = new MemoryFileSystem();
  const note = { run: 'r', workspace: '/work', address: 'a' };
  const place = placeWith(fs, [note], ({ file, ended }) => {
    claimWorkFile(fs, file, { identity: machine(7), now: 1 });
    ended(UNSEEN);
  });
  const processes = new TalkProcesses(place);
  await processes.held({ id: 'r', workspace: '/work' });
});

test('has another name a day later, which is the same each time too', () => {
  const day = 24 * 60 * 60_000;
  const [id, other] = ['k', nameFor('k')].map(nameFor) as [string, string];
  const nameAt = (now: number, ...begun: { id: string; startedAt: number }[]) =>
    nameForToday('k', { now, begun });
  const first = { id, startedAt: 1 };
  expect(nameAt(day, first)).toBe(id);
  expect(nameAt(day + 1, first)).toBe(other);
  expect(nameAt(2 * day, first, { id: other, startedAt: day + 1 })).toBe(other);
  expect(nameAt(3 * day, first, { id: other, startedAt: day + 1 })).not.toBe(other);
});

/** Begins a run on the third day, where each run so far was begun at this time. */
const startedBeside = (begun: { id: string; startedAt: number }[], goal: string) => {
  const added: string[] = [];
  const parts = {
    place: {
      ...{ fs: { platform: 'linux' }, engine: { listRuns: () => begun } },
      clock: { now: () => 3 * 24 * 60 * 60_000 },
    },
    queue: { has: () => false, add: ({ run }: never) => added.push(run), placeOf: () => null },
    catalogue: { folder: (path: string) => path, note: () => {} },
  } as never;
  const { id } = queueRun(parts, { workspace: '/work', goal }, 'nightly');
  return { id, added };
};

test('is begun under a key that an older run had', () => {
  const { id: old } = startedBeside([], 'x');
  const { id, added } = startedBeside([{ id: old, startedAt: 0 }], 'x');
  expect(id).not.toBe(old);
  expect(added).toEqual([id]);
});

test('is not taken for one that had its key and another goal', () => {
  const { id: other } = startedBeside([], 'x');
  const begun = [{ id: other, startedAt: 3 * 24 * 60 * 60_000 }];
  expect(startedBeside(begun, 'x').added).toEqual([]);
  const { id, added } = startedBeside(begun, 'y');
  expect(id).not.toBe(other);
  expect(added).toEqual([id]);
});
