/** The roots of a server and the requests that it keeps: in a place without a disk and without processes. */
import { expect, test } from 'vitest';
import { folderId, noteFolder } from '../../src/host/user/known-folders.ts';
import { claimWorkFile, type QueuedRun } from '../../src/host/work-files.ts';
import { ensureDirectory } from '../../src/lib/files/durable-files.ts';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import type { Launch, ServerPlace } from '../../src/server/place.ts';
import { UNSEEN } from '../../src/server/process-end.ts';
import { approve, queueRun, type RunParts, say } from '../../src/server/runs/act.ts';
import { Catalogue } from '../../src/server/runs/catalogue.ts';
import { RunQueue } from '../../src/server/runs/queue.ts';
import { adoptBelowRoot, repairBelowRoot } from '../../src/server/runs/take-over.ts';
import { Talk } from '../../src/server/sessions/talk.ts';
import { TalkProcesses } from '../../src/server/sessions/talk-process.ts';
import { applyBelowRoot, undoBelowRoot, undoTalk } from '../../src/server/undo.ts';

const RUN = 'r1';
const SUMMARY = { id: RUN, path: '/other', isCurrent: true } as never;

/** A machine on which some processes run. */
const machine = (pid: number, others: readonly number[] = []) => ({
  ...{ host: 'h', boot: 'b', pidNamespace: 'n', pid },
  startTimeOf: (one: number) => ([pid, ...others].includes(one) ? `started ${one}` : null),
});

/** A server that may work in `/work`, and knows `/other` from a run in a terminal. */
function place(fs = new MemoryFileSystem(), identity = machine(1)) {
  const done: string[] = [];
  const launched: Launch[] = [];
  const does = (name: string) => () => {
    done.push(name);
    return { outcome: 'done', restored: [], removed: [], leftAlone: [], applied: [], dropped: {} };
  };
  const engine = {
    listRuns: () => [{ id: RUN, isCurrent: true, lastAt: 2 }],
    lockOwner: () => null,
    ...{ planUndo: () => null, undo: does('undo'), applyRun: does('apply') },
    planAdoption: () => ({ goal: 'x', next: [], dropped: { addresses: [], grants: [] } }),
    planRepair: () => ({ isNothing: false, key: 'k', found: [], kept: [], lost: [], detail: '' }),
    ...{ adopt: does('adopt'), repair: does('repair') },
  };
  for (const folder of ['/work/app', '/other', '/data']) ensureDirectory(fs, folder);
  const made = {
    ...{ fs, engine, roots: ['/work'], dataFolder: '/data', maxRuns: 1 },
    ...{ live: { all: () => [] }, clock: { now: () => 1, monotonic: () => 1 } },
    identity,
    withoutSecrets: (said: string) => said,
    random: (bytes: number) => new Uint8Array(bytes),
    launch: (work: Launch) => launched.push(work),
  } as unknown as ServerPlace;
  return { place: made, done, launched };
}

const refusedAs = async (act: () => unknown): Promise<unknown> => {
  try {
    await act();
    return null;
  } catch (error) {
    return (error as { code?: string }).code ?? error;
  }
};

test('no work begins outside the roots, whether a folder is named by its path or by its id', async () => {
  const { place: made, launched } = place();
  for (const folder of ['/work/app', '/other']) noteFolder(made, folder);
  const queue = new RunQueue(made, false);
  const catalogue = new Catalogue(made, queue);
  expect(catalogue.workspaces().map(({ path, mayWork }) => [path, mayWork])).toEqual([
    ['/work/app', true],
    ['/other', false],
  ]);
  const parts = { place: made, queue, catalogue } as never;
  for (const workspace of ['/other', folderId('/other'), folderId('/nowhere')])
    expect(await refusedAs(() => queueRun(parts, { workspace, goal: 'x' }, null))).toBe(
      'E_OUTSIDE',
    );
  expect(launched).toEqual([]);
  queueRun(parts, { workspace: folderId('/work/app'), goal: 'x' }, null);
  expect(launched).toHaveLength(1);
});

