/** The page's own reader of streams: cut anywhere, it goes on with exactly the rest. */
import { describe, expect, it } from 'vitest';
import { createStore } from '../../src/page/store.ts';
import { createApi } from '../../src/page/wire/api.ts';
import type { Browser } from '../../src/page/wire/browser.ts';
import { follow } from '../../src/page/wire/follow.ts';
import type { ClientEvent } from '../../src/server/client/events-of.ts';

interface Asked {
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
}

/** Doors to a server that answers with these bodies, one a request, and to no clock. */
function browserTo(answers: readonly (string | number | ResponseInit)[]) {
  const asked: Asked[] = [];
  const waits: number[] = [];
  const kept = new Map([['tardigrade.token', 't']]);
  const browser: Browser = {
    fetch: (path, { headers }) => {
      asked.push({ path, headers: headers as Asked['headers'] });
      const answer = answers[asked.length - 1] ?? 404;
      const init = typeof answer === 'number' ? { status: answer } : answer;
      return Promise.resolve(
        typeof init === 'string' ? new Response(init) : new Response(null, init),
      );
    },
    now: () => 0,
    random: () => 0.5,
    uniqueId: () => 'a name',
    sleep: (ms, signal) => {
      // That of the silence ends with what is heard.
      if (ms > 30_000) {
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
      }
      waits.push(ms);
      return Promise.resolve();
    },
    beforeNextFrame: (act) => act(),
    onWake: () => () => {},
    storage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    },
  };
  return { browser, asked, waits };
}

async function followed(...[answers]: Parameters<typeof browserTo>) {
  const { browser, asked, waits } = browserTo(answers);
  const heard: ClientEvent[] = [];
  const states: string[] = [];
  await follow(
    {
      path: '/api/x',
      onEvent: (event) => void heard.push(event),
      onStatus: (how) => void states.push(how),
    },
    ...([createApi(browser), browser, new AbortController().signal] as const),
  );
  return { heard, states, asked, waits };
}

describe('a stream', () => {
  it('comes back with the id that it heard last, and shows its token each time', async () => {
    const { heard, states, asked } = await followed([
      'id: 1.0\nevent: a\ndata: {}\n\nid: 2.0\nevent: b\nda',
      'id: 2.0\nevent: b\ndata: {}\n\nevent: bye\ndata: {"why":"ended"}\n\n',
    ]);
    expect(heard.map(({ event }) => event)).toEqual(['a', 'b']);
    expect(asked.map(({ headers }) => headers)).toEqual([
      { authorization: 'Bearer t' },
      { authorization: 'Bearer t', 'Last-Event-ID': '1.0' },
    ]);
    expect(states).toEqual(['opened', 'lost', 'opened', 'ended']);
  });

  it('waits longer each time while nobody answers', async () => {
    const { waits } = await followed([500, 500, 500, 500, 500, 500, 500, 404]);
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000]);
  });

  it('waits as long as the server asks, where that is longer', async () => {
    const headers = { 'Retry-After': '10' };
    const { waits } = await followed([{ status: 429, headers }, 500, 404]);
    expect(waits).toEqual([10_000, 1000]);
  });

  it('comes back to a server that only stops, and not where the token is not good any more', async () => {
    const { states } = await followed(['event: bye\ndata: {"why":"shutdown"}\n\n', 401]);
    expect(states).toEqual(['opened', 'lost', 'refused']);
  });

  it('asks for everything where its id is none of the run', async () => {
    const { asked } = await followed([
      'id: 9.0\nevent: a\ndata: {}\n\nevent: reset\ndata: {}\n\n',
      404,
    ]);
    expect(asked[1]?.headers).toEqual({ authorization: 'Bearer t' });
  });
});

