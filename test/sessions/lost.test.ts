/** A conversation without its journal, whose snapshot someone else may have written. */
import { expect, it } from 'vitest';
import { encodeSnapshot } from '../../src/journal/snapshot.ts';
import { listStoredSessions } from '../../src/sessions/places.ts';
import { chatIn } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

it.each([
  [{}, null, null],
  [null, null, null],
  [{ chat: null, startedAt: 'x' }, null, null],
  [{ chat: { name: 7, number: 'x' }, startedAt: {} }, null, null],
  [{ chat: { name: 'talk', number: 2 ** 53 }, startedAt: 1 }, 'talk', null],
  [{ chat: { name: 'talk', number: 999_999_999 }, startedAt: 1 }, 'talk', 999_999_999],
  [{ chat: { name: null, number: 3 }, startedAt: 1 }, null, 3],
])('with %j is listed as damaged, and others begin', async (state, name, number) => {
  const world = testWorld();
  const at = { schema: 1, run: 'x', seq: 1, offset: 0, chain: '', size: 1, crc: '', synced: true };
  const bytes = encodeSnapshot({ ...at, state });
  world.write('.agent_context/sessions/x/state.json', bytes.toString());
  for (const each of ['one', 'two']) {
    const { session } = await chatIn(
      world,
      scriptedProvider(() => 'Hello.', LARGE),
      {
        name: each,
      },
    );
    await session.close();
  }
  const all = listStoredSessions(world.machine().fs, WORKSPACE);
  expect(all.find(({ id }) => id === 'x')).toMatchObject({ name, number, status: 'damaged' });
  const own = all.filter(({ status }) => status === 'open').map((one) => one.number);
  const first = number === 3 ? 4 : 1;
  expect(own.sort()).toEqual([first, first + 1]);
});
