/** What a conversation of the server does when the process that holds it goes. */
import { expect, test } from 'vitest';
import { Talk } from '../../src/server/sessions/talk.ts';

test('a message that its process never got goes to the next process', async () => {
  const log: string[] = [];
  const channels = [null, { send: async () => ({ how: 'taken', message: 2 }) }];
  const feed = { wake: () => {}, connected: async () => channels.shift() ?? null };
  const processes = {
    mustWork: () => {},
    held: async () => log.push('held'),
    left: async () => log.push('left'),
  };
  const talk = new Talk(
    { processes, feed: () => feed } as never,
    { id: 'a', workspace: '/w' },
    '5.1',
  );
  expect(await talk.chat('Go on')).toBe(2);
  expect(log).toEqual(['held', 'left', 'held']);
  await expect(talk.chat('And more')).rejects.toThrow('The conversation is being given up.');
});
