/** Ctrl+C while a question of a conversation has the keys. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../../src/run/exit-codes.ts';
import type { Script } from '../../support/scripted-provider.ts';
import { chatFolder, left, ready, talk } from './talking.ts';

/** Nobody presses a key. */
const WAITING = { terminal: { keys: () => () => {} }, argv: ['chat', '-m', 'openai/first'] };

test('ends the message and leaves the question open', async () => {
  const call = { name: 'run_cmd', args: { cmd: 'curl http://127.0.0.1:9/' } };
  const script: Script = ({ messages }) => (messages.length < 3 ? { calls: [call] } : 'Hello.');
  const talking = await ready(script, WAITING);
  talking.say('get it');
  await talking.sees('Allow this?');
  talking.terminal.send('SIGINT');
  await talking.sees('(not answered)');
  talking.say('one');
  await talking.sees('Hello.');
  expect(await left(talking)).toBe(0);
});

test('leaves a conversation that is still being opened', async () => {
  const folder = chatFolder();
  const mcpServers = { files: { command: 'npx', args: ['-y', 'some-server'] } };
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }));
  const talking = talk(() => 'Hello.', { ...WAITING, folder });
  await talking.sees('some-server');
  talking.terminal.send('SIGINT');
  expect(await talking.ended).toBe(EXIT.achieved);
});
