import { expect, test } from 'vitest';
import type { FollowRequest } from '../../src/host/live/live-port.ts';
import { noFrames } from '../../src/server/streams/client-stream.ts';
import { RunFeed } from '../../src/server/streams/feed.ts';
import { streamRun } from '../../src/server/streams/serve.ts';

test('a journal that cannot be read when the channel is back breaks that channel off, and it is tried again', async () => {
  const seen: unknown[] = [];
  const follow = async ({ observer, signal }: FollowRequest) => {
    // A throw here would end the process: a socket calls it.
    try {
      observer.begins?.(`${seen.length}.0`);
      seen.push(signal.aborted);
    } catch (error) {
      seen.push(error);
    }
    if (seen.length === 3) feed.close();
    return { send: () => {}, closed: Promise.resolve('left') };
  };
  const unreadable = () => {
    throw new Error('EIO');
  };
  const place = {
    fs: new Proxy({}, { get: () => unreadable }),
    clock: { monotonic: () => 0, sleep: async () => {} },
    live: { all: () => [{ run: 'r', workspace: '/work', address: 'a' }], follow },
  } as never;
  let feed!: RunFeed;
  await new Promise<void>((ended) => {
    feed = new RunFeed(place, { run: 'r', workspace: '/work', isChat: false }, ended);
  });
  expect(seen).toEqual([false, true, true]);
});

test.each(['its run never begins', 'its client goes'])('a stream ends when %s', async (how) => {
  const said: string[] = [];
  const gone = new AbortController();
  const bye = (why: string) => {
    said.push(why);
    gone.abort();
  };
  let followers = 0;
  const join = () => {
    followers += 1;
    return () => {
      followers -= 1;
    };
  };
  const sleep = async () => {
    if (how === 'its client goes') gone.abort();
  };
  const feed = { ready: new Promise(() => {}), join, last: noFrames() };
  const frames = () => ({ bye, gone: gone.signal });
  const call = { query: new URLSearchParams(), after: null, frames };
  const run = { feed, isOver: false, neverBegins: () => how === 'its run never begins' };
  await streamRun(call as never, run as never, { clock: { sleep } } as never);
  expect([said, followers]).toEqual([how === 'its client goes' ? [] : ['ended'], 0]);
});
