import { expect, test } from 'vitest';
import { type ChatIn, chatIn } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const read = (path: string) => ({ name: 'read_file', args: { path } });

test('ends a message after its turns, and goes on with the next one', async () => {
  const world = testWorld();
  const model = scriptedProvider(
    (request) =>
      request.messages.at(-1)?.content === 'go on' ? 'Fine.' : { calls: [read('no.txt')] },
    LARGE,
  );
  const { session } = await chatIn(world, model, { maxIterations: 3 });
  expect(await session.send('Loop')).toMatchObject({ ending: 'limit', iterations: 3 });
  expect(await session.send('go on')).toMatchObject({ ending: 'replied', reply: 'Fine.' });
  await session.close();
});

test('keeps the bounds that it was begun with, whoever goes on with it, and takes new ones', async () => {
  const world = testWorld();
  const model = scriptedProvider(() => ({ calls: [read('no.txt')] }), LARGE);
  const worked = async (options: ChatIn): Promise<number> => {
    const { session } = await chatIn(world, model, options);
    const { iterations } = await session.send('Loop');
    await session.close();
    return iterations;
  };
  expect(await worked({ maxIterations: 3 })).toBe(3);
  expect(await worked({ resume: true })).toBe(3);
  expect(await worked({ resume: true, maxIterations: 2 })).toBe(2);
  expect(await worked({ resume: true })).toBe(2);
});

test('an answer that was cut since it goes in circles is told as that, not as one that was too long', async () => {
  const model = scriptedProvider(() => 'The same line.\n'.repeat(200), LARGE);
  const { session } = await chatIn(testWorld(), model);
  const { ending, detail } = await session.send('Tell');
  await session.close();
  expect([ending, detail]).toEqual(['limit', expect.stringContaining('The model repeats itself')]);
});
