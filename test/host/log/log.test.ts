import { describe, expect, it } from 'vitest';
import { EventLog, type EventRecord } from '../../../src/host/log/event-log.ts';
import { logLine, passesFilter } from '../../../src/host/log/line.ts';
import { LogBook } from '../../../src/host/log/log-book.ts';
import { troubleOf } from '../../../src/host/log/log-events.ts';
import type { LogSink } from '../../../src/host/log/sink.ts';
import type { AccountingEntry, LogEntry } from '../../../src/schema/events/log-entry.ts';
import { type ModelRequest, NO_USAGE } from '../../../src/schema/model/turn.ts';

const START = Date.UTC(2026, 10, 23, 8, 30);

const REQUEST: ModelRequest = {
  model: 'gpt-4o',
  messages: [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'Größe?' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c1', name: 'read_file', args: { path: 'a.txt' } }],
    },
  ],
  temperature: 0,
  seed: 1,
  contextWindow: 8192,
  maxOutputTokens: 512,
};
const USAGE = { ...NO_USAGE, input: 100, cacheRead: 20, output: 7, thinking: 3 };

/** A clock that a test turns. */
function watched() {
  let at = START;
  const logs: LogEntry[] = [];
  const costs: AccountingEntry[] = [];
  const events: EventRecord[] = [];
  const now = () => at;
  const sinks: readonly LogSink[] = [
    new LogBook({
      now,
      onLog: (entry) => void logs.push(entry),
      onAccounting: (entry) => void costs.push(entry),
      traces: { llm: true, mcp: true },
    }),
    new EventLog({ now, write: (record) => void events.push(record) }),
  ];
  const tell = (words: (sink: LogSink) => void): void => sinks.forEach(words);
  const wait = (ms: number): void => {
    at += ms;
  };
  return { logs, costs, events, tell, wait };
}

const asked =
  (turn: number, isFinal = false) =>
  (sink: LogSink) =>
    sink.modelRequest({ turn, provider: 'openai', model: 'gpt-4o', request: REQUEST, isFinal });

/** One answer with a call of each kind, a failed attempt, an end. */
function session() {
  const world = watched();
  const { tell, wait } = world;
  tell((sink) => sink.started?.('s1', 'gpt-4o'));
  tell((sink) => sink.personMessage?.('How large?'));
  tell(asked(1));
  wait(250);
  tell((sink) =>
    sink.answered({
      status: { kind: 'success' },
      detail: '',
      reply: { content: 'Größe' },
      usage: USAGE,
      costUsd: 0.001,
    }),
  );
  tell((sink) => sink.called({ id: 'c1', name: 'read_file', args: { path: 'a.txt', from: 3 } }));
  wait(5);
  tell((sink) => sink.returned({ id: 'c1', isOk: true, result: 'x = "1"' }));
  tell((sink) => sink.called({ id: 'c2', name: 'mcp__files__look', args: {} }));
  wait(9);
  tell((sink) => sink.returned({ id: 'c2', isOk: false, result: 'no such thing\nat all' }));
  tell(asked(2, true));
  wait(30);
  tell((sink) =>
    sink.answered({
      status: { kind: 'rate_limited' },
      detail: '',
      reply: { content: '' },
      usage: NO_USAGE,
      costUsd: null,
    }),
  );
  tell((sink) => sink.warned?.('attempt 2 in 1000ms'));
  tell((sink) => sink.failed('rate_limited', ''));
  tell((sink) => sink.cleared?.());
  return world;
}

const PLAIN = { hasColor: false, isAscii: false };

it('a server of tools that does not come is logged under its name', () => {
  const world = watched();
  const text = 'The MCP server files is left out: it ended';
  const trouble = troubleOf({ type: 'notice', level: 'warning', text, server: 'files' });
  world.tell((sink) => sink.warned?.(trouble?.text ?? '', trouble?.of));
  expect(world.logs).toMatchObject([
    { severity: 'WRN', type: 'mcp', remoteIdentifier: 'files', message: text },
  ]);
});

