/** What one run cannot do ends neither the server nor another run. */
import { expect, test } from 'vitest';
import { claimWorkFile } from '../../src/host/work-files.ts';
import { discard, ensureDirectory } from '../../src/lib/files/durable-files.ts';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import type { Launch, ServerPlace } from '../../src/server/place.ts';
import { UNSEEN } from '../../src/server/process-end.ts';
import { queueResume, type RunParts } from '../../src/server/runs/act.ts';
import { Catalogue } from '../../src/server/runs/catalogue.ts';
import { runDetailOf } from '../../src/server/runs/detail.ts';
import { RunQueue } from '../../src/server/runs/queue.ts';
import { runState } from '../cli/support.ts';

function serving() {
  const fs = new MemoryFileSystem();
  ensureDirectory(fs, '/data');
  const kept: string[] = [];
  const launched: Launch[] = [];
  const place = {
    ...{ fs, roots: ['/work'], dataFolder: '/data', maxRuns: 4 },
    live: { all: () => [] },
    engine: {
      ...{ listRuns: () => [], lockOwner: () => null },
      ...{ beliefIn: () => ({ kind: 'own', state: runState({}) }), readRun: () => ({ run: 'a' }) },
    },
    clock: { now: () => 1, monotonic: () => 0 },
    identity: { host: 'h', boot: 'b', pidNamespace: '', pid: 1, startTimeOf: () => 's' },
    withoutSecrets: (said: string) => said.replaceAll('s3cret', '[secret removed]'),
    keepError: (error: Error) => `kept ${kept.push(error.message)}`,
    launch: (work: Launch) => {
      if (work.workspace === '/work/full') throw new Error('EDQUOT');
      launched.push(work);
    },
  } as unknown as ServerPlace;
  return { place, queue: new RunQueue(place, true), fs, kept, launched };
}
const request = (run: string, folder = run) => ({
  ...{ run, workspace: `/work/${folder}`, goal: 'x', words: [], at: 1 },
});

test('a run whose process cannot be started has not begun, and says why, also after a restart', () => {
  const { place, queue, fs, kept, launched } = serving();
  queue.add(request('full'));
  queue.add(request('other'));
  queue.poll();
  expect(kept).toEqual(['EDQUOT']);
  expect(queue.early.unrecorded.map(({ run }) => run)).toEqual(['full']);
  expect(queue.early.failureOf('full')).toContain('EDQUOT');
  expect(launched).toHaveLength(1);
  const restarted = new RunQueue(place, true);
  expect(restarted.early.unrecorded.map(({ run }) => run)).toEqual(['full']);
  expect(restarted.early.failureOf('full')).toContain('EDQUOT');
  expect(fs.readdir('/data/serve/runs').filter((name) => name.endsWith('json'))).toEqual([
    'other.json',
  ]);
});

test('a request that cannot be read stays, is told of, and keeps no other one from its turn', () => {
  const { place, queue, fs, kept } = serving();
  queue.add(request('a'));
  queue.add(request('half'));
  fs.ftruncate(fs.open('/data/serve/runs/half.json', 'r+'), 20);
  expect(new RunQueue(place, true).waiting.map(({ run }) => run)).toEqual(['a']);
  expect(kept).toEqual([expect.stringContaining('/data/serve/runs/half.json cannot be read')]);
  expect(fs.readdir('/data/serve/runs')).toContain('half.json');
});

/** As its process writes it. */
const says = (fs: MemoryFileSystem, run: string, words: string) =>
  fs.write(fs.open(`/data/serve/runs/${run}.err`, 'w'), Buffer.from(words), 0);

test.each([
  [{ code: null, signal: 'SIGKILL' }, '', 'Its process was ended by SIGKILL before it began.'],
  [
    ...([{ code: null, signal: 'SIGABRT' }, 'out of memory: s3cret'] as const),
    'Its process was ended by SIGABRT before it began. out of memory: [secret removed]',
  ],
  [{ code: 7, signal: null }, '', 'Its process ended with exit code 7 before it began.'],
  [
    { code: 2, signal: null },
    'There is no key, not s3cret.',
    'There is no key, not [secret removed].',
  ],
  [UNSEEN, '', 'Its process ended before it began.'],
  [
    ...([{ ...UNSEEN, error: new Error('spawn ENOENT') }, ''] as const),
    'Its process could not be started: spawn ENOENT.',
  ],
])(
  'a run whose process ends like %j has not begun, and says so, also after a restart',
  (...row) => {
    const [end, said, words] = row;
    const { place, queue, fs, launched } = serving();
    queue.add(request('a'));
    says(fs, 'a', said);
    launched[0]?.ended(end);
    expect(queue.early.failureOf('a')).toBe(words);
    expect(new RunQueue(place, true).early.failureOf('a')).toBe(words);
  },
);

