import { expect, test } from 'vitest';
import { asPlainText } from '../../../src/drivers/chat/messages.ts';
import { transcriptText, withEveryResult } from '../../../src/drivers/chat/transcript.ts';
import type { Message } from '../../../src/schema/model/messages.ts';

const call = (id: string) => ({ id, name: 'read_file', args: { path: 'a.txt' } });
const asked: Message = { role: 'assistant', content: 'I look.', toolCalls: [call('a'), call('b')] };
const result: Message = { role: 'tool', content: 'one', toolCallId: 'a', toolName: 'read_file' };
const user: Message = { role: 'user', content: 'Well?' };

const MISSING = '[Tool result missing — session was interrupted]';

test('a call without a result gets one that says so, wherever it stands', () => {
  for (const messages of [
    [user, asked, result],
    [user, asked, result, user],
  ])
    expect(withEveryResult(messages)[3]).toEqual({
      role: 'tool',
      content: MISSING,
      toolCallId: 'b',
      toolName: 'read_file',
    });
  expect(withEveryResult([user, asked, result, { ...result, toolCallId: 'b' }])).toHaveLength(4);
});

test('a transcript names who said what, and keeps its end where there is no room for all', () => {
  const text = transcriptText([user, asked, result], 10_000);
  expect(text).toBe(
    `USER: Well?\n\nASSISTANT:\nI look.\nCALL read_file {"path":"a.txt"}\nCALL read_file {"path":"a.txt"}\n\nRESULT of read_file: one\n\nRESULT of read_file: ${MISSING}`,
  );
  expect(transcriptText([user, asked, result], 20)).toMatch(/^\[…\]\n.{20}$/s);
});

test('a transcript keeps the summary that it begins with, and drops from behind it', () => {
  const summary: Message = { role: 'user', content: '[Conversation summary]\nAll is known.' };
  const text = transcriptText([summary, user, asked, result], 100, true);
  expect(text).toMatch(/^USER: \[Conversation summary\]\nAll is known\.\n\n\[…\]\n.{58}$/s);
  expect(text.endsWith(MISSING)).toBe(true);
});

test('as plain text calls and results are words, and no two messages of the user follow each other', () => {
  const plain = asPlainText([user, asked, result, { ...result, content: 'two' }, user]);
  expect(plain.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(plain[1]?.content).toContain('{"name":"read_file","arguments":{"path":"a.txt"}}');
  expect(plain[2]?.content).toBe('Result of read_file:\none\n\nResult of read_file:\ntwo\n\nWell?');
});
