/** A worker's processes: who has a turn, who goes on where, and what becomes of a process that is silent. */
import { describe, expect, it } from 'vitest';
import type { FleetRequest, Slice } from '../../src/fleet/contract.ts';
import { guarded } from '../../src/fleet/guarded.ts';
import type { Order, ProcessListener, Report } from '../../src/fleet/messages.ts';
import { Pool } from '../../src/fleet/pool.ts';
import { serveSlices } from '../../src/fleet/serve-slices.ts';
import { signRequest } from '../../src/fleet/signing.ts';
import { REQUEST } from './in-process.ts';

const GOING_ON: Slice = { is: 'going_on', seq: 1 };
const requestOf = (run: string, tenant = 'one'): FleetRequest => ({
  ...{ ...REQUEST, run, tenant, workspace: '/runs', goal: 'it' },
});
const never = (): AbortSignal => new AbortController().signal;

/** Processes whose slices end when the test says so. */
function poolOf(mostSlices: number, processes = 1) {
  let now = 0;
  let beat = (): void => {};
  const launched: { listener: ProcessListener; orders: Order[]; isEnded: boolean }[] = [];
  const pool = new Pool({
    ...{ mostSlices, processes },
    clock: {
      monotonic: () => now,
      every: (_, action) => {
        beat = action;
        return () => {};
      },
    },
    launch: (listener) => {
      const one = { listener, orders: [] as Order[], isEnded: false };
      launched.push(one);
      return { send: (order) => one.orders.push(order), end: () => (one.isEnded = true) };
    },
  });
  const asked = () =>
    launched.flatMap(({ orders }, at) =>
      orders.flatMap((one) =>
        one.do === 'advance' ? [{ at, id: one.id, run: one.request.run }] : [],
      ),
    );
  const end = async (run: string, slice = GOING_ON) => {
    const one = asked().findLast((each) => each.run === run);
    launched[one?.at ?? 0]?.listener.report({ id: one?.id ?? 0, slice });
    await new Promise(setImmediate);
  };
  const pass = (ms: number) => {
    now += ms;
    beat();
  };
  return { pool, launched, asked, end, pass };
}

describe('the slices of a worker', () => {
  it('go to tenants in turn: one goal does not wait behind a thousand of another', async () => {
    const { pool, asked, end } = poolOf(1);
    for (let n = 0; n < 1000; n += 1) void pool.advance(requestOf(`a${n}`), never());
    void pool.advance(requestOf('b', 'two'), never());
    await end('a0');
    await end('a1');
    expect(asked().map(({ run }) => run)).toEqual(['a0', 'a1', 'b']);
  });

  it('of one tenant come again later where many wait, and keep nobody else from a turn', async () => {
    const { pool, asked, end } = poolOf(1);
    const told = Array.from({ length: 300 }, (_, n) => pool.advance(requestOf(`a${n}`), never()));
    void pool.advance(requestOf('b', 'two'), never());
    expect(pool.load()).toEqual({
      working: 1,
      waiting: new Map([
        ['one', 250],
        ['two', 1],
      ]),
    });
    expect(pool.room('one')).toBeGreaterThanOrEqual(10_000);
    expect(pool.room('two')).toBe(0);
    const late = await Promise.all(told.slice(251));
    const waits = late.map((slice) => (slice.is === 'busy' ? slice.retryAfterMs : 0) ?? 0);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(10_000);
    expect(new Set(waits).size).toBe(49);
    // One that is open goes on, however many wait.
    await end('a0');
    void pool.advance(requestOf('a0'), never());
    expect(pool.load().waiting.get('one')).toBe(250);
    await end('a1');
    expect(asked().map(({ run }) => run)).toEqual(['a0', 'a1', 'b']);
  });

  it('are at most so many at once, and a run goes on where it is open', async () => {
    const { pool, launched, asked, end } = poolOf(2, 2);
    const first = pool.advance(requestOf('a'), never());
    void pool.advance(requestOf('b'), never());
    void pool.advance(requestOf('c'), never());
    expect(asked().map(({ run, at }) => [run, at])).toEqual([
      ['a', 0],
      ['b', 1],
    ]);
    await end('b');
    await end('a');
    expect(await first).toEqual(GOING_ON);
    void pool.advance(requestOf('a'), never());
    await end('c');
    expect(launched).toHaveLength(2);
    expect(
      asked()
        .filter(({ run }) => run === 'a')
        .map(({ at }) => at),
    ).toEqual([0, 0]);
  });

  it('stay with a process that opened the run again behind a release', async () => {
    const { pool, launched, asked, end } = poolOf(4, 2);
    pool.warm();
    const stop = new AbortController();
    void pool.advance(requestOf('a'), stop.signal);
    stop.abort();
    const released = pool.release('a');
    void pool.advance(requestOf('a'), never());
    const [first] = asked();
    const release = launched[0]?.orders.find((one) => one.do === 'release');
    launched[0]?.listener.report({ id: first?.id ?? 0, slice: GOING_ON });
    launched[0]?.listener.report({ id: (release as { id: number }).id, done: null });
    await released;
    await end('a');
    // The process with the least work is another one.
    void pool.advance(requestOf('b'), never());
    void pool.advance(requestOf('a'), never());
    expect(asked().flatMap(({ run, at }) => (run === 'a' ? [at] : []))).toEqual([0, 0, 0]);
  });

  it('find its processes ready', async () => {
    const { pool, launched, asked } = poolOf(4, 2);
    pool.warm();
    expect(launched).toHaveLength(2);
    void pool.advance(requestOf('a'), never());
    void pool.advance(requestOf('b'), never());
    expect(asked().map(({ at }) => at)).toEqual([0, 1]);
    expect(launched).toHaveLength(2);
  });

  it('of a process that is silent for ten seconds are tried again, and it is ended with all that it has started', async () => {
    const { pool, launched, pass } = poolOf(1);
    const slice = pool.advance(requestOf('a'), never());
    pass(9000);
    expect(launched[0]?.isEnded).toBe(false);
    pass(1001);
    await expect(slice).rejects.toThrow('gone');
    expect(launched[0]?.isEnded).toBe(true);
  });

  it('are left alone once the engine does not wait for them any more', async () => {
    const { pool, launched, asked, end } = poolOf(1);
    const stop = new AbortController();
    const under = pool.advance(requestOf('a'), stop.signal);
    const waiting = pool.advance(requestOf('b'), stop.signal);
    stop.abort();
    await expect(waiting).rejects.toThrow('gone');
    expect(launched[0]?.orders.at(-1)).toMatchObject({ do: 'leave' });
    await end('a');
    expect(await under).toEqual(GOING_ON);
    expect(asked()).toHaveLength(1);
  });
});