test.each([request('a'), { ...request('a'), goal: null }])(
  'a run whose journal was taken away while it worked is no run that did not begin: %j',
  (wanted) => {
    const { place, queue, launched } = serving();
    queue.add(wanted);
    place.live.all = () => [{ run: 'a', workspace: '/work/a' }] as never;
    queue.poll();
    launched[0]?.ended({ code: null, signal: 'SIGKILL' });
    const words = 'Its process was ended by SIGKILL before it was finished.';
    for (const one of [queue, new RunQueue(place, true)]) {
      const catalogue = new Catalogue(place, one);
      const shown = catalogue.run('a');
      expect([shown.standing, catalogue.isUnrecorded('a')]).toEqual(['gone', true]);
      expect(runDetailOf(place, one, shown, new Map()).failure).toBe(words);
    }
  },
);

test('a run that a process of an earlier server works on has not failed where a second process ends', () => {
  const { place, queue, fs, launched } = serving();
  queue.add(request('a'));
  const identity = { ...place.identity, pid: 2 };
  const release = claimWorkFile(fs, '/data/serve/runs/a.json', { identity, now: 1 });
  launched[0]?.ended(UNSEEN);
  expect(queue.early.unrecorded).toEqual([]);
  expect(queue.has('a')).toBe(true);
  release?.();
  launched[0]?.ended(UNSEEN);
  expect(queue.early.unrecorded.map(({ run }) => run)).toEqual(['a']);
});

test('a run whose process came after its server had gone is no run that waits: it is at work, and then over', () => {
  const { place, queue, fs, launched } = serving();
  queue.add(request('a'));
  queue.close();
  Object.assign(place, { maxRuns: 0 });
  const later = new RunQueue(place, true);
  later.poll();
  expect(later.waiting.map(({ run }) => run)).toEqual(['a']);
  const identity = { ...place.identity, pid: 2 };
  const release = claimWorkFile(fs, '/data/serve/runs/a.json', { identity, now: 1 });
  expect(later.drop('a')).toBe(false);
  expect(later.started.map(({ run }) => run)).toEqual(['a']);
  discard(fs, '/data/serve/runs/a.json');
  release?.();
  later.poll();
  expect([later.has('a'), launched.length]).toEqual([false, 1]);
});

test('a run that has ended is shown so, though its request still seems to wait', () => {
  const { place, queue } = serving();
  queue.add(request('a'));
  queue.close();
  Object.assign(place, { maxRuns: 0 });
  const later = new RunQueue(place, true);
  const state = runState({ ended: { ending: 'achieved', detail: '' } });
  const listed = { ...{ id: 'a', number: 1, goal: 'x', startedAt: 1, lastAt: 2, isCurrent: true } };
  Object.assign(place.engine, {
    listRuns: () => [{ ...listed, status: 'achieved', records: 9 }],
    readRun: () => state,
    beliefIn: () => ({ kind: 'own', state }),
  });
  const shown = runDetailOf(place, later, new Catalogue(place, later).run('a'), new Map());
  expect([shown.standing, shown.ended?.ending, shown.place]).toEqual([
    'achieved',
    'achieved',
    null,
  ]);
});

test('files that cannot be read or moved now throw into no timer and into no process that ends', () => {
  const { queue, fs, kept, launched } = serving();
  queue.add(request('a'));
  queue.add({ ...request('a'), goal: 'again' });
  queue.add(request('b'));
  const { stat, rename } = fs;
  const fails = () => {
    throw Object.assign(new Error('EIO'), { code: 'EIO' });
  };
  Object.assign(fs, { stat: fails, rename: fails });
  queue.poll();
  expect(queue.started.map(({ run }) => run)).toEqual(['a', 'b']);
  launched[0]?.ended(UNSEEN);
  expect(kept).toEqual(['EIO']);
  expect(queue.started.map(({ run }) => run)).toEqual(['b']);
  Object.assign(fs, { stat, rename });
  launched[1]?.ended(UNSEEN);
  expect(fs.readdir('/data/serve/runs')).toContain('a.next');
});

