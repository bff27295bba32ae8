/** An answer that a person stops: what had come of it stays in the conversation. */
import { expect, test } from 'vitest';
import { transcriptOf } from '../../src/sessions/transcripts/export.ts';
import { chatIn } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

/** Says the beginning of its first answer, and never ends it. */
async function stoppedAfter(begins: string) {
  const world = testWorld();
  const model = scriptedProvider(() => 'All right.', LARGE);
  let asked = 0;
  const { session } = await chatIn(world, {
    ...model,
    async *stream(...request) {
      asked += 1;
      if (asked > 1) return yield* model.stream(...request);
      yield { type: 'text', text: begins };
      await new Promise(() => {});
    },
  });
  const stop = new AbortController();
  const sent = await session.send('Tell me a story', {
    signal: stop.signal,
    onEvent: ({ type }) => {
      if (type === 'text') stop.abort();
    },
  });
  await session.send('Shorter');
  await session.close();
  const messages = model.requests[0]?.messages.slice(1) ?? [];
  const lines = [...transcriptOf(world.machine().fs, WORKSPACE, session.id)];
  return {
    sent,
    said: messages.map(({ role, content }) => `${role}: ${content}`),
    exported: lines.flatMap((line) =>
      line.type === 'message' ? [`${line.role}: ${line.content}`] : [],
    ),
  };
}

test('the model reads what it had said, and that it was stopped', async () => {
  const { sent, said, exported } = await stoppedAfter('Once upon a time \n');
  expect(sent).toMatchObject({ ending: 'interrupted', detail: 'stopped by the user' });
  expect(said).toEqual([
    'user: Tell me a story',
    'assistant: Once upon a time\n\n(The user stopped this answer here.)',
    'user: Shorter',
  ]);
  expect(exported).toEqual([...said, 'assistant: All right.']);
});

test('an answer that had not begun leaves nothing', async () => {
  const { said } = await stoppedAfter(' ');
  expect(said).toEqual(['user: Tell me a story', 'user: Shorter']);
});
