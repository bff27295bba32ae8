import { expect, test } from 'vitest';
import { EventLog, type EventRecord } from '../../../src/host/log/event-log.ts';
import { logLine } from '../../../src/host/log/line.ts';
import { LogBook } from '../../../src/host/log/log-book.ts';
import { logEvents } from '../../../src/host/log/log-events.ts';
import type { LogEntry } from '../../../src/schema/events/log-entry.ts';
import { openInPlaceOf } from '../../../src/sessions/open-session.ts';
import { chatIn } from '../../support/chat-in.ts';
import {
  LARGE,
  SCRIPTED_MODEL,
  type Script,
  scriptedProvider,
} from '../../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

const lookTool = {
  name: 'mcp__files__look',
  description: 'Looks.',
  inputSchema: { type: 'object', properties: {} },
  touches: 'nothing',
  execute: () => 'three files',
} as const;

function watched() {
  const logs: LogEntry[] = [];
  const events: EventRecord[] = [];
  const now = () => Date.UTC(2026, 10, 23, 8, 30);
  const book = new LogBook({
    now,
    onLog: (entry) => void logs.push(entry),
    traces: { llm: false, mcp: false },
  });
  const eventLog = new EventLog({ now, write: (record) => void events.push(record) });
  return { logs, events, observe: logEvents([book, eventLog]) };
}

const SCRIPT: Script = (request, n) => {
  if (n === 1) return { fails: { kind: 'rate_limited' } };
  if (n === 2) return { calls: [{ name: 'read_file', args: { path: 'a.txt' } }] };
  if (n === 3) return { text: 'I look.', calls: [{ name: 'mcp__files__look', args: {} }] };
  if (request.messages.at(-1)?.content === 'fail') return { fails: { kind: 'auth_failed' } };
  return 'It is 42.';
};

/** One message with a call of each kind, one that no model answers, and a new session in its place. */
async function talked() {
  const world = testWorld();
  world.write('a.txt', 'forty-two\n');
  const model = scriptedProvider(SCRIPT, LARGE);
  const log = watched();
  const options = {
    tools: [lookTool],
    maxIterations: 3,
    closingTurn: true,
    systemPrompt: 'Be short.',
  };
  const { session } = await chatIn(world, model, { ...options, onEvent: log.observe });
  await session.send('What is it?');
  await session.send('fail');
  const machine = world.machine();
  const place = { workspace: WORKSPACE, provider: model, model: SCRIPTED_MODEL, machine };
  const next = await openInPlaceOf(session, place);
  session.putAway(next.id);
  await next.close();
  await session.close();
  return { ...log, model };
}

test('a conversation has one line for each request and each answer, to the letter', async () => {
  const { logs, model } = await talked();
  const lines = logs.map((entry) => logLine(entry, { hasColor: false, isAscii: false }));
  expect(lines).toEqual([
    '[VRB] → [1.0] llm scripted:scripted:1b: messages 2, 20 bytes',
    '[WRN] ← [1.0] llm scripted:scripted:1b: RateLimitError: scripted rate_limited',
    '[WRN] ← [1.0] llm scripted:scripted:1b: attempt 2 in 1000ms: scripted rate_limited',
    '[VRB] → [1.0] llm scripted:scripted:1b: messages 2, 20 bytes',
    '[VRB] ← [1.0] llm scripted:scripted:1b: input 0, output 0 tokens, 0ms, 58 bytes',
    '[VRB] → [1.1] mcp builtin:read_file: read_file(path:a.txt)',
    expect.stringMatching(/^\[VRB\] ← \[1\.1\] mcp builtin:read_file: 0ms, \d+ chars$/),
    expect.stringMatching(/^\[VRB\] → \[2\.0\] llm scripted:scripted:1b: messages 4, \d+ bytes$/),
    expect.stringMatching(/^\[VRB\] ← \[2\.0\] llm scripted:scripted:1b: input 0, output 0 tokens/),
    '[VRB] → [2.1] mcp files:look: look()',
    '[VRB] ← [2.1] mcp files:look: 0ms, 11 chars',
    expect.stringMatching(/^\[VRB\] → \[3\.0\] .*: messages 7, \d+ bytes \(final turn\)$/),
    '[VRB] ← [3.0] llm scripted:scripted:1b: input 0, output 0 tokens, 0ms, 9 bytes',
    expect.stringMatching(/^\[VRB\] → \[4\.0\] llm scripted:scripted:1b: messages 9, \d+ bytes$/),
    '[WRN] ← [4.0] llm scripted:scripted:1b: AuthError: scripted auth_failed',
    '[ERR] ← [4.0] llm scripted:scripted:1b: AuthError: scripted auth_failed (fatal=true)',
  ]);
  expect(model.requests[3]?.tools).toBeUndefined();
  expect(model.requests[3]?.messages.at(-1)?.content).toContain('no more tools');
});

const KEYS = [
  ...['ts', 'level', 'event', 'session_id', 'turn', 'actor', 'model', 'input', 'output'],
  ...['tool_name', 'prompt_tokens', 'completion_tokens', 'thinking_tokens', 'latency_ms', 'error'],
];

test('a conversation is told in nine events of fifteen keys', async () => {
  const { events } = await talked();
  for (const record of events) expect(Object.keys(record)).toEqual(KEYS);
  expect(events.map(({ event }) => event)).toEqual([
    ...['session_start', 'user_message', 'error', 'assistant_message', 'tool_call', 'tool_result'],
    ...['assistant_message', 'mcp_call', 'mcp_result', 'assistant_message'],
    ...['user_message', 'error', 'error', 'session_clear'],
  ]);
  expect(new Set(events.map(({ event }) => event)).size).toBe(9);
  expect(events[1]).toMatchObject({ input: 'What is it?', actor: 'user', model: SCRIPTED_MODEL });
  expect(events[5]?.output).toContain('forty-two');
});
