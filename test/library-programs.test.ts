/** The programs that the two designs of a library are about, with every name that they use, on servers of the test. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AIAgent, runAgent, streamEvents } from '../src/compat.ts';
import { CLAUDE, startFakeAnthropic, wireModel } from './support/fake-anthropic.ts';
import { startFakeOllama } from './support/fake-ollama.ts';
import { startFakeOpenAi } from './support/fake-openai.ts';

const MODEL = 'qwen2.5-coder:14b';
const call = { path: 'hello.txt', content: 'hello\n' };

let folder = '';
let openai: Awaited<ReturnType<typeof startFakeOpenAi>>;
let anthropic: Awaited<ReturnType<typeof startFakeAnthropic>>;
let ollama: Awaited<ReturnType<typeof startFakeOllama>>;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tardigrade-programs-')));
  openai = await startFakeOpenAi({
    script: () => ({ status: 401, body: '{"error":{"message":"Incorrect API key provided"}}' }),
  });
  anthropic = await startFakeAnthropic({
    models: [wireModel(CLAUDE)],
    script: () => ({ content: 'A log of what is about to be done.' }),
  });
  ollama = await startFakeOllama({
    models: [{ name: MODEL, capabilities: ['completion', 'tools'], parameterSize: '14.8B' }],
    script: ({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { content: 'It is written.' }
        : { toolCalls: [{ name: 'write_file', arguments: call }] },
  });
});
afterAll(async () => {
  await Promise.all([openai.close(), anthropic.close(), ollama.close()]);
  rmSync(folder, { recursive: true, force: true });
});

test('an agent over several providers and models: create, run, retry', async () => {
  const lines: string[] = [];
  const agent = AIAgent.create({
    config: {
      providers: {
        openai: { apiKey: 'test-key-openai', baseUrl: openai.url },
        anthropic: { apiKey: 'test-key-anthropic', baseUrl: anthropic.url },
        ollama: { baseUrl: ollama.url },
      },
      mcpServers: {},
    },
    providers: ['openai', 'anthropic'],
    models: ['gpt-5-mini', CLAUDE],
    tools: [],
    systemPrompt: 'You are a careful reader.',
    userPrompt: 'What is a write-ahead log?',
    temperature: 0.7,
    maxRetries: 3,
    maxTurns: 30,
    callbacks: { onLog: (log) => void lines.push(`${log.severity} ${log.remoteIdentifier}`) },
  });
  const session = await agent.run();
  expect(session.error).toBeUndefined();
  expect(session).toMatchObject({ success: true, currentTurn: 1 });
  expect(session.conversation.at(-1)?.content).toBe('A log of what is about to be done.');
  expect(session.accounting.at(-1)).toMatchObject({ type: 'llm', provider: 'anthropic' });
  expect(session.logs.map(({ severity }) => severity)).toContain('WRN');
  expect(lines).toHaveLength(session.logs.length);
  const again = await session.retry();
  expect(again).not.toBe(session);
  expect(again.conversation[0]).toEqual({ role: 'system', content: 'You are a careful reader.' });
});

test('an engine in one call, with its events', async () => {
  const types = new Set<string>();
  const { reply, iterations, usage, lastCallUsage } = await runAgent({
    sessionKey: 'agent:main:channel:cli:account:default:peer:direct:user_123',
    userMessage: 'Write hello into hello.txt',
    config: {
      model: `ollama/${MODEL}`,
      providers: { ollama: { baseUrl: ollama.url } },
      workspace: folder,
      sessions: folder,
      maxIterations: 25,
    },
    signal: new AbortController().signal,
    onEvent: (event) => void types.add(event.type),
  });
  expect([reply, iterations]).toEqual(['It is written.', 2]);
  expect(usage.input).toBeGreaterThan(lastCallUsage.input);
  expect([...types].sort()).toEqual([
    ...['done', 'llm_end', 'llm_start', 'llm_stream', 'tool_end', 'tool_start'],
  ]);
  expect(readFileSync(join(folder, 'hello.txt'), 'utf8')).toBe('hello\n');
  expect(streamEvents({ v: 1, run: 's', type: 'text_delta', text: 'a' })).toEqual([
    { type: 'TextDelta', delta: 'a' },
  ]);
});
