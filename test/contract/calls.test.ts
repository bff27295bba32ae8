/**
 * Each call of a model has its result in every request, by the rules of each API: in all requests
 * that were ever recorded, and in conversations that nobody would hold on purpose.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelFacts } from '../../src/llm/anthropic/models.ts';
import { type RequestShape, wireRequest } from '../../src/llm/anthropic/request-body.ts';
import { chatMessages } from '../../src/llm/embedded/embedded-provider.ts';
import { callOptions } from '../../src/llm/language-model/call-options.ts';
import { chatBody as ollamaBody } from '../../src/llm/ollama/chat-request.ts';
import { chatBody as openAiBody } from '../../src/llm/openai/chat-body.ts';
import { quirksByName } from '../../src/llm/openai/quirks.ts';
import { wireNames } from '../../src/llm/openai/wire-names.ts';
import { answeredCalls } from '../../src/llm/wire/answered-calls.ts';
import type { Message } from '../../src/schema/model/messages.ts';
import { requestOf, WRITE_FILE } from '../llm/support.ts';
import { dice, fc } from '../support/dice.ts';
import {
  anthropicFault,
  ollamaFault,
  openAiFault,
  promptFault,
  wordsFault,
} from '../support/wire-rules.ts';

const SIGNAL = new AbortController().signal;
const SHAPE: RequestShape = {
  ...{ answerBy: 'schema' as const, mayMentionThinking: true, mayMentionEffort: true },
  withSigned: true,
};

/** What each API would say to a conversation, as it is put to it. */
function faults(messages: readonly Message[]): readonly (string | null)[] {
  const request = requestOf({ messages, tools: [WRITE_FILE], model: 'claude-sonnet-5-5' });
  const quirks = quirksByName(request.model);
  const openAi = openAiBody(request, quirks, wireNames(request, false), 'openai');
  const short = openAiBody(request, quirks, wireNames(request, true), 'openai');
  const { body } = wireRequest(request, modelFacts(request.model, null), 'off', SHAPE);
  const { prompt } = callOptions(request, { provider: 'x', version: 'v3', signal: SIGNAL });
  return [
    openAiFault(openAi.messages),
    openAiFault(short.messages),
    ollamaFault(ollamaBody(request, 'switchable', '10m').messages),
    anthropicFault(body),
    promptFault(prompt),
    wordsFault(chatMessages(messages)),
  ];
}

const NONE = [null, null, null, null, null, null];

interface Golden {
  readonly requests: readonly { readonly messages: readonly (string | GoldenMessage)[] }[];
}
type GoldenMessage = Omit<Message, 'content'> & { readonly content: string | readonly string[] };

/** The conversations of a golden file, each as a whole. */
function conversationsIn(text: string): readonly (readonly Message[])[] {
  const { requests } = JSON.parse(text) as Golden;
  const all: Message[][] = [];
  for (const { messages } of requests) {
    const [first] = messages;
    const kept = typeof first === 'string' ? Number(/\d+/.exec(first)?.[0]) : 0;
    const rest = messages.filter((one): one is GoldenMessage => typeof one !== 'string');
    all.push([...(all.at(-1)?.slice(0, kept) ?? []), ...rest.map(asMessage)]);
  }
  return all;
}

const asMessage = ({ content, ...rest }: GoldenMessage): Message =>
  ({ ...rest, content: typeof content === 'string' ? content : content.join('\n') }) as Message;

const FOLDERS = ['test/fixtures/requests', 'test/fixtures/conversations'];
const STRONG = 'test/fixtures/strong/recordings';

describe('every recorded request', () => {
  const recorded = FOLDERS.flatMap((folder) =>
    readdirSync(folder).map((name) => [name, join(folder, name)] as const),
  );
  it.each(recorded)('%s keeps the rules of each API', (_, file) => {
    const conversations = conversationsIn(readFileSync(file, 'utf8'));
    expect(conversations.length).toBeGreaterThan(0);
    for (const messages of conversations) {
      expect(faults(messages)).toEqual(NONE);
      expect(answeredCalls(messages), 'the engine itself leaves no hole').toEqual(messages);
    }
  });

  it.each(readdirSync(STRONG))('of a strong model, %s, kept those of its own', (name) => {
    const lines = readFileSync(join(STRONG, name), 'utf8').trim().split('\n');
    const bodies = lines.map((line) => JSON.parse(line)).filter((one) => 'messages' in one);
    for (const { messages } of bodies) expect(openAiFault(messages)).toBeNull();
  });
});

const id = fc.constantFrom('a', 'b', 'a.b', 'a_b', '');
const words = fc.constantFrom('', ' ', 'words');
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), content: words }),
  fc.record({ role: fc.constant('user' as const), content: words }),
  fc.record({
    role: fc.constant('assistant' as const),
    content: words,
    toolCalls: fc.array(
      fc.record({ id, name: fc.constantFrom('write_file', 'gone'), args: fc.constant({}) }),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    role: fc.constant('tool' as const),
    content: words,
    toolCallId: id,
    toolName: fc.constantFrom('write_file', 'gone'),
  }),
);

describe('a conversation of any kind', () => {
  it('keeps the rules of each API', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        expect(faults(messages)).toEqual(NONE);
      }),
      { numRuns: dice(150, 500) },
    );
  });

  it('is told of a call that has no result, and hears every result once', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        const told = chatMessages(messages).map(({ content }) => content);
        const heard = told.filter((text) => text.startsWith('Result of '));
        const calls = messages.flatMap((one) =>
          one.role === 'assistant' ? (one.toolCalls ?? []) : [],
        );
        const results = messages.filter(({ role }) => role === 'tool');
        expect(heard.length).toBeGreaterThanOrEqual(Math.max(calls.length, results.length));
        const holes = heard.filter((text) => text.includes('There is no result of this call.'));
        expect(heard.length - holes.length).toBe(results.length);
      }),
    );
  });
});