test.each([
  { goal: '  ' },
  { goal: 'x'.repeat(100_001) },
  { goal: 'x', allow: ['edit('] },
  { goal: 'x', deny: ['read(../y)'] },
])('what no process could begin is refused at once', async (body) => {
  const { place: made, launched } = place();
  noteFolder(made, '/work/app');
  const queue = new RunQueue(made, false);
  const parts = { place: made, queue, catalogue: new Catalogue(made, queue) } as never;
  const workspace = folderId('/work/app');
  expect(await refusedAs(() => queueRun(parts, { workspace, ...body }, null))).toBe('E_USAGE');
  expect(launched).toEqual([]);
});

const request = (run: string, goal: string | null = null): QueuedRun => ({
  ...{ run, workspace: '/work/app', goal, words: [], at: 1 },
});

test('a request that comes before the old process has gone outlives the server, and is started afterwards', () => {
  const fs = new MemoryFileSystem();
  const one = place(fs);
  const queue = new RunQueue(one.place, true);
  queue.add(request(RUN));
  queue.add({ ...request(RUN), words: ['--again'] });
  expect(one.launched).toHaveLength(1);
  // That server is killed, and so is the process.
  const next = place(fs, machine(2));
  const recovered = new RunQueue(next.place, true);
  expect(recovered.waiting).toMatchObject([{ ...request(RUN), words: ['--again'] }]);
  recovered.poll();
  expect(next.launched).toHaveLength(1);
  next.launched[0]?.ended(UNSEEN);
  expect(fs.readdir('/data/serve/runs')).toEqual([]);
});

test('an accepted request is taken however many wait by then', () => {
  const one = place();
  const queue = new RunQueue(one.place, true);
  queue.add(request(RUN));
  queue.add({ ...request(RUN), words: ['--again'] });
  for (let at = 0; at < 64; at += 1) queue.add(request(`w${at}`));
  expect(() => queue.add(request('more'))).toThrow('Too many');
  one.launched[0]?.ended(UNSEEN);
  expect(queue.placeOf(RUN)).not.toBeNull();
});

test('a request that a server with other roots accepted is neither started nor lost', () => {
  const fs = new MemoryFileSystem();
  const one = place(fs);
  new RunQueue({ ...one.place, roots: ['/other'], maxRuns: 0 }, true).add({
    ...request('o1'),
    workspace: '/other',
  });
  new RunQueue(one.place, true).poll();
  expect(one.launched).toEqual([]);
  const there = new RunQueue({ ...one.place, roots: ['/other'] }, true);
  expect(there.waiting).toHaveLength(1);
});

test('what a server accepted is begun by another only once that server has gone', () => {
  const fs = new MemoryFileSystem();
  const one = place(fs, machine(1));
  const queue = new RunQueue(one.place, true);
  queue.add(request('w1', 'x'));
  queue.add(request('w2', 'x'));
  const beside = place(fs, machine(2, [1]));
  new RunQueue(beside.place, true).poll();
  expect(beside.launched).toEqual([]);
  const after = place(fs, machine(3, [2]));
  expect(new RunQueue(after.place, true).waiting).toHaveLength(2);
  // From then on they are that server's.
  const last = place(fs, machine(4, [3]));
  expect(new RunQueue(last.place, true).waiting).toEqual([]);
});

test('what waited for a server that takes up nothing is begun by none after it', () => {
  const fs = new MemoryFileSystem();
  const one = place(fs, machine(1));
  const queue = new RunQueue({ ...one.place, maxRuns: 0 }, false);
  queue.add(request('w1', 'x'));
  expect(new RunQueue(place(fs, machine(2, [1])).place, true).waiting).toEqual([]);
  expect(fs.readdir('/data/serve/runs')).toEqual(['w1.json']);
  expect(new RunQueue(place(fs, machine(3)).place, true).waiting).toEqual([]);
  expect(fs.readdir('/data/serve/runs')).toEqual([]);
});

test('a process that finds its work taken leaves the file to whoever works on it', () => {
  const fs = new MemoryFileSystem();
  const { place: made, launched } = place(fs, machine(1, [7]));
  new RunQueue(made, true).add(request('w1', 'x'));
  const file = '/data/serve/runs/w1.json';
  const release = claimWorkFile(fs, file, { identity: machine(7), now: 1 });
  launched[0]?.ended(UNSEEN);
  expect(fs.readdir('/data/serve/runs')).toContain('w1.json');
  release?.();
});

