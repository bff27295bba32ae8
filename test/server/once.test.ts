/** A request that its client has named, with several servers of one user. */
import { expect, test } from 'vitest';
import { TEMPORARY_SUFFIX } from '../../src/lib/files/durable-files.ts';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { Once } from '../../src/server/http/once.ts';

const A_DAY = 24 * 60 * 60_000;

/** Servers of one user, each a process of its own. */
function serversOn() {
  let now = 1;
  const fs = new MemoryFileSystem({ now: () => now });
  fs.mkdir('/data');
  const gone = new Set<number>();
  const server = (pid: number, pidNamespace = 'n'): Once =>
    new Once({
      ...{ fs, folder: '/data/once' },
      clock: { now: () => now, monotonic: () => now },
      identity: {
        ...{ host: 'h', boot: 'b', pidNamespace, pid },
        startTimeOf: (one) => (gone.has(one) ? null : `started ${one}`),
      },
    });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { fs, server, gone, pass };
}

/** Begins a request that ends when it is told to. */
function begun(once: Once, body: string) {
  let resolve: (text: string) => void = () => {};
  const promise = new Promise<string>((answered) => {
    resolve = answered;
  });
  const asked = once.done('start', 'k', body, () => promise);
  return {
    answer: (text: string): Promise<unknown> => {
      resolve(text);
      return asked;
    },
  };
}

const never = (): Promise<unknown> => Promise.reject(new Error('it was carried out again'));
const now = (answer: string) => (): Promise<string> => Promise.resolve(answer);

test.each(['the same', 'another'])(
  'is refused by a second server while the first one works on it, with %s body',
  async (which) => {
    const { server } = serversOn();
    const first = begun(server(1), 'the same');
    for (const other of [server(1), server(2)])
      await expect(other.done('start', 'k', which, never)).rejects.toThrow('is worked on');
    expect(await first.answer('a run')).toBe('a run');
    const later = server(2).done('start', 'k', which, never);
    if (which === 'the same') expect(await later).toBe('a run');
    else await expect(later).rejects.toThrow('used with another body');
  },
);

test('is carried out by another server if the first one failed, or was killed', async () => {
  const { server, gone } = serversOn();
  await expect(server(1).done('start', 'k', 'x', never)).rejects.toThrow('carried out');
  begun(server(1), 'x');
  gone.add(1);
  expect(await server(2).done('start', 'k', 'x', now('a run'))).toBe('a run');
});

test('is carried out in the end if nobody can see whether the first server lives', async () => {
  const { server, pass } = serversOn();
  begun(server(1, 'another container'), 'x');
  await expect(server(2).done('start', 'k', 'x', never)).rejects.toThrow('is worked on');
  pass(11 * 60_000);
  expect(await server(2).done('start', 'k', 'x', now('a run'))).toBe('a run');
});

test('a server that starts leaves what another one writes now, and removes what is a day old', async () => {
  const { fs, server, pass } = serversOn();
  await server(1).done('start', 'old', 'x', now('an old run'));
  fs.close(fs.open(`/data/once/old.json${TEMPORARY_SUFFIX}`, 'w'));
  pass(A_DAY);
  const first = begun(server(1), 'x');
  fs.close(fs.open(`/data/once/new.json${TEMPORARY_SUFFIX}`, 'w'));
  pass(1);
  const before = fs.readdir('/data/once');
  server(2).sweep();
  expect(fs.readdir('/data/once')).toHaveLength(before.length - 2);
  expect(fs.readdir('/data/once')).toContain(`new.json${TEMPORARY_SUFFIX}`);
  expect(await first.answer('a new run')).toBe('a new run');
});

test('on a full disk says so, and does nothing', async () => {
  const { fs, server } = serversOn();
  fs.write = () => {
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  };
  await expect(server(1).done('start', 'k', 'body', never)).rejects.toThrow('The disk is full');
});
