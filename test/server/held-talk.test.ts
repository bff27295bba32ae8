/** A conversation that a process holds for others: when it is given up, and what may be said meanwhile. */
import { expect, test } from 'vitest';
import type { LiveWork } from '../../src/host/live/live-work.ts';
import type { SessionEvent } from '../../src/schema/events/events.ts';
import { GIVEN_UP, HeldTalk } from '../../src/server/sessions/held-talk.ts';
import type { OpenTalk, TalkRequest } from '../../src/server/sessions/talk-port.ts';
import type { Session } from '../../src/sessions/session.ts';

const IDLE_MS = 1000;
const ENDED = { type: 'record', record: { type: 'message_ended' } } as unknown as SessionEvent;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Time goes on where it is told to. */
function clockByHand() {
  let now = 0;
  const sleeping = new Set<{ until: number; wake(): void }>();
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const one = { until: now + ms, wake: resolve };
      sleeping.add(one);
      const stop = (): void => reject(signal?.reason);
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop, { once: true });
    });
  return {
    clock: { now: () => now, monotonic: () => now, sleep },
    pass: async (ms: number) => {
      now += ms;
      for (const one of [...sleeping].filter(({ until }) => until <= now)) {
        sleeping.delete(one);
        one.wake();
      }
      await turn();
    },
  };
}

async function held(modelIsThere = () => true) {
  const { clock, pass } = clockByHand();
  const log: string[] = [];
  let request: TalkRequest | null = null;
  let letGo = (): void => {};
  const session = {
    state: { chat: { messages: 3 } },
    isOpen: false,
    send: async (text: string) => {
      log.push(text);
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
    },
  } as unknown as Session;
  const command: OpenTalk['command'] = async (line, { switchModel }) => {
    if (line.startsWith('/model ')) await switchModel(line);
    return `said ${line}`;
  };
  const live = {
    listen: async () => void log.push('(listens)'),
    tell: ({ type }: { type: string }) => log.push(`(${type})`),
    close: async () => void log.push('(nobody listens)'),
  } as unknown as LiveWork;
  const talk = new HeldTalk(
    {
      ...{ clock, idleMs: IDLE_MS, watched: () => live },
      port: {
        open: async (wish) => {
          if (!modelIsThere()) throw new Error('The model does not answer.');
          request = wish;
          return {
            ...{ session, model: 'm', command },
            close: async () => void log.push('(closed)'),
          };
        },
      },
    },
    { workspace: '/w', session: 's' },
  );
  await talk.open();
  const stop = new AbortController();
  const over = talk.hold(stop.signal);
  const tell = (event: SessionEvent): void => request?.onEvent(event);
  return { talk, log, pass, over, tell, stop, end: () => letGo() };
}

test('is given up where nothing was said for a while, and not while a message is worked on', async () => {
  const { talk, log, pass, over, end } = await held();
  await pass(IDLE_MS - 1);
  expect(talk.hooks.send('one')).toEqual({ how: 'taken', message: 4 });
  await pass(5 * IDLE_MS);
  expect(log).toEqual(['(listens)', 'one']);
  end();
  await turn();
  await pass(IDLE_MS - 1);
  expect(log).toHaveLength(2);
  await pass(2 * IDLE_MS);
  await over;
  expect(log).toEqual(['(listens)', 'one', '(closed)', '(nobody listens)']);
  expect(talk.hooks.send('two')).toBe(GIVEN_UP);
});

test('takes one message at a time, the next one as soon as the end of the last was told', async () => {
  const { talk, log, tell, end, over, stop } = await held();
  talk.hooks.send('one');
  expect(talk.hooks.send('two')).toMatchObject({ how: 'refused' });
  expect(await talk.hooks.command?.('/status')).toMatchObject({ how: 'refused' });
  tell(ENDED);
  expect(talk.hooks.send('two')).toMatchObject({ how: 'taken' });
  expect(talk.hooks.send('three')).toMatchObject({ how: 'refused' });
  expect(log).not.toContain('two');
  end();
  await turn();
  expect(log).toContain('two');
  stop.abort();
  end();
  await over;
  expect(log.at(-1)).toBe('(nobody listens)');
});

test('takes a command as soon as the end of the message was told, and carries it out behind its work', async () => {
  const { talk, log, tell, end } = await held();
  talk.hooks.send('one');
  tell(ENDED);
  const said = Promise.resolve(talk.hooks.command?.('/status')).then((done) => {
    log.push('(done)');
    return done;
  });
  expect(talk.hooks.send('two')).toMatchObject({ how: 'refused' });
  await turn();
  expect(log).toEqual(['(listens)', 'one']);
  end();
  expect(await said).toEqual({ how: 'taken', said: 'said /status' });
});

test('says what a command says, and ends at a wish for that', async () => {
  const { talk, over } = await held();
  expect(await talk.hooks.command?.('/status')).toEqual({ how: 'taken', said: 'said /status' });
  expect(talk.hooks.pause()).toMatchObject({ how: 'refused' });
  expect(talk.hooks.close?.()).toEqual({ how: 'taken' });
  await over;
  expect(await talk.hooks.command?.('/status')).toBe(GIVEN_UP);
});

test('is given up where neither another model nor the former one can be opened', async () => {
  let isThere = true;
  const { talk, log, over } = await held(() => isThere);
  isThere = false;
  expect(await talk.hooks.command?.('/model other')).toMatchObject({ how: 'failed' });
  expect(talk.hooks.send('one')).toBe(GIVEN_UP);
  await over;
  expect(log).toEqual(['(listens)', '(closed)', '(nobody listens)']);
});
