/** No key leaves for where it does not belong: through the whole program, and a server that echoes. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createEngine } from '../../src/host/create-engine.ts';
import { openEmbedded } from '../../src/host/providers/embedded-model.ts';
import { dataFolderOf } from '../../src/host/user/user-folders.ts';
import { engineFolder, entryFile } from '../../src/llm/embedded/installed.ts';
import { SCRUBBED } from '../../src/llm/secrets/scrub.ts';
import { ggufFile } from '../llm/embedded/fake-engine.ts';
import { type FakeOpenAi, type OpenAiReply, startFakeOpenAi } from '../support/fake-openai.ts';
import { closing, DONE, midStream, openAiError, saying } from '../support/fake-openai-bodies.ts';
import { planJson } from '../support/models.ts';
import { fakeTerminal } from './support.ts';

const KEYS = {
  OPENAI_API_KEY: 'first-key-0123456789-abcdefghij',
  OPENAI_API_KEY_2: 'second-key-with-letters-only',
  ANTHROPIC_API_KEY: 'sk-ant-api03-9876543210-zyxwvu',
  OLLAMA_API_KEY: 'ollama.0123456789.abcdef',
  HF_TOKEN: 'hf_abcdefghijklmnopqrstuvwxyz',
};
const ECHO = Object.values(KEYS).join(' and ');

let folder: string;
let server: FakeOpenAi | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tardigrade-keys-'));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const filesBelow = (place: string): string[] =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));

async function agent(reply: OpenAiReply, pages: Record<string, unknown>, args: string[] = []) {
  server = await startFakeOpenAi({ script: () => reply, pages });
  const terminal = fakeTerminal({ cwd: folder, env: KEYS });
  const argv = ['Say hello', '--json', '--debug', '--model', 'openai/m', '--base-url', server.url];
  const code = await main([...argv, ...args], terminal, async () => createEngine(terminal));
  return { code, told: terminal.stdout.text() + terminal.stderr.text() };
}

const MODELS = { '/v1/models': { object: 'list', data: [{ id: 'm', object: 'model' }] } };
/** Far enough into the sentence that a limit on its length cuts a key in two. */
const CUT = `${'x'.repeat(378)} ${KEYS.ANTHROPIC_API_KEY}`;

describe('what a server echoes', () => {
  test.each<[string, OpenAiReply]>([
    ['in a refusal', openAiError(401, ECHO)],
    ['in a sentence that is cut in the middle of a key', openAiError(401, CUT)],
    ['in mid-stream', midStream({ error: { code: 401, message: ECHO } })],
  ])('%s reaches no file, no event and no screen', async (_, reply) => {
    const { code, told } = await agent(reply, MODELS, ['--record', 'turns.json']);
    expect(code).toBe(7);
    expect(server?.chats.length).toBeGreaterThan(1);
    const written = filesBelow(folder);
    expect(written.join('\n')).toContain('auth_failed');
    expect(written.join('\n')).toContain('[secret removed]');
    for (const key of Object.values(KEYS)) {
      for (const text of [told, ...written]) expect(text).not.toContain(key.slice(0, 16));
    }
  });

  test('in its answer reaches no file, no event, no screen and no later request', async () => {
    writeFileSync(join(folder, '.env'), `KEY=${KEYS.OPENAI_API_KEY_2}\n`);
    const plan = planJson({
      subtasks: [{ action: 'read_file', file: '.env', purpose: `find ${ECHO}` }],
      verify: { cmd: 'node hello.mjs', prints: KEYS.OPENAI_API_KEY },
    });
    const reply = { stream: [saying(plan), closing('stop'), DONE].join('') };
    const { told } = await agent(reply, MODELS, ['--max-rounds', '2', '--record', 'turns.json']);
    const kept = join(folder, '.env');
    const [journal = '', ...others] = filesBelow(folder).sort(
      (one, other) => other.length - one.length,
    );
    const sent = String(server?.chats.join('\n'));
    expect(sent).toContain(SCRUBBED);
    for (const text of [
      told,
      sent,
      journal,
      ...others.filter((one) => one !== readFileSync(kept, 'utf8')),
    ])
      for (const key of Object.values(KEYS)) expect(text).not.toContain(key.slice(0, 16));
    expect(readFileSync(kept, 'utf8')).toContain(KEYS.OPENAI_API_KEY_2);
  });

  test('before a run begins is shown without its keys', async () => {
    const { told } = await agent(openAiError(401, ECHO), { '/v1/models': openAiError(401, ECHO) });
    expect(told).toContain('[secret removed]');
    for (const key of Object.values(KEYS)) expect(told).not.toContain(key.slice(0, 16));
  });
});

/** Writes its whole environment down, then says that it failed. */
const CHILD = `
const { writeFileSync } = require('node:fs');
writeFileSync(process.env.TMPDIR + '/seen.json', JSON.stringify(process.env));
process.on('message', ({ id }) =>
  process.send({ type: 'failed', id, failure: 'turn_failed', message: 'no' }));
process.on('disconnect', () => process.exit());
`;

test('the embedded engine inherits what drivers look at, and no key', async () => {
  const env = { ...KEYS, TMPDIR: folder, XDG_DATA_HOME: folder, LOCALAPPDATA: folder };
  const settings = { HF_ENDPOINT: 'https://hub.example', CUDA_VISIBLE_DEVICES: '1' };
  const platform = process.platform === 'win32' ? 'win32' : 'linux';
  const system = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot };
  const terminal = fakeTerminal({
    cwd: folder,
    platform,
    env: { ...system, ...env, ...settings },
  });
  const engine = engineFolder(dataFolderOf(terminal), process.platform);
  const entry = entryFile(engine, process.platform);
  mkdirSync(dirname(entry), { recursive: true });
  writeFileSync(entry, '');
  writeFileSync(join(engine, 'installed.json'), '{}');
  writeFileSync(join(folder, 'embedded-child.js'), CHILD);
  const file = join(folder, 'model.gguf');
  writeFileSync(file, ggufFile('qwen2', 4096));
  const { signal } = new AbortController();
  const { provider } = await openEmbedded(
    { ...REQUEST, model: file, signal },
    { ...terminal, programFolder: folder },
  );
  const turn = async () => {
    for await (const _ of provider.stream(QUESTION, signal));
  };
  await expect(turn()).rejects.toThrow();
  await provider.close();
  const seen = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'));
  expect(seen).toMatchObject(settings);
  for (const name of Object.keys(KEYS)) expect(seen).not.toHaveProperty(name);
});

const REQUEST = { host: null, baseUrl: null, report: null };
const QUESTION = {
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  temperature: 0,
  seed: 0,
  contextWindow: 512,
  maxOutputTokens: 16,
} as const;