test('a clock that is set forward ends no run that starts, and one set back hides no end', () => {
  const world = pausedRun();
  const { place, queue } = world;
  queue.add(request('b'));
  place.clock.now = () => 3_600_000;
  queue.poll();
  expect(queue.started.map(({ run }) => run)).toEqual(['b']);
  world.asks();
  claim(world, 's');
  const later = new RunQueue(place, true);
  later.poll();
  place.clock.now = () => 1;
  place.clock.monotonic = () => 5000;
  discard(world.fs, '/data/serve/runs/a.json.claim');
  later.poll();
  expect(later.has('a')).toBe(false);
});

test('a second resume is refused until the first has opened the run, so that a later pause lasts', () => {
  const { place, queue, launched } = serving();
  const paused = { id: 'a', path: '/work/a', number: 1, standing: 'paused' };
  const asks = (lastAt: number) =>
    queueResume({ place, queue } as RunParts, { ...paused, lastAt } as never, {});
  asks(0);
  expect(() => asks(0)).toThrow('worked on already');
  // It has worked since and was paused; its process has yet to go.
  asks(2);
  expect(launched).toHaveLength(1);
  launched[0]?.ended(UNSEEN);
  expect(launched).toHaveLength(2);
});

test('what a closing server was asked for is left for the next one, although its process goes too', () => {
  const { place, queue, fs, launched } = serving();
  queue.add(request('a'));
  queue.add(request('b', 'a'));
  queue.close();
  launched[0]?.ended(UNSEEN);
  expect(launched).toHaveLength(1);
  expect(fs.readdir('/data/serve/runs').toSorted()).toEqual(['a.json', 'b.json']);
  expect(new RunQueue(place, true).waiting.map(({ run }) => run)).toEqual(['a', 'b']);
});

/** A paused run in the folder, where another run may work. */
function pausedRun(limits = {}) {
  const world = serving();
  const { place, queue } = world;
  const paused = { why: 'limit_rounds', detail: 'the rounds are spent', hint: '' };
  const state = runState({ run: 'a', goal: 'x', paused, limits } as never);
  const listing = { id: 'a', number: 1, goal: 'x', startedAt: 0, lastAt: 0, isCurrent: true };
  Object.assign(place.engine, {
    listRuns: () => [{ ...listing, status: 'unfinished', records: 3 }],
    readRun: () => state,
    beliefIn: () => ({ kind: 'own', state }),
  });
  Object.assign(place, { typed: (words: string[]) => words.join(' ') });
  const catalogue = new Catalogue(place, queue);
  catalogue.note('/work/a');
  const parts = { place, queue, catalogue } as unknown as RunParts;
  const shown = () => catalogue.run('a');
  return {
    ...{ ...world, listing, shown },
    asks: (body = {}) => queueResume(parts, shown(), body),
    detail: () => runDetailOf(place, queue, shown(), new Map()),
  };
}

test('a folder that could not be read once is read again by the next who asks, and keeps its runs', () => {
  const { place, shown } = pausedRun();
  const { listRuns } = place.engine;
  const unread = () => {
    throw new Error('EMFILE');
  };
  Object.assign(place.engine, { listRuns: unread });
  expect(() => shown()).toThrow('There is no run of that id');
  Object.assign(place.engine, { listRuns });
  expect(shown()).toMatchObject({ id: 'a', standing: 'paused' });
});

test('a resume that waits for its turn is shown as queued, refused a second time, and can be cancelled', () => {
  const { queue, launched, shown, asks, detail } = pausedRun();
  queue.add(request('other', 'a'));
  asks();
  expect(shown().standing).toBe('queued');
  expect(detail()).toMatchObject({ standing: 'queued', place: 0 });
  expect(() => asks()).toThrow('worked on already');
  expect(queue.drop('a')).toBe(true);
  expect(shown().standing).toBe('paused');
  asks();
  launched[0]?.ended(UNSEEN);
  expect(shown().standing).toBe('starting');
  expect(detail()).toMatchObject({ standing: 'starting', mayGoOn: false, next: [] });
});

