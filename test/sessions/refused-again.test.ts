import { expect, it } from 'vitest';
import { chatIn, recordsOfChat } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

it('a message goes on where nobody can be asked, however often the same is refused', async () => {
  const world = testWorld();
  const args = { path: '.github/ci.yml', content: 'on: push\n' };
  const add = { calls: [{ name: 'write_file', args }] };
  const provider = scriptedProvider((_, n) => (n <= 2 ? add : 'I may not.'), LARGE);
  const { session } = await chatIn(world, provider);
  const sent = await session.send('Add it.');
  expect(sent).toMatchObject({ ending: 'permission', reply: 'I may not.' });
  const records = recordsOfChat(world, session.id);
  const of = (wanted: string) => records.filter(({ type }) => type === wanted);
  expect(of('action_finished')).toMatchObject([{ status: 'denied' }, { status: 'denied' }]);
  expect(of('permission_noted')).toHaveLength(1);
  await session.close();
});