describe('the log', () => {
  it('has one line for each request and each answer, to the letter', () => {
    const lines = session().logs.filter(({ severity }) => severity !== 'TRC');
    expect(lines.map((entry) => logLine(entry, PLAIN))).toEqual([
      '[VRB] → [1.0] llm openai:gpt-4o: messages 3, 73 bytes',
      '[VRB] ← [1.0] llm openai:gpt-4o: input 120, output 7 tokens, 250ms, 7 bytes',
      '[VRB] → [1.1] mcp builtin:read_file: read_file(path:a.txt, from:3)',
      '[VRB] ← [1.1] mcp builtin:read_file: 5ms, 7 chars',
      '[VRB] → [1.2] mcp files:look: look()',
      '[VRB] ← [1.2] mcp files:look: 9ms, 20 chars',
      '[VRB] → [2.0] llm openai:gpt-4o: messages 3, 73 bytes (final turn)',
      '[WRN] ← [2.0] llm openai:gpt-4o: RateLimitError: rate limit exceeded',
      '[WRN] ← [2.0] llm openai:gpt-4o: attempt 2 in 1000ms',
      '[ERR] ← [2.0] llm openai:gpt-4o: RateLimitError: rate limit exceeded (fatal=true)',
    ]);
  });

  it('has what was sent and what came whole, as a trace', () => {
    const traces = session().logs.filter(({ severity }) => severity === 'TRC');
    expect(traces.slice(0, 4).map((entry) => logLine(entry, PLAIN))).toEqual([
      `[TRC] → [1.0] llm openai:gpt-4o: request: ${JSON.stringify(REQUEST)}`,
      '[TRC] ← [1.0] llm openai:gpt-4o: response: {"content":"Größe"}',
      '[TRC] → [1.1] mcp builtin:read_file: params: {"path":"a.txt","from":3}',
      '[TRC] ← [1.1] mcp builtin:read_file: result: "x = \\"1\\""',
    ]);
  });

  it('keeps time, turn and what is fatal beside the words', () => {
    const { logs } = session();
    expect(logs[0]).toMatchObject({ timestamp: START, turn: 1, subturn: 0, fatal: false });
    expect(logs.at(-1)).toMatchObject({ severity: 'ERR', fatal: true, type: 'llm' });
  });

  it.each([
    ['VRB', '\u001b[90m'],
    ['TRC', '\u001b[90m'],
    ['WRN', '\u001b[33m'],
    ['ERR', '\u001b[31m'],
  ] as const)('is coloured where there are colours: %s', (severity, color) => {
    const [first] = session().logs;
    if (first === undefined) throw new Error('nothing was logged');
    const line = logLine({ ...first, severity }, { hasColor: true, isAscii: true });
    expect(line).toBe(
      `${color}[${severity}] -> [1.0] llm openai:gpt-4o: messages 3, 73 bytes\u001b[0m`,
    );
  });

  it('lets nothing of a model or a server act on the terminal', () => {
    const [first] = session().logs;
    if (first === undefined) throw new Error('nothing was logged');
    const hostile = { ...first, message: 'a\u001b[2J\nb', remoteIdentifier: 'x\u009b1m:y' };
    expect(logLine(hostile, PLAIN)).not.toMatch(/\p{Cc}/u);
  });

  it('shows warnings and errors always, the rest as asked', () => {
    const all = { verbose: false, llm: false, mcp: false };
    const shown = (severity: LogEntry['severity'], type: LogEntry['type'], more: object) =>
      passesFilter({ severity, type }, { ...all, ...more });
    expect(shown('WRN', 'llm', {})).toBe(true);
    expect(shown('ERR', 'mcp', {})).toBe(true);
    expect(shown('VRB', 'llm', {})).toBe(false);
    expect(shown('VRB', 'mcp', { verbose: true })).toBe(true);
    expect(shown('TRC', 'llm', { verbose: true })).toBe(false);
    expect(shown('TRC', 'llm', { llm: true })).toBe(true);
    expect(shown('TRC', 'mcp', { llm: true })).toBe(false);
  });
});

describe('the accounting', () => {
  it('has an entry for each request and each call', () => {
    expect(session().costs).toEqual([
      {
        ...{ type: 'llm', timestamp: START + 250, status: 'ok', latencyMs: 250 },
        ...{ provider: 'openai', model: 'gpt-4o', costUsd: 0.001 },
        tokens: { input: 100, output: 7, thinking: 3, cacheRead: 20, cacheWrite: 0 },
      },
      {
        ...{ type: 'tool', timestamp: START + 255, status: 'ok', latencyMs: 5 },
        ...{ server: 'builtin', tool: 'read_file', charactersIn: 25, charactersOut: 7 },
      },
      {
        ...{ type: 'tool', timestamp: START + 264, status: 'failed', latencyMs: 9 },
        ...{ server: 'files', tool: 'look', charactersIn: 2, charactersOut: 20 },
        error: 'no such thing',
      },
      {
        ...{ type: 'llm', timestamp: START + 294, status: 'failed', latencyMs: 30 },
        ...{ provider: 'openai', model: 'gpt-4o', costUsd: null },
        tokens: { input: 0, output: 0, thinking: 0, cacheRead: 0, cacheWrite: 0 },
        error: 'RateLimitError: rate limit exceeded',
      },
    ]);
  });
});

const KEYS = [
  ...['ts', 'level', 'event', 'session_id', 'turn', 'actor', 'model', 'input', 'output'],
  ...['tool_name', 'prompt_tokens', 'completion_tokens', 'thinking_tokens', 'latency_ms', 'error'],
];

describe('the log of events', () => {
  it('has nine events with the same fifteen keys in their order', () => {
    const { events } = session();
    for (const record of events) expect(Object.keys(record)).toEqual(KEYS);
    expect(events.map(({ event }) => event)).toEqual([
      'session_start',
      'user_message',
      'assistant_message',
      'tool_call',
      'tool_result',
      'mcp_call',
      'mcp_result',
      'error',
      'error',
      'session_clear',
    ]);
    expect(new Set(events.map(({ event }) => event)).size).toBe(9);
  });

  it('says who did what, what came of it and what it took', () => {
    const { events } = session();
    expect(events[1]).toMatchObject({ actor: 'user', input: 'How large?', turn: 0 });
    expect(events[2]).toEqual({
      ...{ ts: '2026-11-23T08:30:00.250Z', level: 'INFO', event: 'assistant_message' },
      ...{ session_id: 's1', turn: 1, actor: 'assistant', model: 'gpt-4o', input: null },
      ...{ output: 'Größe', tool_name: null, prompt_tokens: 120, completion_tokens: 7 },
      ...{ thinking_tokens: 3, latency_ms: 250, error: null },
    });
    expect(events[6]).toMatchObject({
      ...{ tool_name: 'mcp__files__look', output: 'no such thing\nat all' },
      ...{ level: 'WARN', error: 'no such thing', actor: 'tool' },
    });
    expect(events.at(-2)).toMatchObject({ level: 'ERROR', actor: 'system' });
  });
});