it('a run whose stream has ended is read on where it was at the next look', async () => {
  const frame = (seq: number, record: object) => {
    const event = { v: 1, run: 'x', seq, type: 'record', record: { seq, ts: seq, ...record } };
    return `id: ${seq}.0\nevent: record\ndata: ${JSON.stringify(event)}\n\n`;
  };
  const bye = 'event: bye\ndata: {"why":"ended"}\n\n';
  const restored = { type: 'file_restored', path: 'b.js', hash: null, skipped: 'changed since' };
  const { browser, asked } = browserTo([
    frame(1, { type: 'run_finished', ending: 'unverified', detail: '' }) + bye,
    frame(2, restored) + bye,
    '{}',
  ]);
  const store = createStore({ ...browser, beforeNextFrame: queueMicrotask });
  store.follow('run', 'x');
  const seq = () => store.followed.value?.work.value.seq;
  await expect.poll(seq).toBe(1);
  await new Promise(setImmediate);
  store.followed.value?.reload();
  await expect.poll(seq).toBe(2);
  expect(store.followed.value?.work.value.leftAlone).toEqual(['b.js']);
  expect(asked[1]?.headers['Last-Event-ID']).toBe('1.0');
});

it.each(['turn_restarted', 'pieces_dropped'])(
  'after %s only what follows is shown of the turn',
  async (kind) => {
    const frame = (event: string, data: object) =>
      `event: ${event}\ndata: ${JSON.stringify({ v: 1, run: 'x', type: event, ...data })}\n\n`;
    const { browser } = browserTo([
      frame('turn_started', { turn: 1, purpose: 'action', target: null }) +
        frame('text_delta', { text: 'What was ' }) +
        frame('trace', { kind, data: {} }) +
        frame('text_delta', { text: 'no more.' }),
    ]);
    const store = createStore({ ...browser, beforeNextFrame: queueMicrotask });
    store.follow('run', 'x');
    await expect.poll(() => store.followed.value?.work.value.turnNow?.text).toBe('no more.');
  },
);

it('the key of a link is exchanged once for a token, which goes out as a header', async () => {
  const { browser } = browserTo(['{"token":"new"}']);
  const api = createApi(browser);
  expect(await api.exchange('k')).toBe(true);
  expect(api.headers()).toEqual({ authorization: 'Bearer new' });
  expect(await api.exchange('k')).toBe(false);
});

it('a run that is asked for again after a lost answer keeps its name; another one gets its own', async () => {
  const { browser, asked } = browserTo([500, '{"id":"r"}', '{"id":"s"}', 500, '{"id":"t"}']);
  const names = ['1', '2', '3', '4'];
  const api = createApi({ ...browser, uniqueId: () => names.shift() ?? '' });
  await expect(api.begin('/api/runs', { goal: 'x' })).rejects.toThrow('500');
  expect(await api.begin('/api/runs', { goal: 'x' })).toEqual({ id: 'r' });
  await api.begin('/api/runs', { goal: 'x' });
  await expect(api.begin('/api/runs', { goal: 'y' })).rejects.toThrow('500');
  await api.begin('/api/runs', { goal: 'x' });
  expect(asked.map(({ headers }) => headers['idempotency-key'])).toEqual(['1', '1', '2', '3', '4']);
});

it('the same call that two conversations ask is two questions, and each is settled alone', async () => {
  const frame = (event: string, data: object) =>
    `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  const asks = (run: string) => frame('question', { run, question: { id: 'same' } });
  const asked = async (...frames: string[]) => {
    const { browser } = browserTo([frames.join(''), 401, 401]);
    const store = createStore({ ...browser, beforeNextFrame: queueMicrotask });
    await store.start(null);
    await expect.poll(() => store.link.value).toBe('out');
    return store.questions.value.map(({ run }) => run);
  };
  expect(await asked(asks('one'), asks('two'))).toEqual(['one', 'two']);
  const settled = frame('settled', { run: 'one', id: 'same' });
  expect(await asked(asks('one'), asks('two'), settled)).toEqual(['two']);
});
