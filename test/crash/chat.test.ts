import { expect, test } from 'vitest';
import { crashChat, faultsOfConversation } from './chat.ts';

test('a conversation of forty turns that is killed behind a record goes on, in a sample of records', async () => {
  const [report] = await crashChat(29);
  expect(report?.cases).toBeGreaterThan(4);
  expect(report?.violations).toEqual([]);
});

test('what no provider would take is told', () => {
  const call = { id: 'a', name: 'list_dir', args: {} };
  const asked = { role: 'assistant', content: '', toolCalls: [call] } as const;
  expect(faultsOfConversation([asked, { role: 'user', content: 'Well?' }])).toEqual([
    'calls without a result: a',
  ]);
  expect(faultsOfConversation([{ role: 'assistant', content: '' }])).toEqual([
    'a reply of nothing',
  ]);
  expect(
    faultsOfConversation([{ role: 'tool', content: '', toolCallId: 'b', toolName: 'list_dir' }]),
  ).toEqual(['a result without a call: b']);
});
