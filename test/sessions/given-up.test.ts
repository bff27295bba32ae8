/** A conversation whose opening is given up while something in it does not answer. */
import { expect, test } from 'vitest';
import type { Toolset } from '../../src/tools/own/plain-tool.ts';
import { chatIn } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const model = () => scriptedProvider(() => 'There.', LARGE);

test('is given up at once, and can be opened again', async () => {
  const world = testWorld();
  const stop = new AbortController();
  const silent = {
    ...{ name: 'silent', close: async () => {} },
    tools: () => {
      stop.abort();
      return new Promise<never>(() => {});
    },
  } as unknown as Toolset;
  const opening = chatIn(world, model(), { tools: [silent], signal: stop.signal });
  await expect(opening).rejects.toMatchObject({ code: 'E_INTERRUPTED' });
  const { session } = await chatIn(world, model(), { resume: true });
  expect(await session.send('Hi')).toMatchObject({ reply: 'There.' });
  await session.close();
});

test('works on once it is open, whatever was to give its opening up', async () => {
  const stop = new AbortController();
  const { session } = await chatIn(testWorld(), model(), { signal: stop.signal });
  stop.abort();
  expect(await session.send('Hi')).toMatchObject({ ending: 'replied' });
  await session.close();
});
