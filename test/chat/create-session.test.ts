import { expect, test } from 'vitest';
import { createSession } from '../../src/chat/create-session.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

test('a session answers, is closed, and goes on by its name', async () => {
  const world = testWorld();
  const provider = scriptedProvider((_, n) => `Answer ${n}.`, LARGE);
  const options = { workspace: WORKSPACE, provider, model: SCRIPTED_MODEL, name: 'mine' };
  const first = await createSession({ ...options, machine: world.machine() });
  expect(await first.send('One')).toMatchObject({ ending: 'answered', reply: 'Answer 1.' });
  await first.close();
  const second = await createSession({ ...options, resume: true, machine: world.machine() });
  expect([second.id, second.isOpen]).toEqual([first.id, false]);
  await second.send('Two');
  await second.close();
  expect(JSON.stringify(provider.requests[1]?.messages)).toContain('Answer 1.');
});

test.each([[{ workspace: 5 }], [{ model: undefined }], [{ resume: true, name: 'nobody' }]])(
  'refuses %j with E_USAGE',
  async (wrong) => {
    const options = {
      workspace: WORKSPACE,
      model: 'no such/model',
      machine: testWorld().machine(),
    };
    const provider = scriptedProvider(() => 'Hello.', LARGE);
    await expect(createSession({ ...options, provider, ...wrong } as never)).rejects.toMatchObject({
      code: 'E_USAGE',
    });
  },
);
