import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/schema/model/turn.ts';
import { chatIn, recordsOfChat } from '../../support/chat-in.ts';
import { type ScriptedReply, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

const isSummary = ({ messages }: ModelRequest): boolean =>
  messages.at(-1)?.content.startsWith('Summarize this conversation.') === true;

/** Else a window so small is that of a model that is held to a schema. */
const NATIVE = { toolMode: 'native' } as const;
const WINDOW = 8_192;
const long = (n: number): string =>
  `answer ${n}: ${Array.from({ length: 400 }, (_, word) => `${n}${word}x`).join(' ')}`;

describe('a long conversation', () => {
  test('is summarised by the model when 70 % of the window is used, and its last ten messages stay', async () => {
    const world = testWorld();
    const model = scriptedProvider(
      (request, n) => (isSummary(request) ? 'They talked about words.' : long(n)),
      { contextWindow: WINDOW, parameters: 32e9 },
    );
    const { session } = await chatIn(world, model, NATIVE);
    for (let n = 1; n <= 9; n += 1) await session.send(`question ${n}`);
    await session.close();
    const at = model.requests.findIndex(isSummary);
    expect(at).toBeGreaterThan(0);
    expect(model.requests[at]?.tools).toBeUndefined();
    expect(model.requests[at]?.messages.at(-1)?.content).toContain('USER: question 1');
    const after = model.requests[at + 1]?.messages ?? [];
    expect(after[1]).toEqual({
      role: 'user',
      content: '[Conversation summary]\nThey talked about words.',
    });
    expect(after).toHaveLength(12);
    expect(after.at(-1)).toMatchObject({ role: 'user' });
    const again = await chatIn(world, model, NATIVE);
    expect(again.session.messages()[0]?.content).toMatch(/^\[Conversation summary\]/);
    await again.session.close();
  });

  test('keeps its last ten messages and one summary after each further summary, too', async () => {
    const model = scriptedProvider(
      (request, n) => (isSummary(request) ? `Summary ${n}.` : long(n)),
      { contextWindow: WINDOW, parameters: 32e9 },
    );
    const { session } = await chatIn(testWorld(), model, NATIVE);
    for (let n = 1; n <= 10; n += 1) await session.send(`question ${n}`);
    await session.close();
    const summaries = model.requests.flatMap((request, at) => (isSummary(request) ? [at] : []));
    expect(summaries.length).toBeGreaterThan(2);
    for (const at of summaries) {
      const { messages = [] } = model.requests[at + 1] ?? {};
      expect(messages).toHaveLength(12);
      expect(messages[1]?.content).toBe(`[Conversation summary]\nSummary ${at + 1}.`);
    }
  });

  test('has its long results cut when the server says that it does not fit, and ends when nothing helps', async () => {
    const world = testWorld();
    world.write('big.txt', 'a line of a file\n'.repeat(2_000));
    const overflows = { fails: { kind: 'context_overflow' } } as const;
    const model = scriptedProvider(
      (request, n) =>
        n === 1
          ? { calls: [{ name: 'read_file', args: { path: 'big.txt' } }] }
          : request.messages.some(({ content }) => content.includes('[truncated '))
            ? 'It fits now.'
            : overflows,
      { contextWindow: WINDOW, parameters: 32e9 },
    );
    const { session } = await chatIn(world, model, NATIVE);
    expect(await session.send('Read it')).toMatchObject({
      ending: 'replied',
      reply: 'It fits now.',
    });
    await session.close();
    const results = model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
    expect(results?.[0]?.content).toMatch(/\n\[truncated \d+ chars\]\n/);

    const never = scriptedProvider(() => overflows, { contextWindow: WINDOW, parameters: 32e9 });
    const other = await chatIn(world, never, { ...NATIVE, name: 'other' });
    expect(await other.session.send('Hi')).toMatchObject({
      ending: 'failed',
      detail: 'scripted context_overflow',
    });
    await other.session.close();
  });

  test('goes on without a summary that could not be had', async () => {
    const world = testWorld();
    const model = scriptedProvider(
      (request, n) => (isSummary(request) ? { fails: { kind: 'refused' } } : long(n)),
      { contextWindow: WINDOW, parameters: 32e9 },
    );
    const { session } = await chatIn(world, model, NATIVE);
    const endings = [];
    for (let n = 1; n <= 7; n += 1) endings.push((await session.send(`question ${n}`)).ending);
    expect(new Set(endings)).toEqual(new Set(['replied']));
    await session.close();
    const refused = recordsOfChat(world, session.id).filter(
      (record) => record.type === 'turn_finished' && record.status.kind === 'refused',
    );
    expect(refused.length).toBeGreaterThan(0);
  });

  /** Reads until its window is nearly full; a summary gets the given answer. */
  async function reading(summary: ScriptedReply): Promise<readonly ModelRequest[]> {
    const world = testWorld();
    for (let n = 1; n <= 14; n += 1) world.write(`${n}.txt`, `line of ${n}\n`.repeat(140));
    let step = 0;
    const model = scriptedProvider(
      (request) => {
        if (isSummary(request)) return summary;
        step += 1;
        return step > 14
          ? 'Read.'
          : { calls: [{ name: 'read_file', args: { path: `${step}.txt` } }] };
      },
      { contextWindow: WINDOW, parameters: 32e9 },
    );
    const { session } = await chatIn(world, model, NATIVE);
    await session.send('Read them all');
    await session.close();
    return model.requests;
  }

  test('asks for a summary that could not be had only once more in the same message', async () => {
    const requests = await reading({ fails: { kind: 'refused' } });
    const asked = requests.filter(isSummary).length;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(2);
    expect(requests.length - asked).toBeGreaterThan(10);
  });

  test('keeps the words of a summary that was cut off at its limit', async () => {
    const requests = await reading({ text: 'They read files, and then', isCutOff: true });
    const after = requests[requests.findIndex(isSummary) + 1]?.messages ?? [];
    expect(after[1]?.content).toBe('[Conversation summary]\nThey read files, and then');
  });

  test.each([
    ['repeats itself', { text: 'They read files.\n'.repeat(60) }],
    ['was cut off while the model thought', { text: '<think>Okay, they', isCutOff: true }],
    ['is nothing but thoughts', { text: '<think>Okay, they read files.' }],
  ])('is kept where its summary %s', async (_how, summary) => {
    const requests = await reading(summary);
    const after = requests[requests.findIndex(isSummary) + 1]?.messages ?? [];
    expect(after[1]?.content).toBe('Read them all');
    const model = scriptedProvider((request) => (isSummary(request) ? summary : 'Hello.'));
    const { session } = await chatIn(testWorld(), model, NATIVE);
    for (const text of ['One', 'Two']) await session.send(text);
    await expect(session.compact()).rejects.toThrow(/^There is no summary: ./);
    expect(session.messages()[0]?.content).toBe('One');
    await session.close();
  });

  test('is not called summed up when the person stops that', async () => {
    const stop = new AbortController();
    const model = scriptedProvider((request) => {
      if (isSummary(request)) stop.abort();
      return 'Hello.';
    });
    const { session } = await chatIn(testWorld(), model, NATIVE);
    for (const text of ['One', 'Two']) await session.send(text);
    const stopped = session.compact({ signal: stop.signal });
    await expect(stopped).rejects.toMatchObject({ code: 'E_INTERRUPTED' });
    expect(session.messages()[0]?.content).toBe('One');
    expect(await session.compact()).toBe(true);
    await session.close();
  });

  const OVERFLOWS = { fails: { kind: 'context_overflow' } } as const;

  test('goes on with a summary of all but the newest message when its last ten do not fit either', async () => {
    const model = scriptedProvider(
      (request) => {
        if (isSummary(request)) return 'They greeted each other.';
        return request.messages.length > 5 ? OVERFLOWS : long(1);
      },
      { contextWindow: WINDOW, parameters: 32e9 },
    );
    const { session } = await chatIn(testWorld(), model, NATIVE);
    const endings = [];
    for (let n = 1; n <= 4; n += 1) endings.push((await session.send(`question ${n}`)).ending);
    await session.close();
    expect(endings).toEqual(['replied', 'replied', 'replied', 'replied']);
    const after = model.requests[model.requests.findIndex(isSummary) + 1]?.messages ?? [];
    expect(after[1]?.content).toBe('[Conversation summary]\nThey greeted each other.');
    expect(after.at(-1)?.content).toBe('question 3');
  });

  test('takes the smaller window that a refusal names from then on', async () => {
    const model = scriptedProvider(
      (request, n) => {
        if (isSummary(request)) return 'They greeted each other.';
        const isTooLong = n === 4 && request.contextWindow > 4_096;
        return isTooLong ? { fails: { kind: 'context_overflow', windowTokens: 4_096 } } : 'Hello.';
      },
      { contextWindow: WINDOW, parameters: 32e9 },
    );
    const { session } = await chatIn(testWorld(), model, NATIVE);
    for (let n = 1; n <= 5; n += 1) await session.send(`question ${n}`);
    await session.close();
    const windows = model.requests.map(({ contextWindow }) => contextWindow);
    expect(windows.slice(0, 4)).toEqual([WINDOW, WINDOW, WINDOW, WINDOW]);
    expect(new Set(windows.slice(4))).toEqual(new Set([4_096]));
  });
});