test('a resume whose process could not open the run says why, until the next one', () => {
  const { fs, launched, shown, asks, detail } = pausedRun();
  asks();
  says(fs, 'a', 'There is no key.');
  launched[0]?.ended(UNSEEN);
  expect(shown()).toMatchObject({ standing: 'paused', failedAt: 1 });
  expect(detail()).toMatchObject({ standing: 'paused', failure: 'There is no key.' });
  asks();
  expect(detail().failure).toBe(null);
  launched[1]?.ended(UNSEEN);
  expect(detail().failure).toBe('Its process ended before it went on.');
});

test('a request to resume keeps the limits of the run that it does not name', () => {
  const { queue, asks } = pausedRun({ maxTokens: 1000, maxCost: 0.5 });
  queue.add(request('other', 'a'));
  asks({ maxCost: 2 });
  expect(queue.waiting[0]?.words).toEqual(['--max-tokens', '1000', '--max-cost', '2']);
});

/** @param start when the process began: `s` for one that is alive */
function claim({ fs, place }: ReturnType<typeof pausedRun>, start: string) {
  const identity = { ...place.identity, pid: 7, startTimeOf: () => start };
  claimWorkFile(fs, '/data/serve/runs/a.json', { identity, now: 1 });
}

test('a resume is left for the next server until its process has opened the run', () => {
  const world = pausedRun();
  world.asks();
  world.queue.close();
  claim(world, 'gone');
  const taken = () => new RunQueue(world.place, true).waiting.map(({ run }) => run);
  expect(taken()).toEqual(['a']);
  world.listing.lastAt = 2;
  expect(taken()).toEqual([]);
});

test('what is asked for once a process of an earlier server has gone does not wait longer than for another process', () => {
  const world = pausedRun();
  const { place, fs, launched } = world;
  world.asks();
  claim(world, 's');
  place.clock.now = () => 100;
  const queue = new RunQueue(place, true);
  queue.add({ ...request('a'), goal: null, at: 100 });
  expect(launched).toHaveLength(1);
  // Paused, it leaves its request behind.
  discard(fs, '/data/serve/runs/a.json.claim');
  place.clock.monotonic = () => 5000;
  queue.poll();
  expect(launched).toHaveLength(2);
});

test('a resume that works since before the server began is not shown as one that has still to start', () => {
  const world = pausedRun();
  world.asks();
  claim(world, 's');
  world.place.clock.now = () => 100;
  const queue = new RunQueue(world.place, true);
  expect(queue.started.map(({ run }) => run)).toEqual(['a']);
  expect([queue.isOpening('a', 1), queue.isOpening('a', 50)]).toEqual([true, false]);
});

test.each([
  ['undoing', { undo: { finished: false }, paused: null }],
  ['killed', { paused: null }],
])('an older run is %s where its journal says so, and is read once', (standing, fields) => {
  const { place, listing, shown, detail } = pausedRun();
  let reads = 0;
  const state = runState({ run: 'a', ...fields } as never);
  const readRun = (_: string, run?: string) => {
    reads += 1;
    return run === 'a' ? state : null;
  };
  Object.assign(place.engine, { readRun, beliefIn: () => ({ kind: 'own', state }) });
  listing.isCurrent = false;
  const first = shown();
  place.engine.lockOwner = () => ({ isAlive: true }) as never;
  expect([first.standing, shown().standing, reads]).toEqual([standing, standing, 1]);
  expect(detail().standing).toBe(standing);
});

test('a run that was cut off says how its process ended, and nothing once it is resumed', () => {
  const { place, queue, launched, listing, detail, asks } = pausedRun();
  const state = runState({ run: 'a' } as never);
  Object.assign(place.engine, { readRun: () => state, beliefIn: () => ({ kind: 'own', state }) });
  listing.lastAt = 2;
  queue.add(request('a'));
  place.clock.now = () => 2;
  launched[0]?.ended({ code: null, signal: 'SIGKILL' });
  const failure = 'Its process was ended by SIGKILL before it was finished.';
  expect(detail()).toMatchObject({ standing: 'killed', failure });
  asks();
  expect(detail()).toMatchObject({ failure: null });
});
