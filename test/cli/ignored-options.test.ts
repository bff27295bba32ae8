/** An option that a model does not take is said once to whoever gave it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createEngine } from '../../src/host/create-engine.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import { openAiError } from '../support/fake-openai-bodies.ts';
import { fakeTerminal } from './support.ts';

let folder: string;
let server: FakeOpenAi;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tardigrade-ignored-'));
  const data = ['gpt-5-mini', 'gpt-4o'].map((id) => ({ id, object: 'model' }));
  const pages = { '/v1/models': { object: 'list', data } };
  server = await startFakeOpenAi({ script: () => openAiError(401, 'no'), pages });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function told(model: string, ...options: readonly string[]): Promise<number> {
  return toldBy(['run', 'say hello'], model, options);
}

async function toldBy(
  command: readonly string[],
  model: string,
  options: readonly string[],
): Promise<number> {
  const env = { OPENAI_API_KEY: 'key-0123456789-abcdef', OPENAI_BASE_URL: server.url };
  const terminal = fakeTerminal({ cwd: folder, env });
  const argv = [...command, '--model', `openai/${model}`, ...options];
  await main(argv, terminal, async () => createEngine(terminal));
  expect(server.chats.length).toBeGreaterThan(0);
  return (
    terminal.stderr.text().split(`${model} does not support --temperature; it is ignored.`).length -
    1
  );
}

test('a model that thinks takes no temperature: one that was given is ignored, and that is said', async () => {
  expect(await told('gpt-5-mini', '--temperature', '0.7')).toBe(1);
  expect(server.chat(0)).not.toHaveProperty('temperature');
});

test('a conversation says it as well', async () => {
  expect(await toldBy(['--exec', 'Hi'], 'gpt-5-mini', ['--temp', '0.7'])).toBe(1);
  expect(await toldBy(['--exec', 'Hi'], 'gpt-5-mini', [])).toBe(0);
});

test('nothing is said where none was given, or where the model takes it', async () => {
  expect(await told('gpt-5-mini')).toBe(0);
  expect(await told('gpt-4o', '--temperature', '0.7', '--again')).toBe(0);
  expect(server.chat(-1)).toMatchObject({ temperature: 0.7 });
});
