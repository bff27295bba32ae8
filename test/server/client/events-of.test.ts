/** The package's own reader of streams: when it asks again, when it gives up, and how long it waits. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Client, type ClientEvent, type ServerProblem } from '../../../src/server/client/client.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Answer = string | { readonly status: number; readonly after?: string } | 'silent';

/** A server that gives one answer to each request; the time of each is kept. */
async function read(answers: readonly Answer[]) {
  const asked: [after: string | null, at: number][] = [];
  const from = Date.now();
  const client = new Client({
    ...{ url: 'http://x', token: '' },
    fetch: async (_, { headers, signal } = {}) => {
      asked.push([new Headers(headers).get('last-event-id'), Date.now() - from]);
      const answer = answers[asked.length - 1] ?? { status: 404 };
      if (answer === 'silent')
        return new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        );
      if (typeof answer === 'string') return new Response(answer);
      const { status, after } = answer;
      const problem = JSON.stringify({ status, code: 'E_BUSY', detail: 'Held.', hint: 'Wait.' });
      return new Response(problem, { status, headers: after ? { 'Retry-After': after } : {} });
    },
  });
  const heard: ClientEvent[] = [];
  let problem: ServerProblem | null = null;
  const reading = (async () => {
    for await (const event of client.run('r').events()) heard.push(event);
  })().catch((error: ServerProblem) => {
    problem = error;
  });
  await vi.runAllTimersAsync();
  await reading;
  const names = heard.map(({ event }) => event);
  return { names, asked, problem: problem as ServerProblem | null };
}

const ONE = 'id: 1.0\nevent: a\ndata: {}\n\n';
const END = 'event: bye\ndata: {"why":"ended"}\n\n';

describe('a client whose stream broke', () => {
  test.each([408, 409, 425, 429, 503])('asks again where it is refused with %s', async (status) => {
    const { names, asked, problem } = await read([ONE, { status }, { status }, END]);
    expect([names, problem]).toEqual([['a', 'bye'], null]);
    expect(asked.map(([after]) => after)).toEqual([null, '1.0', '1.0', '1.0']);
  });

  test('waits as long as the server asks it to, and no longer than ten minutes', async () => {
    const { asked } = await read([
      ...[ONE, { status: 429, after: '120' }, { status: 503, after: '86400' }, END],
    ]);
    const [, first = 0, second = 0, third = 0] = asked.map(([, at]) => at);
    expect([second - first, third - second]).toEqual([120_000, 600_000]);
  });

  test.each([400, 401, 403, 404, 410, 422])('ends where it is refused with %s', async (status) => {
    const { names, problem } = await read([ONE, { status }]);
    expect(names).toEqual(['a']);
    expect(problem?.message).toBe('Held. Wait.');
  });

  test('asks again where nothing comes, not even the beginning of an answer', async () => {
    const { names, problem } = await read([ONE, 'silent', END]);
    expect([names, problem]).toEqual([['a', 'bye'], null]);
  });
});

test('a first request that is refused says why at once', async () => {
  for (const status of [409, 429]) {
    const { problem, asked } = await read([{ status }]);
    expect([problem?.problem.status, asked.length]).toEqual([status, 1]);
  }
});
