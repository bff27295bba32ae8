import { expect, it } from 'vitest';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { listStoredSessions } from '../../src/sessions/places.ts';
import { type ChatIn, chatIn, type OpenChat } from '../support/chat-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { type TestMachine, type TestWorld, testWorld, WORKSPACE } from '../support/test-machine.ts';

const model = () => scriptedProvider(() => 'Hello.', LARGE);
const sessionsOf = (world: TestWorld) => listStoredSessions(world.machine().fs, WORKSPACE);

/** A disk as it was when this process looked which conversations there are. */
const asBefore = (fs: FileSystem): FileSystem => {
  const sessions = `${WORKSPACE}/.agent_context/sessions`;
  const seen = fs.readdir(sessions);
  return {
    ...delegating(fs),
    readdir: (path) => (path === sessions ? seen : fs.readdir(path)),
  };
};

const WAYS: readonly [string, ChatIn][] = [
  ['key', { key: 'Ann' }],
  ['id', { run: '00aa' }],
];

it.each(WAYS)(
  'two processes that begin one %s at the same instant work in one conversation, one after the other',
  async (_way, same) => {
    const world = testWorld();
    const machine = world.machine();
    const begin = (there: TestMachine): Promise<OpenChat> =>
      chatIn(world, model(), { ...same, machine: there });
    await (await chatIn(world, model(), { machine, name: 'other' })).session.close();
    const late = { ...machine, fs: asBefore(machine.fs) };
    const first = await begin(machine);
    await first.session.send('Hello?');
    await expect(begin(late)).rejects.toMatchObject({ code: 'E_LOCKED' });
    await first.session.close();
    const second = await begin(late);
    expect(second.session.state.chat.messages).toBe(1);
    await second.session.close();
    expect(sessionsOf(world)).toHaveLength(2);
  },
);
