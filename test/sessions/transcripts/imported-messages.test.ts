import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/schema/model/messages.ts';
import {
  checkedMessages,
  plainMessages,
  readMessages,
} from '../../../src/sessions/transcripts/imported-messages.ts';

const TALK: readonly Message[] = [
  { role: 'user', content: 'What is in a.txt and b.txt?' },
  {
    role: 'assistant',
    content: 'I look.',
    toolCalls: [
      { id: 'c1', name: 'read_file', args: { path: 'a.txt' } },
      { id: 'c2', name: 'read_file', args: { path: 'b.txt' } },
    ],
  },
  { role: 'tool', content: '42', toolCallId: 'c1', toolName: 'read_file' },
  { role: 'tool', content: '43', toolCallId: 'c2', toolName: 'read_file' },
  { role: 'assistant', content: 'Figures.' },
];

describe('messages from elsewhere', () => {
  test('are read as they are written in the plain form of chat APIs', () => {
    const plain = plainMessages(TALK);
    expect(plain[1]?.tool_calls?.[0]).toEqual({
      ...{ id: 'c1', type: 'function' },
      function: { name: 'read_file', arguments: '{"path":"a.txt"}' },
    });
    expect(plain[2]).toEqual({
      role: 'tool',
      content: '42',
      name: 'read_file',
      tool_call_id: 'c1',
    });
    expect(readMessages(JSON.stringify(plain))).toEqual(TALK);
    expect(readMessages(plain.map((one) => JSON.stringify(one)).join('\n'))).toEqual(TALK);
  });

  test('get each result behind its call, and one where there is none', () => {
    const [user, reply, first, second, last] = TALK as [
      Message,
      Message,
      Message,
      Message,
      Message,
    ];
    expect(checkedMessages([user, reply, second, first, last])).toEqual(TALK);
    const results = checkedMessages([user, reply, second, last]).slice(2, 4);
    expect(results.map(({ content }) => content)).toEqual([
      '[Tool result missing — session was interrupted]',
      '43',
    ]);
  });

  const LOG = [
    { type: 'session_start', sessionId: 's', mode: 'repl', resumed: false },
    { type: 'user_prompt', content: 'What is in a.txt and b.txt?' },
    { type: 'message', role: 'user', content: 'What is in a.txt and b.txt?' },
    {
      ...{ type: 'message', role: 'assistant', content: 'I look.' },
      toolCalls: [
        { id: 'c1', name: 'read_file', arguments: '{"path":"a.txt"}' },
        { callId: 'c2', name: 'read_file', argsJson: '{"path":"b.txt"}' },
      ],
    },
    { type: 'event', eventType: 'trace', role: 'user', content: 'no message' },
    { type: 'message', role: 'tool', callId: 'c1', result: '42' },
    { type: 'message', role: 'tool', callId: 'c2', content: '43' },
    { type: 'message', role: 'assistant', content: 'Figures.' },
  ].map((data) => JSON.stringify({ timestamp: '2026-01-01T00:00:00.000Z', data }));

  test('are read from the log of a session, what was typed and told once', () => {
    expect(readMessages(LOG.join('\n'))).toEqual(TALK);
    const typed = LOG.filter((line) => !line.includes('"role":"user"'));
    expect(readMessages(typed.join('\n'))).toEqual(TALK);
  });

  test('that are damaged are refused, or told and passed over where somebody wants to know', () => {
    const stray = JSON.stringify({
      data: { type: 'message', role: 'tool', callId: 'x', result: 'a' },
    });
    const damaged = [...LOG.slice(0, 2), '{"timestamp":"20', ...LOG.slice(2), stray].join('\n');
    expect(() => readMessages(damaged)).toThrow(/Line 3 is not JSON/);
    const told: string[] = [];
    expect(readMessages(damaged, { onWarning: (text) => told.push(text) })).toEqual(TALK);
    expect(told).toEqual(['Line 3 is not JSON.', 'The result of "x" stands behind no such call.']);
  });

  test('with no text at all are a reply that only calls', () => {
    expect(readMessages('{"role":"assistant","content":null}')).toEqual([
      { role: 'assistant', content: '' },
    ]);
  });

  test('are refused where a part is nested too deeply to be kept', () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const call = (args: string) =>
      `{"role":"assistant","content":"","toolCalls":[{"id":"c","name":"n","args":${args}}]}`;
    const blocks = (of: string) =>
      `{"role":"assistant","content":"","opaque":{"provider":"p","blocks":${of}}}`;
    const inside = `{"role":"assistant","content":"","meta":{"contentBlocks":[{"type":"toolCall","id":"c","name":"n","arguments":${deep(6000)}}]}}`;
    for (const text of [call(deep(6000)), blocks(deep(6000)), inside])
      expect(() => readMessages(text)).toThrow(/Line 1: .* nested/);
    for (const text of [call(deep(60)), blocks(deep(75))])
      expect(readMessages(text)).not.toEqual([]);
  });

  test.each([
    ['no JSON', 'hello', /Line 1 is not JSON/],
    ['a role that is not known', '{"role":"king","content":"a"}', /Line 1, role/],
    [
      'arguments that are none',
      JSON.stringify([
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'a', function: { name: 'b', arguments: 'c' } }],
        },
      ]),
      /Message 1, tool_calls/,
    ],
    [
      'a result of no call',
      '{"role":"tool","content":"a","tool_call_id":"x"}',
      /"x" stands behind no such call/,
    ],
  ])('are refused for %s', (_, text, message) => {
    expect(() => readMessages(text)).toThrow(message);
  });
});
