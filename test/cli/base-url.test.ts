/** The address a run was given stays with the run, and with the model it was given for. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createEngine } from '../../src/host/create-engine.ts';
import { modelForRun } from '../../src/host/models/model-spec.ts';
import type { RunState } from '../../src/schema/state.ts';
import { startFakeOllama } from '../support/fake-ollama.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import { openAiError } from '../support/fake-openai-bodies.ts';
import { runIn } from '../support/run-in.ts';
import { SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';
import { fakeTerminal, runState } from './support.ts';

const LIST = { object: 'list', data: [{ id: 'm', object: 'model' }] };
const KEY = { OPENAI_API_KEY: 'key-0123456789-abcdef' };

let folder: string;
let server: FakeOpenAi;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tardigrade-url-'));
  const pages = Object.fromEntries(
    ['', '?api-version=7', '?api-version=7&code=hidden-1234'].map((query) => [
      `/v1/models${query}`,
      LIST,
    ]),
  );
  server = await startFakeOpenAi({ script: () => openAiError(401, 'no'), pages });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function agent(argv: readonly string[], env: Record<string, string> = KEY) {
  const terminal = fakeTerminal({ cwd: folder, env });
  const code = await main(argv, terminal, async () => createEngine(terminal));
  const stderr = terminal.stderr.text();
  return { code, stderr, told: stderr + terminal.stdout.text() };
}

const journal = (): string => readFileSync(join(folder, '.agent_context', 'history.jsonl'), 'utf8');

describe('the address given with --base-url', () => {
  test('is remembered without credentials, and a bare resume asks there again', async () => {
    const { host } = new URL(server.url);
    const url = `http://me:pass-word@${host}/v1?api-version=7&code=hidden-1234`;
    const first = await agent([
      'Say hello',
      '--json',
      '--debug',
      '--model',
      'openai/m',
      '--base-url',
      url,
    ]);
    expect(first.code).toBe(7);
    expect(journal()).toContain(`"baseUrl":"http://${host}/v1?api-version=7"`);
    expect(journal()).not.toMatch(/pass-word|hidden-1234|baseUrl.*baseUrl/s);
    expect(first.told).not.toMatch(/pass-word|hidden-1234/);
    expect(first.told).toContain('is used this time and stored nowhere');
    expect(first.told).toContain('set the whole address in OPENAI_BASE_URL, or the key in OPENAI');
    // The run keeps its address.
    expect(first.told).toMatch(/Resume: agent resume$/m);
    const asked = server.chats.length;
    const { code, stderr } = await agent(['resume']);
    expect(code).toBe(7);
    expect(stderr).toContain(
      `began with: http://${host}/v1?api-version=7. To use another: --base-url`,
    );
    expect(server.chats.length).toBeGreaterThan(asked);
    expect(server.requests.at(-1)).toBe('POST /v1/chat/completions?api-version=7');
    // Nothing changed, so the settings are not written a second time.
    expect(journal().match(/settings_changed/g)).toHaveLength(1);
  });

  test('so is the one given with --host, and another one may be typed', async () => {
    const ollama = await startFakeOllama({
      script: () => ({ error: { status: 401, body: '{"error":"no"}' } }),
    });
    try {
      const at = new URL(ollama.url).host;
      await agent(['Say hello', '--model', 'smollm2:135m', '--host', at], {});
      expect(journal()).toContain(`"baseUrl":"http://${at}"`);
      const asked = ollama.requests.length;
      const { stderr } = await agent(['resume'], {});
      expect(stderr).toContain(`began with: http://${at}. To use another: --host`);
      expect(ollama.requests.length).toBeGreaterThan(asked);
      expect((await agent(['status'], {})).told).toMatch(/Resume +agent resume$/m);
      const other = await agent(['resume', '--host', '127.0.0.1:9'], {});
      expect(other.stderr).not.toContain('began with');
    } finally {
      await ollama.close();
    }
  });

  test('is that of a fallback or of another part of the work, where the model has none', async () => {
    const host = ['--host', '127.0.0.1:9', '--model', 'openai/m'];
    const env = { ...KEY, OPENAI_BASE_URL: server.url };
    const refused = await agent(['Say hello', ...host], env);
    expect(refused.stderr).toContain('--host does not apply to openai.\n  Next: Leave it out, or');
    expect(server.chats).toEqual([]);
    for (const more of ['--fallback', '--plan-model']) {
      const words = ['Say hello', ...host, more, 'ollama/m', '--max-time', '1s'];
      const { stderr } = await agent(words, env);
      expect(stderr).not.toContain('does not apply');
    }
  });

  test.each([
    [['--host', 'http://me:pass-word-1234@127.0.0.1:1'], 'holds a name, a password or a key'],
    [['--host=http://127.0.0.1:1/x?key=pass-word-1234'], 'holds a name, a password or a key'],
    [['--base-url=http://me:pass-word-1234@127.0.0.1:1', '--model', 'ollama/m'], 'does not apply'],
    [
      ['--host', 'me:pass-word-1234@127.0.0.1:1', '--model', 'openai/m'],
      'does not apply to openai',
    ],
    [
      ['--base-url', 'ftp://me:pass-word-1234@host', '--model', 'openai/m'],
      'is not an http address',
    ],
  ])('is shown without credentials where it cannot be used: %j', async (options, words) => {
    const { code, told } = await agent(['Say hello', '--json', '--debug', ...options]);
    expect(code).toBeGreaterThan(1);
    expect(told).toContain(words);
    expect(told).not.toContain('pass-word');
  });

  test('is all that is remembered: one from the environment is not', async () => {
    const env = { ...KEY, OPENAI_BASE_URL: server.url };
    expect((await agent(['Say hello', '--model', 'openai/m'], env)).code).toBe(7);
    expect(server.chats.length).toBeGreaterThan(0);
    expect(journal()).not.toContain('baseUrl');
  });

  test('is not for a model that is named anew, and gives way to another one', () => {
    const settings: RunState['settings'] = {
      provider: 'openai',
      model: 'm',
      baseUrl: 'http://one/v1',
      digest: null,
      driver: 'free',
      numCtx: 4096,
      temperature: 0,
      seed: 0,
      mayChangeDriver: true,
      systemPrompt: '',
      tools: '[]',
      why: '',
    };
    const current = runState({ settings });
    const known = { provider: 'openai', model: 'm' };
    expect(modelForRun(null, null, current, '.')).toEqual({ ...known, baseUrl: 'http://one/v1' });
    expect(modelForRun('openai/m', null, current, '.')).toEqual(known);
    expect(modelForRun(null, null, current, '.', 'http://two/v1')).toEqual(known);
    expect(modelForRun(null, 'another goal', current, '.')).toEqual({
      provider: 'ollama',
      model: null,
    });
  });

  test('stays behind when the run moves to another provider', async () => {
    const fails = { fails: { kind: 'auth_failed' } } as const;
    const other = { ...scriptedProvider(() => fails), name: 'spare' };
    const { records } = await runIn(
      testWorld(),
      scriptedProvider(() => fails),
      {
        baseUrl: 'http://one/v1',
        fallbacks: [{ provider: other, model: SCRIPTED_MODEL, profile: 'default' }],
      },
    );
    const settings = records.filter((one) => one.type === 'settings_changed');
    expect(settings.map(({ provider, baseUrl }) => [provider, baseUrl])).toEqual([
      ['scripted', 'http://one/v1'],
      ['spare', undefined],
    ]);
  });
});
