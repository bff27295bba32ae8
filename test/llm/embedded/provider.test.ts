import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Provider, ProviderError } from '../../../src/llm/provider.ts';
import type { Message } from '../../../src/schema/model/messages.ts';
import type { ModelEvent, ModelRequest } from '../../../src/schema/model/turn.ts';
import { type FakeEngine, fakeEngine } from './fake-engine.ts';

let engine: FakeEngine;
let provider: Provider;
const never = new AbortController().signal;

beforeEach(() => {
  engine = fakeEngine();
  provider = engine.provider();
});
afterEach(async () => {
  await provider.close();
  engine.remove();
});

const request = (messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm',
  messages,
  temperature: 0.2,
  seed: 7,
  contextWindow: 4096,
  maxOutputTokens: 500,
  ...more,
});
const ask = (text: string): readonly Message[] => [{ role: 'user', content: text }];

interface Answer {
  readonly text: string;
  readonly finished: Extract<ModelEvent, { type: 'finished' }>;
}

async function answer(
  messages: readonly Message[],
  more: Partial<ModelRequest> = {},
  signal = never,
  onText: () => void = () => {},
): Promise<Answer> {
  let text = '';
  let finished: Answer['finished'] | null = null;
  for await (const event of provider.stream(request(messages, more), signal)) {
    if (event.type === 'text') {
      text += event.text;
      onText();
    }
    if (event.type === 'finished') finished = event;
  }
  if (finished === null) throw new Error('the stream ended without finished');
  return { text, finished };
}

const failure = async (promise: Promise<unknown>): Promise<ProviderError> => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
};
const starts = (): number => readFileSync(engine.logFile, 'utf8').match(/^start/gm)?.length ?? 0;

test('an answer streams as text and ends with its usage, and the next turn of a conversation reads only what is new', async () => {
  const first = await answer(ask('hello'));
  expect(first.text).toBe('you said hello');
  expect(first.finished.reason).toBe('stop');
  expect(first.finished.usage).toMatchObject({ output: 14, cacheRead: 0 });
  const messages: Message[] = [
    ...ask('hello'),
    { role: 'assistant', content: first.text },
    { role: 'user', content: 'again' },
  ];
  const second = await answer(messages);
  expect(second.text).toBe('you said again');
  expect(second.finished.usage.cacheRead).toBeGreaterThanOrEqual(
    'user:hello\nassistant:you said hello'.length - 1,
  );
  expect(second.finished.usage.input).toBeLessThan('\nuser:again\nassistant:'.length + 3);
  expect(starts()).toBe(1);
});

test('while a long prompt is read it says how much of it is, and of the next one only what is new', async () => {
  const shares = async (messages: readonly Message[]): Promise<readonly number[]> => {
    const read: number[] = [];
    for await (const event of provider.stream(request(messages), never))
      if (event.type === 'prompt_read') read.push(event.percent);
    return read;
  };
  const long = 'x'.repeat(400);
  const first = await shares(ask(long));
  expect(first.length).toBeGreaterThan(5);
  expect(first).toEqual([...new Set(first)].sort((a, b) => a - b));
  expect(first.at(-1)).toBe(100);
  const next: Message[] = [
    ...ask(long),
    { role: 'assistant', content: `you said ${long}` },
    { role: 'user', content: 'y'.repeat(100) },
  ];
  expect((await shares(next)).length).toBeLessThan(4);
});

test('threads, seed and grammar reach the engine, which never builds anything', async () => {
  await answer(ask('hello'), {
    responseSchema: { type: 'object', properties: { a: { enum: ['x'] } }, required: ['a'] },
  });
  const log = readFileSync(engine.logFile, 'utf8');
  expect(log).toContain('start {"threads":2,"gpu":false,"build":"never"}');
  expect(log).toContain('"seed":7');
  expect(log).toContain('root ::= \\"{\\"');
});

test('a prompt that does not fit is refused, and the engine lives on: an answer that reaches its limit is cut off and says so', async () => {
  const error = await failure(answer(ask('word '.repeat(100)), { contextWindow: 100 }));
  expect(error.status).toEqual({ kind: 'context_overflow', windowTokens: 100 });
  const limits = { contextWindow: 300, maxOutputTokens: 3 };
  const { text, finished } = await answer(ask('short'), limits);
  expect([text, finished.reason]).toEqual(['you', 'length']);
  expect(starts()).toBe(1);
});

