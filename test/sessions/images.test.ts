/** Images in a conversation: kept, sent again byte for byte, and left out where a model takes none. */
import { expect, it } from 'vitest';
import type { Learnt, Lessons } from '../../src/llm/models/lessons.ts';
import { layoutOfSession } from '../../src/sessions/places.ts';
import { chatIn, recordsOfChat } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from('pixels')]);
const IMAGE = { mediaType: 'image/png', data: PNG.toString('base64') };

const keeping = (): Lessons & { readonly kept: Map<string, Learnt> } => {
  const kept = new Map<string, Learnt>();
  return {
    kept,
    of: (key) => (kept.has(key) ? { at: 0, ...kept.get(key) } : null),
    learn: (key, learnt) => void kept.set(key, { ...kept.get(key), ...learnt }),
  };
};

const usersOf = (provider: ReturnType<typeof scriptedProvider>) =>
  provider.requests.map(({ messages }) => messages.filter(({ role }) => role === 'user'));

it('are sent with each request, the same to the byte, also after a restart', async () => {
  const world = testWorld();
  const provider = scriptedProvider(() => 'A cat.', { ...LARGE, takesImages: true });
  const { session } = await chatIn(world, provider);
  await session.send('What is it?', { images: [PNG] });
  await session.close();
  const { session: next } = await chatIn(world, provider);
  await next.send('Are you sure?');
  const [first, second] = usersOf(provider);
  expect(first).toEqual([{ role: 'user', content: 'What is it?', images: [IMAGE] }]);
  expect(second?.[0]).toEqual(first?.[0]);
  expect(recordsOfChat(world, next.id).find(({ type }) => type === 'person_said')).toMatchObject({
    parts: [{ mediaType: 'image/png', bytes: PNG.length }],
  });
  await next.close();
});

it('that are lost are one sentence', async () => {
  const world = testWorld();
  const provider = scriptedProvider(() => 'A cat.', { ...LARGE, takesImages: true });
  const { session } = await chatIn(world, provider);
  await session.send('What is it?', { images: [PNG] });
  await session.close();
  const { fs } = world.machine();
  const { blobs } = layoutOfSession(WORKSPACE, session.id);
  for (const name of fs.readdir(blobs)) fs.unlink(`${blobs}/${name}`);
  const { session: next } = await chatIn(world, provider);
  await next.send('And now?');
  expect(usersOf(provider).at(-1)?.[0]).toEqual({
    role: 'user',
    content: 'What is it?\n[A file was here, and its content is lost.]',
  });
  await next.close();
});

it('are left out for a model that says it takes none', async () => {
  const provider = scriptedProvider(() => 'I see nothing.', { ...LARGE, takesImages: false });
  const { session } = await chatIn(testWorld(), provider);
  expect(session.seesImages).toBe(false);
  await session.send('What is it?', { images: [PNG] });
  expect(usersOf(provider)).toEqual([
    [
      {
        role: 'user',
        content: 'What is it?\n[A file of type image/png is here, and you cannot see it.]',
      },
    ],
  ]);
  await session.close();
});

it('are tried once with a model that does not say, and its refusal is remembered', async () => {
  const world = testWorld();
  const lessons = keeping();
  const refusing = scriptedProvider(
    ({ messages }) =>
      messages.some((message) => message.role === 'user' && message.images)
        ? { fails: { kind: 'model_error', retryable: false } }
        : 'I see nothing.',
    LARGE,
  );
  const { session } = await chatIn(world, refusing, { lessons });
  expect(session.seesImages).toBe(true);
  const sent = await session.send('What is it?', { images: [PNG] });
  expect(sent).toMatchObject({ ending: 'replied', reply: 'I see nothing.' });
  expect(refusing.requests).toHaveLength(2);
  expect([...lessons.kept.values()]).toEqual([{ takesNoImages: true }]);
  await session.send('Look again.', { images: [PNG] });
  expect(refusing.requests).toHaveLength(3);
  await session.close();
  const { session: other } = await chatIn(world, refusing, { lessons, name: 'other' });
  expect(other.seesImages).toBe(false);
  await other.close();
});

it('are not blamed where the model refuses without them as well', async () => {
  const lessons = keeping();
  const broken = scriptedProvider(
    () => ({ fails: { kind: 'model_error', retryable: false } }),
    LARGE,
  );
  const { session } = await chatIn(testWorld(), broken, { lessons });
  expect(await session.send('What is it?', { images: [PNG] })).toMatchObject({ ending: 'failed' });
  expect(broken.requests).toHaveLength(2);
  expect(lessons.kept.size).toBe(0);
  await session.close();
});

it('are told by their bytes, and what is none is refused before anything is kept', async () => {
  const provider = scriptedProvider(() => 'No.', LARGE);
  const { session } = await chatIn(testWorld(), provider);
  for (const wrong of [Buffer.from('text'), Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)])])
    await expect(session.send('What?', { images: [wrong] })).rejects.toThrow(/image/i);
  expect(provider.requests).toHaveLength(0);
  await session.close();
});
