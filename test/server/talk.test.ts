/** What a conversation of the server does when the process that holds it goes. */
import { expect, test } from 'vitest';
import { ensureDirectory } from '../../src/lib/files/durable-files.ts';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { Talk } from '../../src/server/sessions/talk.ts';
import { TalkProcesses } from '../../src/server/sessions/talk-process.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a message that its process never got goes to the next process', async () => {
  const log: string[] = [];
  const channels = [null, { send: async () => ({ how: 'taken', message: 2 }) }];
  const feed = { wake: () => {}, connected: async () => channels.shift() ?? null };
  const processes = {
    mustWork: () => {},
    held: async () => log.push('held'),
    left: async () => log.push('left'),
  };
  const talk = new Talk(
    { processes, feed: () => feed } as never,
    { id: 'a', workspace: '/w' },
    '5.1',
  );
  expect(await talk.chat('Go on')).toBe(2);
  expect(log).toEqual(['held', 'left', 'held']);
  await expect(talk.chat('And more')).rejects.toThrow('The conversation is being given up.');
});

test.each([
  ['is switched by a message of its own', 'new', ['/model new']],
  ['stays where it is that one', 'ollama/old', []],
  ['stays where its name is given alone', 'old', []],
])('the model that a second opening names, while the first works, %s', async (_, model, sent) => {
  const commands: string[] = [];
  const notes: object[] = [];
  const fs = new MemoryFileSystem();
  for (const folder of ['/w', '/data']) ensureDirectory(fs, folder);
  let launched = 0;
  const processes = new TalkProcesses({
    ...{ fs, roots: ['/w'], dataFolder: '/data', live: { all: () => notes } },
    ...{ clock: { monotonic: () => 0, sleep: turn }, launch: () => (launched += 1) },
  } as never);
  const following = {
    send: async ({ text }: { text: string }) => ({ how: 'taken', said: commands.push(text) }),
  };
  const feed = { wake: () => {}, connected: async () => following };
  const state = () => ({ settings: { provider: 'ollama', model: 'old' } });
  const parts = { processes, feed: () => feed, state } as never;
  const talk = new Talk(parts, { id: 'a', workspace: '/w' }, '0.0');
  const both = Promise.all([talk.open('ollama/old'), talk.open(model)]);
  await turn();
  notes.push({ run: 'a', workspace: '/w', address: 'x' });
  await both;
  expect([launched, commands]).toEqual([1, sent]);
  await talk.open(model);
  expect(commands).toEqual([...sent, ...sent]);
});

test('a model that whoever holds it cannot switch to now is refused', async () => {
  const why = 'A message is worked on.';
  const channel = { send: async () => ({ how: 'refused', why }) };
  const feed = { wake: () => {}, connected: async () => channel };
  const processes = { mustWork: () => {}, held: async () => false };
  const state = () => ({ settings: { provider: 'ollama', model: 'old' } });
  const parts = { processes, feed: () => feed, state } as never;
  const talk = new Talk(parts, { id: 'a', workspace: '/w' }, '0.0');
  await expect(talk.open('new')).rejects.toMatchObject({ code: 'E_BUSY', message: why });
});
