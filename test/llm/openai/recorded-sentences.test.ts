// Each way to say that a prompt is too long, in each dialect it may come in: servers stand behind
// gateways, which put another's words into a form of their own.
import { describe, expect, it } from 'vitest';
import type { OpenAiReply } from '../../support/fake-openai.ts';
import {
  fastApiError,
  flatError,
  llamaCppError,
  midStream,
  openAiError,
  openRouterError,
  plainError,
  vllmError,
} from '../../support/fake-openai-bodies.ts';
import { OVERFLOW_SENTENCES, UNREAD_OVERFLOW_SENTENCES } from '../../support/fake-sentences.ts';
import { turn } from '../support.ts';
import { answeringInTurn } from './support.ts';

const DIALECTS: readonly (readonly [string, (sentence: string) => OpenAiReply])[] = [
  ["OpenAI's form", (text) => openAiError(400, text)],
  ["OpenAI's form, as a fault of the server", (text) => openAiError(500, text)],
  ["llama.cpp's form", (text) => llamaCppError(400, text, 'invalid_request_error')],
  ["vLLM's form", (text) => vllmError(400, text)],
  ["older vLLM's form", (text) => flatError(400, text)],
  ["LM Studio's form", (text) => plainError(400, text)],
  ["FastAPI's form", (text) => fastApiError(422, text)],
  ["OpenRouter's form", (text) => openRouterError(400, 400, text)],
  ["OpenRouter's form, as a success", (text) => openRouterError(200, 400, text)],
  [
    "OpenRouter's form, passed on",
    (raw) => openRouterError(400, 400, 'Provider returned error', { metadata: { raw } }),
  ],
  [
    'a stream that has begun',
    (message) => midStream({ error: { message, type: 'invalid_request_error', code: 400 } }),
  ],
];

const isPassedOn = (dialect: string): boolean => dialect.endsWith('passed on');

describe.each(OVERFLOW_SENTENCES)('%s: "%s"', (server, sentence) => {
  it('is an overflow in every dialect', async () => {
    // Nobody passes on what an Ollama says, whose sentences are looked for at the beginning.
    const dialects = DIALECTS.filter(([name]) => !(isPassedOn(name) && server === 'Ollama'));
    const { provider } = await answeringInTurn(dialects.map(([, reply]) => reply(sentence)));
    const statuses: string[] = [];
    for (const [dialect] of dialects) {
      statuses.push(`${dialect}: ${(await turn(provider)).status.kind}`);
    }
    expect(statuses).toEqual(dialects.map(([dialect]) => `${dialect}: context_overflow`));
  });

  it('is none where the server counts tokens a minute', async () => {
    const { provider } = await answeringInTurn([openAiError(429, sentence, 'rate_limit_exceeded')]);
    expect((await turn(provider)).status).toEqual({ kind: 'rate_limited' });
  });
});

// Words that come in the plain form alone.
for (const [server, sentence] of UNREAD_OVERFLOW_SENTENCES) {
  it(`${server}: "${sentence}" is an overflow`, async () => {
    const { provider } = await answeringInTurn([openAiError(400, sentence)]);
    expect((await turn(provider)).status.kind).toBe('context_overflow');
  });
}