it('a process gives every run up once its worker is gone, or silent for ten seconds', async () => {
  for (const how of ['gone', 'silent']) {
    let tell: (order: Order | null) => void = () => {};
    let beat = (): void => {};
    let now = 0;
    const released: string[] = [];
    const aborted: boolean[] = [];
    const reports: Report[] = [];
    const served = serveSlices(
      {
        advance: (_, signal) =>
          new Promise((done) =>
            signal.addEventListener('abort', () => {
              aborted.push(true);
              done(GOING_ON);
            }),
          ),
        answer: async () => null,
        pause: async () => {},
        release: async (run) => void released.push(run),
      },
      {
        send: (report) => reports.push(report),
        listen: (told) => {
          tell = told;
        },
      },
      {
        monotonic: () => now,
        every: (_, action) => {
          beat = action;
          return () => {};
        },
      },
    );
    // A release before the slice that is under way may come to its end after that slice began.
    tell({ do: 'advance', id: 1, request: requestOf('a') });
    tell({ do: 'release', id: 2, run: 'a' });
    await new Promise(setImmediate);
    now += 10_000;
    if (how === 'gone') tell(null);
    else beat();
    await served;
    expect([how, released, aborted]).toEqual([how, ['a', 'a'], [true]]);
  }
});

it('a request counts as it was signed, in a folder that the worker may work in', async () => {
  const key = Buffer.alloc(32, 1);
  const own = signRequest(key, requestOf('a'));
  const worked: string[] = [];
  const slices = guarded(
    {
      advance: async ({ run }) => {
        worked.push(run);
        return GOING_ON;
      },
      answer: async () => null,
      pause: async () => {},
      release: async () => {},
    },
    { key, refuses: ({ workspace }) => (workspace === '/runs' ? null : 'it is elsewhere') },
  );
  const refused = { is: 'pausing', why: 'E_FOREIGN' };
  expect(await slices.advance(own, never())).toEqual(GOING_ON);
  for (const changed of [
    { goal: 'more' },
    { words: ['--yes'] },
    { workspace: '/other' },
    { tenant: 'two' },
    { home: 'git' as const },
  ])
    expect(await slices.advance({ ...own, ...changed }, never())).toMatchObject(refused);
  const elsewhere = signRequest(key, { ...own, workspace: '/other' });
  expect(await slices.advance(elsewhere, never())).toMatchObject(refused);
  expect(worked).toEqual(['a']);
});
