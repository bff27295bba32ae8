// Our shapes of what goes over the wire, held to those of the vendors' own packages. The types are
// compared by the compiler (`npm run check:types`); nothing of the packages is loaded.
import type {
  ListResponse,
  ChatRequest as OllamaBody,
  ChatResponse as OllamaChunk,
  ShowResponse as OllamaShow,
  VersionResponse as OllamaVersion,
  ProgressResponse,
} from 'ollama';
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import { expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import { chatBody as ollamaBody } from '../../src/llm/ollama/chat-request.ts';
import type {
  ChatChunk as OurOllamaChunk,
  PsResponse,
  PullLine,
  ShowResponse,
  TagsResponse,
  VersionResponse,
} from '../../src/llm/ollama/wire.ts';
import { chatBody as openAiBody } from '../../src/llm/openai/chat-body.ts';
import { quirksByName } from '../../src/llm/openai/quirks.ts';
import type { Chunk } from '../../src/llm/openai/wire.ts';
import { wireNames } from '../../src/llm/openai/wire-names.ts';
import { requestOf, WRITE_FILE } from '../llm/support.ts';

/** All kinds of messages, and everything that may be asked for. */
const REQUEST = requestOf({
  tools: [WRITE_FILE],
  messages: [
    { role: 'system', content: 'You work on files.' },
    { role: 'user', content: 'Write a.txt.' },
    {
      role: 'assistant',
      content: '',
      thinking: 'hm',
      toolCalls: [{ id: 'c1', name: 'write_file', args: { path: 'a.txt', content: 'a' } }],
    },
    { role: 'tool', toolCallId: 'c1', toolName: 'write_file', content: 'done' },
  ],
});

test("Ollama's package takes the body of a chat; what it does not know is named here", () => {
  const { truncate, shift, ...known } = ollamaBody(REQUEST, 'switchable', '10m');
  const body: OllamaBody & { stream: true } = known;
  expect([truncate, shift]).toEqual([false, false]);
  expect(Object.keys(body)).toEqual([
    'model',
    'stream',
    'think',
    'keep_alive',
    'options',
    'tools',
    'messages',
  ]);
});

test("what Ollama's package says a server answers is what we read", () => {
  expectTypeOf<OllamaChunk>().toExtend<z.input<typeof OurOllamaChunk>>();
  // Its type says `Map` where the wire has an object.
  expectTypeOf<Omit<OllamaShow, 'model_info'>>().toExtend<z.input<typeof ShowResponse>>();
  expectTypeOf<ListResponse>().toExtend<z.input<typeof TagsResponse>>();
  expectTypeOf<ListResponse>().toExtend<z.input<typeof PsResponse>>();
  expectTypeOf<OllamaVersion>().toExtend<z.input<typeof VersionResponse>>();
  expectTypeOf<ProgressResponse>().toExtend<z.input<typeof PullLine>>();
});

test.each([
  ['a model of our time', 'gpt-5-mini', 'max_completion_tokens'],
  ['any other', 'qwen', 'max_tokens'],
])("OpenAI's package takes the body of a chat: %s", (_, model, limitField) => {
  const quirks = quirksByName(model);
  const request = { ...REQUEST, model };
  const body: ChatCompletionCreateParamsStreaming = openAiBody(
    request,
    quirks,
    wireNames(request, false),
    'openai',
  );
  expect(body).toHaveProperty(limitField, 512);
  expect(body.messages).toHaveLength(4);
});

test("what OpenAI's package says a server streams is what we read", () => {
  expectTypeOf<ChatCompletionChunk>().toExtend<z.input<typeof Chunk>>();
});
