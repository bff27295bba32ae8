/** One message from a command line: in no list, undone for a while, and then gone. */
import { expect, it } from 'vitest';
import { listStoredSessions, shownSessions } from '../../src/sessions/places.ts';
import { chatIn } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { type TestMachine, testWorld, WORKSPACE } from '../support/test-machine.ts';

const DAY = 24 * 60 * 60 * 1000;

function place() {
  const world = testWorld();
  const provider = scriptedProvider(() => 'Done.', LARGE);
  let days = 0;
  const machine = (): TestMachine => {
    const made = world.machine();
    const { clock } = made;
    return { ...made, clock: { ...clock, now: () => clock.now() + days * DAY } };
  };
  const say = async (options: object): Promise<string> => {
    // Without a name, as a command line has it.
    const { session } = await chatIn(world, provider, {
      ...{ name: undefined as never, machine: machine() },
      ...options,
    });
    await session.send('Do it.');
    await session.close();
    return session.id;
  };
  const { fs } = world.machine();
  return {
    say,
    damage: (id: string) => {
      const file = `.agent_context/sessions/${id}/history.jsonl`;
      world.write(file, (world.read(file) ?? '').replace('"Do it."', '"Do IT."'));
      fs.unlink(`${WORKSPACE}/.agent_context/sessions/${id}/state.json`);
    },
    later: (more: number) => {
      days += more;
    },
    all: () => listStoredSessions(fs, WORKSPACE).map(({ id }) => id),
    shown: () => shownSessions(fs, WORKSPACE).map(({ id }) => id),
  };
}

it('is kept and in no list, until somebody goes on with it', async () => {
  const { say, all, shown } = place();
  const id = await say({ once: true });
  expect([all(), shown()]).toEqual([[id], []]);
  await say({ name: id, resume: true });
  expect(shown()).toEqual([id]);
});

it('goes when ten newer ones have passed, and a conversation stays', async () => {
  const { say, all, later } = place();
  const talk = await say({});
  const ids: string[] = [];
  for (let n = 0; n < 12; n += 1) {
    later(0.01);
    ids.push(await say({ once: true }));
  }
  expect(new Set(all())).toEqual(new Set([talk, ...ids.slice(-11)]));
});

it('goes after a week, but not where somebody went on with it, and not while it is open', async () => {
  const { say, all, later } = place();
  const gone = await say({ once: true });
  const kept = await say({ once: true });
  await say({ name: kept, resume: true });
  later(6);
  const young = await say({ once: true });
  expect(all()).toContain(gone);
  later(2);
  const last = await say({});
  expect(new Set(all())).toEqual(new Set([kept, young, last]));
});

it('stays after a week and is in the list if it cannot be read: somebody may have gone on with it', async () => {
  const { say, all, shown, later, damage } = place();
  const id = await say({ once: true });
  await say({ name: id, resume: true });
  damage(id);
  later(8);
  const last = await say({});
  expect(new Set(all())).toEqual(new Set([id, last]));
  expect(new Set(shown())).toEqual(new Set([id, last]));
});
