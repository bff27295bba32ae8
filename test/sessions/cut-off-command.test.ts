import { expect, it } from 'vitest';
import { chatIn, recordsOfChat } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const run = (cmd: string) => ({ name: 'run_cmd', args: { cmd } });

it('the command behind one that a crash cut off is not run before the model has looked', async () => {
  const world = testWorld();
  world.write('a.js', '');
  world.write('b.js', '');
  const provider = scriptedProvider(
    (_, n) => (n === 1 ? { calls: [run('node a.js'), run('node b.js')] } : 'I will look first.'),
    LARGE,
  );
  const dying = world.machine();
  const allow = ['run_cmd(node *)'];
  const { session } = await chatIn(world, provider, {
    machine: dying,
    allow,
    onEvent: (event) => {
      if (event.type === 'record' && event.record.type === 'action_started') dying.kill();
    },
  });
  await expect(session.send('Run both.')).rejects.toThrow('the process was killed');
  const { session: next } = await chatIn(world, provider, { allow });
  expect(await next.goOn()).toMatchObject({ ending: 'replied', reply: 'I will look first.' });
  expect(world.commands.filter(({ line }) => line.includes('b.js'))).toEqual([]);
  const told = provider.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
  expect(told.map(({ content }) => content)).toEqual([
    expect.stringContaining('interrupted: outcome unknown.'),
    'Not run: run_cmd before it ended as interrupted.',
  ]);
  const ends = recordsOfChat(world, next.id).filter(({ type }) => type === 'action_finished');
  expect(ends).toMatchObject([{ status: 'interrupted' }, { status: 'not_run' }]);
  await next.close();
});
