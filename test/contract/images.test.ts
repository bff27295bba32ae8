/** An image in the form of each API; without one a message is as it always was. */
import { expect, it } from 'vitest';
import { modelFacts } from '../../src/llm/anthropic/models.ts';
import { wireRequest } from '../../src/llm/anthropic/request-body.ts';
import { callOptions } from '../../src/llm/language-model/call-options.ts';
import { chatBody as ollamaBody } from '../../src/llm/ollama/chat-request.ts';
import { modelInfo as ollamaInfo } from '../../src/llm/ollama/models.ts';
import { chatBody as openAiBody } from '../../src/llm/openai/chat-body.ts';
import { modelInfo as openAiInfo } from '../../src/llm/openai/models.ts';
import { quirksByName } from '../../src/llm/openai/quirks.ts';
import { wireNames } from '../../src/llm/openai/wire-names.ts';
import type { Message } from '../../src/schema/model/messages.ts';
import { requestOf } from '../llm/support.ts';

const IMAGE = { mediaType: 'image/png', data: 'aGVsbG8=' };
const SAID: Message = { role: 'user', content: 'What is it?', images: [IMAGE] };
const request = requestOf({ messages: [SAID], model: 'claude-sonnet-5-5' });

it('stands in the message that it came with', () => {
  const quirks = quirksByName(request.model);
  const openAi = openAiBody(request, quirks, wireNames(request, false), 'openai');
  expect(openAi.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=' } },
      ],
    },
  ]);
  expect(ollamaBody(request, 'none', '10m').messages).toEqual([
    { role: 'user', content: 'What is it?', images: ['aGVsbG8='] },
  ]);
  const shape = { answerBy: 'schema', mayMentionThinking: true, mayMentionEffort: true } as const;
  const { body } = wireRequest(request, modelFacts(request.model, null), 'off', {
    ...shape,
    withSigned: true,
  });
  expect(body.messages[0]?.content).toMatchObject([
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' } },
    { type: 'text', text: 'What is it?' },
  ]);
  const { prompt } = callOptions(request, {
    ...{ provider: 'x', version: 'v3', signal: new AbortController().signal },
  });
  expect(prompt).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'file', ...IMAGE },
      ],
    },
  ]);
});

it('takes no room of the answer by the letters that it is written in', () => {
  const data = 'x'.repeat(4_000_000);
  const large = { ...request, messages: [{ ...SAID, images: [{ ...IMAGE, data }] }] };
  const limitOf = (asked: typeof request) => {
    const body = openAiBody(asked, quirksByName('gpt-5'), wireNames(asked, false), 'openai');
    return body.max_completion_tokens ?? body.max_tokens;
  };
  expect(limitOf(large)).toBe(limitOf(request));
});

it('is known to be taken, or not, where a server tells it', () => {
  const show = (capabilities: string[] | null) =>
    ollamaInfo('m', { capabilities }, { models: [] }).capabilities.images;
  expect([show(['vision']), show(['completion']), show(null)]).toEqual([true, false, undefined]);
  const listed = (more: object) =>
    openAiInfo('m', { id: 'm', ...more } as never, null).capabilities.images;
  expect(listed({ architecture: { input_modalities: ['text', 'image'] } })).toBe(true);
  expect(listed({ architecture: { input_modalities: ['text'] } })).toBe(false);
  expect(listed({ capabilities: { vision: false } })).toBe(false);
  expect(listed({ type: 'vlm' })).toBe(true);
  expect(listed({})).toBeUndefined();
});