test('work whose process was killed is begun again only if it had opened no run', () => {
  const fs = new MemoryFileSystem();
  const { place: made, launched } = place(fs, machine(1, [7]));
  const queue = new RunQueue({ ...made, maxRuns: 2 }, true);
  queue.add(request(RUN));
  queue.add({ ...request('w1', 'x'), workspace: '/work/other' });
  for (const { file } of launched) claimWorkFile(fs, file, { identity: machine(7), now: 1 });
  const after = new RunQueue(place(fs, machine(2)).place, true);
  expect(after.waiting.map(({ run }) => run)).toEqual(['w1']);
  expect(fs.readdir('/data/serve/runs')).not.toContain(`${RUN}.json`);
  // Whoever takes the work up removes the claim of the dead, and the next server the claim of what is gone.
  new RunQueue(place(fs, machine(3)).place, true);
  expect(fs.readdir('/data/serve/runs')).toEqual(['w1.json', 'w1.json.claim']);
});

test('a run outside the roots is shown, and not undone, applied, adopted or repaired', async () => {
  const { place: made, done } = place();
  expect(await undoBelowRoot(made, SUMMARY, { dryRun: true })).toMatchObject({
    outcome: 'planned',
  });
  const { key } = adoptBelowRoot(made, SUMMARY, {});
  expect(await repairBelowRoot(made, SUMMARY, {})).toMatchObject({ outcome: 'planned' });
  const talk = { id: 't', workspace: '/other', isHeld: false, close: async () => {} } as never;
  const acts = [
    () => undoBelowRoot(made, SUMMARY, {}),
    () => applyBelowRoot(made, SUMMARY),
    () => adoptBelowRoot(made, SUMMARY, { agreed: key }),
    () => repairBelowRoot(made, SUMMARY, { agreed: 'k' }),
    () => undoTalk(made, talk, {}),
  ];
  for (const act of acts) expect(await refusedAs(act)).toBe('E_OUTSIDE');
  expect(done).toEqual([]);
});

test('no work begins in a folder that has become a link to one outside the roots', async () => {
  const fs = new MemoryFileSystem();
  const { place: made, launched } = place(fs);
  const kept: string[] = [];
  Object.assign(made, { keepError: (error: Error) => kept.push(error.message) });
  const queue = new RunQueue(made, true);
  queue.add(request('w1', 'x'));
  queue.add(request('w2', 'x'));
  const { realpath } = fs;
  fs.realpath = (path) => (path === '/work/app' ? '/other' : realpath.call(fs, path));
  launched[0]?.ended(UNSEEN);
  expect(launched).toHaveLength(1);
  expect(queue.early.failureOf('w2')).toContain('/work/app leads elsewhere now');
  const here = { id: RUN, path: '/work/app' } as never;
  expect(await refusedAs(() => undoBelowRoot(made, here, {}))).toBe('E_OUTSIDE');
  const talks = new TalkProcesses(made);
  expect(await refusedAs(() => talks.held({ id: 't', workspace: '/work/app' }))).toBe('E_OUTSIDE');
});

test('work outside the roots that another process holds is not steered', async () => {
  const { place: made } = place();
  const sent: object[] = [];
  const following = {
    send: async (message: object) => ({ how: 'taken', sent: sent.push(message) }),
  };
  const questions = new Map([['q1', { id: 'q1', callId: '' }]]);
  const feed = { connected: async () => following, questions, wake: () => {} } as never;
  const live = { all: () => [{ run: 't', workspace: '/other', address: 'a' }] } as never;
  const processes = new TalkProcesses({ ...made, live });
  const parts = { processes, clock: made.clock, feed: () => feed, state: () => null as never };
  const talk = new Talk(parts, { id: 't', workspace: '/other' }, '0.0');
  const runs = { place: made, feedOf: () => feed } as unknown as RunParts;
  const acts = [
    () => say(runs, SUMMARY, 'go on'),
    () => approve(runs, SUMMARY, 'q1', { answer: 'once' }),
    () => talk.command('/undo'),
    () => talk.chat('go on'),
    () => talk.answer('q1', { answer: 'once' }),
    () => talk.cancel(),
    () => talk.close(),
  ];
  for (const act of acts) expect(await refusedAs(act)).toBe('E_OUTSIDE');
  expect(sent).toEqual([]);
});
