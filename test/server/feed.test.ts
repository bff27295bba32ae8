import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { FollowRequest } from '../../src/host/live/live-port.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { RecentEvents } from '../../src/live/recent-events.ts';
import type { StreamEvent } from '../../src/schema/events/stream.ts';
import { type NamedFrame, noFrames } from '../../src/server/streams/client-stream.ts';
import { RunFeed } from '../../src/server/streams/feed.ts';
import { streamRun } from '../../src/server/streams/serve.ts';
import { TOLD, toldJournal } from '../support/told-journal.ts';

test('a journal that cannot be read when the channel is back breaks that channel off, and it is tried again', async () => {
  const seen: unknown[] = [];
  const follow = async ({ observer, signal }: FollowRequest) => {
    // A throw here would end the process: a socket calls it.
    try {
      observer.begins?.(`${seen.length}.0`, `${seen.length}.0`);
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

test('the stream of a run that is over tells what was recorded just before it was asked for', async () => {
  const said: string[] = [];
  const gone = new AbortController();
  const send = ({ event }: { readonly event: string }) => said.push(event);
  const bye = (why: string) => {
    said.push(why);
    gone.abort();
  };
  const writer = { send, write: (text: string) => said.push(`${text}`), bye, gone: gone.signal };
  const record = { seq: 3, ts: 3, type: 'file_restored', path: 'a', hash: null, skipped: '' };
  const event = { v: 1, run: 'r', seq: 3, type: 'record', record } as never;
  const log = new RecentEvents('2.0');
  const feed = {
    ...{ ready: Promise.resolve(log), questions: new Map(), last: noFrames(), isWorking: false },
    join: () => () => {},
    journal: { lastIdOf: () => '2.0' },
    read: async () => log.keep({ id: '3.0', event }),
  };
  const query = new URLSearchParams({ records: '1' });
  const call = { query, after: '2.0', frames: () => writer };
  const result = async () => null;
  const run = { feed, isOver: true, neverBegins: () => false, result };
  await streamRun(call as never, run as never, { clock: { sleep: async () => {} } } as never);
  expect(said).toEqual([expect.stringContaining('file_restored'), 'standing', 'ended']);
});

test('the stream of a run that was resumed after its end goes on before its process can be followed', async () => {
  const said: string[] = [];
  const gone = new AbortController();
  const silent = { write: () => {}, send: () => {} };
  const writer = { ...silent, bye: (why: string) => said.push(why), gone: gone.signal };
  const log = new RecentEvents('1.0');
  for (const [seq, type] of [[2, 'run_finished'] as const, [3, 'run_resumed'] as const]) {
    const event = { v: 1, run: 'r', seq, type: 'record', record: { seq, ts: seq, type } };
    log.keep({ id: `${seq}.0`, event: event as never });
  }
  const feed = {
    ...{ ready: Promise.resolve(log), questions: new Map(), last: noFrames(), isWorking: false },
    journal: { lastIdOf: () => '3.0' },
    join: () => {
      setImmediate(() => gone.abort());
      return () => {};
    },
  };
  const call = { query: new URLSearchParams(), after: '1.0', frames: () => writer };
  const run = { feed, isOver: false, neverBegins: () => false, result: async () => null };
  await streamRun(call as never, run as never, { clock: { sleep: async () => {} } } as never);
  expect(said).toEqual([]);
});

const turns = async () => {
  for (let count = 0; count < 5; count += 1) await new Promise((done) => setImmediate(done));
};

describe('the events of a process', () => {
  let remove = (): void => {};
  afterEach(() => remove());

  /** What reaches the feed over the channel is said by hand. */
  function followed() {
    const journal = toldJournal();
    const { workspace, append } = journal;
    remove = journal.remove;
    const notes = [{ run: TOLD, workspace, address: 'a' }];
    let end = (): void => {};
    let request: FollowRequest | null = null;
    const live = {
      all: () => notes,
      follow: async (wish: FollowRequest) => {
        request = wish;
        const closed = new Promise<string>((resolve) => {
          end = () => resolve('gone');
        });
        return { send: () => {}, closed };
      },
    };
    const sleep = () => new Promise<void>(() => {});
    const place = { fs: nodeFileSystem, clock: { monotonic: () => 0, sleep }, live } as never;
    const feed = new RunFeed(place, { run: TOLD, workspace, isChat: true }, () => {});
    const heard: string[] = [];
    feed.join({
      ...{ lost: () => heard.push('lost'), question: () => {}, settled: () => {}, works: () => {} },
      event: ({ id }) => heard.push(id),
    });
    return {
      ...{ feed, heard, append },
      channel: () => request?.observer,
      kill: () => {
        notes.length = 0;
        end();
      },
    };
  }

  test('a break between a record and what it means loses neither', async () => {
    const { heard, append, channel, kill } = followed();
    await turns();
    channel()?.begins?.('1.0', '1.0');
    const [record] = append({ type: 'message_ended', ending: 'replied', detail: '' });
    channel()?.receive('2.0', record?.event as StreamEvent);
    kill();
    await turns();
    expect(heard).toEqual(['2.0', '2.1']);
  });

  test('that it dropped while the channel was broken are told as lost', async () => {
    const { feed, heard, channel } = followed();
    const piece = (text: string) => ({ v: 1, run: TOLD, type: 'text_delta', text }) as StreamEvent;
    await turns();
    channel()?.begins?.('1.0', '1.0');
    channel()?.receive('1.1+3', piece('abc'));
    channel()?.begins?.('1.1+6', '1.1+6');
    channel()?.receive('1.1+9', piece('ghi'));
    expect(heard).toEqual(['1.1+3', 'lost', '1.1+9']);
    const log = await feed.ready;
    expect([...log.after(log.startFor('1.1+3'))]).toEqual([{ id: '1.1+9', event: piece('ghi') }]);
  });

  test('are all there before a stream begins, so that no id is of the future', async () => {
    const { feed, append, channel } = followed();
    let begun: RecentEvents | null = null;
    void feed.ready.then((log) => {
      begun = log;
    });
    await turns();
    const said = append({ type: 'message_ended', ending: 'replied', detail: '' });
    channel()?.begins?.('1.0', '2.1');
    await turns();
    expect(begun).toBeNull();
    for (const { id, event } of said) channel()?.receive(id, event);
    await turns();
    expect(begun).toMatchObject({ last: '2.1' });
  });
});

test('who comes to a paused run is told that it rests and why, once, and who is there already is not', async () => {
  const { workspace, append, remove } = toldJournal(false);
  onTestFinished(remove);
  append({ type: 'run_paused', why: 'limit_rounds', detail: 'the rounds are spent' });
  const clock = { monotonic: () => 0, sleep: () => new Promise<void>(() => {}) };
  const place = { fs: nodeFileSystem, clock, live: { all: () => [] } } as never;
  const feed = new RunFeed(place, { run: TOLD, workspace, isChat: false }, () => {});
  const paused = { v: 1, run: TOLD, type: 'result', ending: 'paused', error: null } as never;
  const comes = (after: string | null) => {
    const heard: string[] = [];
    const gone = new AbortController();
    onTestFinished(() => gone.abort());
    const writer = {
      send: ({ event, data }: NamedFrame) => heard.push(`${event} ${Object.values(data)}`),
      write: (frame: Buffer | string) => heard.push(`${frame}`.split('\n').slice(0, 2).join(' ')),
      ...{ bye: (why: string) => heard.push(why), gone: gone.signal, drained: async () => {} },
    };
    const call = { query: new URLSearchParams(), after, frames: () => writer };
    const run = { feed, isOver: false, neverBegins: () => false, result: async () => paused };
    void streamRun(call as never, run, place);
    return heard;
  };
  const [rests, why] = ['standing resting', 'id: 2.1 event: result'];
  const first = comes(null);
  await turns();
  expect(first).toEqual([rests, why]);
  const again = comes('2.1');
  const late = comes('2.0');
  await turns();
  expect([first, again, late]).toEqual([[rests, why], [rests], [why, rests]]);
});
