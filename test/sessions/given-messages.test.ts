/** Messages that a new session continues from. */
import { expect, it } from 'vitest';
import type { Message } from '../../src/schema/model/messages.ts';
import { chatIn } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const MESSAGES: readonly Message[] = [
  { role: 'user', content: 'Hello.' },
  { role: 'assistant', content: 'Good day.' },
];

it('are taken by the next call where the first one found no model, and by no later one', async () => {
  const world = testWorld();
  const provider = scriptedProvider(() => 'Hello.', LARGE);
  const away = { ...provider, describe: () => Promise.reject(new Error('there is no server')) };
  await expect(chatIn(world, away, { messages: MESSAGES })).rejects.toThrow('no server');
  const { session } = await chatIn(world, provider, { messages: MESSAGES });
  expect(session.state.conversation.map(({ role }) => role)).toEqual(['user', 'assistant']);
  await session.close();
  await expect(chatIn(world, provider, { messages: MESSAGES })).rejects.toThrow('has its own');
});
