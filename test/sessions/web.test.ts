/** A page that a crash cut off, and a run of the same name that goes on without a way to the web. */
import { expect, it } from 'vitest';
import { chatIn } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { type TestMachine, testWorld } from '../support/test-machine.ts';

const URL = 'https://a.test/page';
const allow = ['web_fetch(a.test)'];

const toldBy = (provider: ReturnType<typeof scriptedProvider>) =>
  provider.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];

function withWeb(machine: TestMachine, asked: () => void): TestMachine {
  const lookup = async () => {
    asked();
    return [{ address: '127.0.0.1', family: 4 }];
  };
  return { ...machine, web: { lookup, proxyFor: () => null, totalMs: 1_000 } };
}

it('a page that a crash cut off is interrupted, and is not asked for again', async () => {
  const world = testWorld();
  const provider = scriptedProvider(
    (_, n) => (n === 1 ? { calls: [{ name: 'web_fetch', args: { url: URL } }] } : 'I see.'),
    LARGE,
  );
  let asked = 0;
  const dying = world.machine();
  const first = withWeb(dying, () => {
    asked += 1;
    dying.kill();
  });
  const { session } = await chatIn(world, provider, { machine: first, web: 'on', allow });
  await expect(session.send('Read it.')).rejects.toThrow('killed');
  const again = withWeb(world.machine(), () => {
    asked += 1;
  });
  const { session: next } = await chatIn(world, provider, { machine: again, web: 'on', allow });
  expect(await next.goOn()).toMatchObject({ ending: 'replied', reply: 'I see.' });
  expect(asked).toBe(1);
  expect(toldBy(provider)).toMatchObject([
    { content: expect.stringContaining('interrupted: outcome unknown.') },
  ]);
  await next.close();
});

it('a conversation that goes on where the web is off is told so, whatever a rule allows', async () => {
  const world = testWorld();
  const provider = scriptedProvider(
    (_, n) => (n === 2 ? { calls: [{ name: 'web_fetch', args: { url: URL } }] } : 'I see.'),
    LARGE,
  );
  const { session } = await chatIn(world, provider, { web: 'on', allow });
  await session.send('Hello.');
  await session.close();
  let asked = 0;
  const machine = withWeb(world.machine(), () => {
    asked += 1;
  });
  const { session: next } = await chatIn(world, provider, { machine, web: 'off', allow });
  await next.send('Read it.');
  expect(asked).toBe(0);
  expect(toldBy(provider)).toMatchObject([
    { content: expect.stringContaining('Pages of the web are not read in this run.') },
  ]);
  await next.close();
});