test('a native crash is a retryable error and the next turn starts a fresh engine', async () => {
  const error = await failure(answer(ask('CRASH')));
  expect(error.status).toEqual({ kind: 'model_error', retryable: true });
  expect((await answer(ask('hello'))).text).toBe('you said hello');
  expect(starts()).toBe(2);
});

test('a failed computation is retryable and its engine is not used again', async () => {
  const error = await failure(answer(ask('THROW')));
  expect(error.status).toEqual({ kind: 'model_error', retryable: true });
  expect(error.message).toContain('decode failed');
  await answer(ask('hello'));
  expect(starts()).toBe(2);
});

test('an abort while the answer is written ends the turn and keeps the model loaded', async () => {
  provider = engine.provider({ abortGraceMs: 30_000 });
  const controller = new AbortController();
  const error = await failure(
    answer(ask('ENDLESS'), { maxOutputTokens: 4000 }, controller.signal, () => controller.abort()),
  );
  expect(error.status).toEqual({ kind: 'aborted' });
  await expect.poll(async () => (await answer(ask('hello'))).text).toBe('you said hello');
});

test('an abort that the engine does not hear ends its process', async () => {
  provider = engine.provider({ abortGraceMs: 1 });
  const controller = new AbortController();
  const turn = answer(ask('READ SLOWLY'.repeat(30)), {}, controller.signal);
  await expect.poll(() => readFileSync(engine.logFile, 'utf8')).toContain('context');
  controller.abort();
  expect((await failure(turn)).status).toEqual({ kind: 'aborted' });
  expect((await answer(ask('hello'))).text).toBe('you said hello');
  expect(starts()).toBe(2);
});

test('an aborted signal starts nothing', async () => {
  const error = await failure(answer(ask('hello'), {}, AbortSignal.abort()));
  expect(error.status).toEqual({ kind: 'aborted' });
  expect(starts()).toBe(0);
});

test('a model is described from its file: window, digest, no tools, schemas', async () => {
  const info = await provider.describe('m', never);
  expect(info).toMatchObject({
    model: 'm',
    contextWindow: 32768,
    capabilities: { tools: false, schema: true, thinking: false },
  });
  writeFileSync(engine.modelFile, 'x', { flag: 'a' });
  expect((await provider.describe('m', never)).digest).not.toBe(info.digest);
});

test('a file that is no model is said to be none', async () => {
  writeFileSync(engine.modelFile, 'no model');
  await expect(provider.describe('m', never)).rejects.toThrow('is not a model in GGUF format');
});

test('a missing engine names the command that installs it', async () => {
  rmSync(join(engine.folder, 'embedded', 'installed.json'));
  const error = await failure(answer(ask('hello')));
  expect(error.status).toEqual({ kind: 'model_error', retryable: false });
  expect(error.command).toEqual(['setup', 'embedded']);
  expect((await failure(provider.describe('m', never))).command).toEqual(error.command);
});

test.each([
  ['that is not there', null, 'there is no model file'],
  ['that is no model', 'PK zip', 'does not begin with "GGUF"'],
  ['that was cut off', 'GGUF\u0003\u0000\u0000\u0000', 'ends in the middle'],
])('a model file %s is a clear error', async (_, content, message) => {
  if (content === null) rmSync(engine.modelFile);
  else writeFileSync(engine.modelFile, content);
  const error = await failure(answer(ask('hello')));
  expect(error.status).toEqual({ kind: 'model_error', retryable: false });
  expect(error.message).toContain(message);
  expect(error).toMatchObject({
    option: 'model',
    hint: expect.stringContaining('embedded:FILE.gguf'),
  });
});

test('an engine that cannot be imported is named as such', async () => {
  writeFileSync(
    join(engine.folder, 'embedded/node_modules/node-llama-cpp/dist/index.js'),
    'throw new Error("no such library");',
  );
  const error = await failure(answer(ask('hello')));
  expect(error.status).toEqual({ kind: 'model_error', retryable: false });
  expect(error.message).toContain('no such library');
});
