/** A command that the person runs in a conversation. */
import { expect, it } from 'vitest';
import { chatIn, recordsOfChat } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const told = (provider: ReturnType<typeof scriptedProvider>): readonly string[] =>
  provider.requests
    .at(-1)
    ?.messages.slice(1)
    .map(({ role, content }) => `${role}: ${content}`) ?? [];

it('is an action of a message that no turn answers', async () => {
  const world = testWorld();
  world.write('a.js', '');
  const provider = scriptedProvider(() => 'Seen.', LARGE);
  const { session } = await chatIn(world, provider, { ask: async () => 'no' });
  expect(await session.runCommand('node a.js')).toMatchObject({ status: 'ok' });
  // Whoever types it is not asked; what is denied is denied.
  expect(await session.runCommand('frobnicate x')).not.toMatchObject({ status: 'denied' });
  expect(await session.runCommand('git push')).toMatchObject({ status: 'denied' });
  expect(provider.requests).toHaveLength(0);
  await session.send('Well?');
  expect(told(provider)).toEqual([
    ...['user: !node a.js', expect.stringContaining('user: Result of run_cmd:\n')],
    ...['user: !frobnicate x', expect.stringContaining('user: Result of run_cmd:\n')],
    ...['user: !git push', expect.stringContaining('user: Result of run_cmd:\n')],
    'user: Well?',
  ]);
  const types = recordsOfChat(world, session.id).map(({ type }) => type);
  expect(types.filter((type) => type === 'message_ended')).toHaveLength(4);
  await session.close();
});

it('that a crash cut off is interrupted, is not run again, and asks no model', async () => {
  const world = testWorld();
  world.write('a.js', '');
  const provider = scriptedProvider(() => 'Seen.', LARGE);
  const dying = world.machine();
  const { session } = await chatIn(world, provider, {
    machine: dying,
    onEvent: (event) => {
      if (event.type === 'record' && event.record.type === 'action_started') dying.kill();
    },
  });
  await expect(session.runCommand('node a.js')).rejects.toThrow('the process was killed');
  const { session: next } = await chatIn(world, provider);
  expect(next.isOpen).toBe(true);
  await next.goOn();
  expect(next.isOpen).toBe(false);
  expect(provider.requests).toHaveLength(0);
  await next.send('Well?');
  expect(told(provider)).toEqual([
    ...['user: !node a.js', expect.stringContaining('interrupted: outcome unknown.')],
    'user: Well?',
  ]);
  expect(world.commands.filter(({ line }) => line.includes('a.js'))).toHaveLength(1);
  await next.close();
});

it('that was cut off before it began was not run', async () => {
  const world = testWorld();
  const provider = scriptedProvider(() => 'Seen.', LARGE);
  const dying = world.machine();
  const { session } = await chatIn(world, provider, {
    machine: dying,
    onEvent: (event) => {
      if (event.type === 'record' && event.record.type === 'person_said') dying.kill();
    },
  });
  await expect(session.runCommand('node a.js')).rejects.toThrow('the process was killed');
  const { session: next } = await chatIn(world, provider);
  await next.goOn();
  const ends = recordsOfChat(world, next.id).filter(({ type }) => type === 'action_finished');
  expect(ends).toMatchObject([{ status: 'not_run', tool: 'run_cmd' }]);
  expect(world.commands.filter(({ isDone }) => isDone)).toEqual([]);
  await next.close();
});

it('no message is worked on beside git', async () => {
  const world = testWorld();
  const { session } = await chatIn(
    world,
    scriptedProvider(() => 'Done.', LARGE),
  );
  const committing = session.commit('everything');
  await expect(session.send('Change a.js.')).rejects.toMatchObject({ code: 'E_USAGE' });
  await expect(committing).rejects.toThrow('no git');
  expect(await session.send('Hello.')).toMatchObject({ reply: 'Done.' });
  await session.close();
});
