import { expect, test } from 'vitest';
import type { ModelEvent } from '../../../src/schema/model/turn.ts';
import { chunk, DONE, event, openAiError, saying } from '../../support/fake-openai-bodies.ts';
import { requestOf } from '../support.ts';
import { connect } from './support.ts';

const signal = new AbortController().signal;
const MODEL = 'm.gguf';
const listedBy = (owned_by: string) => ({
  '/v1/models': { object: 'list', data: [{ id: MODEL, object: 'model', owned_by }] },
});

/** As llama.cpp sends it: behind the head of the answer, before its first word. */
const read = (processed: number, cache = 0, total = 2000): string => {
  const prompt_progress = { total, cache, processed, time_ms: 1 };
  return event(chunk({ role: 'assistant', content: null }, null, { prompt_progress }));
};
const ANSWER = [event(chunk({ content: 'hi' })), event(chunk({}, 'stop')), DONE].join('');

async function sharesIn(stream: AsyncIterable<ModelEvent>): Promise<readonly number[]> {
  const shares: number[] = [];
  for await (const one of stream) if (one.type === 'prompt_read') shares.push(one.percent);
  return shares;
}

test('llama.cpp is asked how far it is, and what it says comes as whole percents, each once', async () => {
  const { server, provider } = await connect({
    pages: listedBy('llamacpp'),
    script: () => ({ stream: [read(0), read(10), read(512), read(520), read(2000), ANSWER] }),
  });
  await provider.describe(MODEL, signal);
  expect(await sharesIn(provider.stream(requestOf({ model: MODEL }), signal))).toEqual([
    0, 25, 26, 100,
  ]);
  expect(server.chat(0).return_progress).toBe(true);
});

test('what was in its cache is not read, and counts on neither side', async () => {
  const { provider } = await connect({
    pages: listedBy('llamacpp'),
    script: () => ({ stream: [read(1500, 1000), read(2000, 2000), read(2000, 1000), ANSWER] }),
  });
  await provider.describe(MODEL, signal);
  expect(await sharesIn(provider.stream(requestOf({ model: MODEL }), signal))).toEqual([50, 100]);
});

test('a server that is not known to tell it is not asked for it', async () => {
  const { server, provider } = await connect({
    pages: listedBy('vllm'),
    script: () => ({ stream: saying('hi') }),
  });
  await provider.describe(MODEL, signal);
  expect(await sharesIn(provider.stream(requestOf({ model: MODEL }), signal))).toEqual([]);
  expect(server.chat(0)).not.toHaveProperty('return_progress');
});

test('one that refuses the question is asked without it, and what it counts wrongly is no percentage', async () => {
  const { server, provider } = await connect({
    pages: listedBy('llamacpp'),
    script: ({ return_progress }) =>
      return_progress
        ? openAiError(400, 'Unknown field: return_progress')
        : { stream: [read(9000), read(-1), read(Number.NaN), ANSWER] },
  });
  await provider.describe(MODEL, signal);
  expect(await sharesIn(provider.stream(requestOf({ model: MODEL }), signal))).toEqual([]);
  expect(server.chats).toHaveLength(2);
});
