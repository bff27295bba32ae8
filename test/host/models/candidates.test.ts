import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { resumeCommand } from '../../../src/cli/command-line/resume-command.ts';
import type { Accounts } from '../../../src/host/config/accounts.ts';
import type { OpenModelRequest } from '../../../src/host/engine-port.ts';
import { lazyProvider, openCandidates } from '../../../src/host/models/candidates.ts';
import type { OpenedModel } from '../../../src/host/providers/provider-row.ts';
import { history, memoryJournal, memoryWorkspace, runGoal } from '../../../src/index.ts';
import { TardigradeError } from '../../../src/lib/errors.ts';
import { nameOf } from '../../../src/llm/failover/candidate.ts';
import type { Provider } from '../../../src/llm/provider.ts';
import { optionsFromFlags } from '../../../src/options/read.ts';
import { chooseFromCandidates } from '../../../src/run/start/choose-model.ts';
import { fakeTerminal } from '../../cli/support.ts';
import { startFakeOllama } from '../../support/fake-ollama.ts';
import { startFakeOpenAi } from '../../support/fake-openai.ts';
import { saying } from '../../support/fake-openai-bodies.ts';
import { SCRIPTED_MODEL, scriptedProvider } from '../../support/scripted-provider.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function ollama() {
  const server = await startFakeOllama();
  closing.push(() => server.close());
  return server;
}

const LOCAL = { provider: 'ollama', model: 'qwen2.5-coder:1.5b' } as const;
const CLOUD = { provider: 'openai', model: 'gpt-5-mini' } as const;

async function open(
  changes: Partial<OpenModelRequest>,
  env: Record<string, string> = {},
  accounts?: Accounts,
) {
  const request: OpenModelRequest = {
    choice: LOCAL,
    host: null,
    baseUrl: null,
    report: null,
    signal: new AbortController().signal,
    ...changes,
  };
  const opened = await openCandidates(request, {
    ...fakeTerminal({ env }),
    ...(accounts === undefined ? {} : { accounts }),
  });
  closing.unshift(() => opened.provider.close());
  return opened;
}

const waysOf = ({ provider, model, profile = '', fallbacks = [] }: OpenedModel) =>
  [{ provider, model, profile }, ...fallbacks].map(nameOf);

const KEYS = {
  OPENAI_API_KEY: 'sk-one',
  OPENAI_API_KEY_2: 'sk-two',
  OPENAI_API_KEY_3: 'sk-three',
  OPENAI_API_KEY_5: 'sk-not-counted',
};

describe('who a run may ask', () => {
  it('is its model alone, unless more was said', async () => {
    const { url } = await ollama();
    const opened = await open({ host: url, fallbacks: [] });
    expect(opened.fallbacks).toBeUndefined();
    expect(opened.profile).toBeUndefined();
  });

  it('are its model, then each fallback with every key, named but never told', async () => {
    const { url } = await ollama();
    const opened = await open({ host: url, fallbacks: [CLOUD, LOCAL] }, KEYS);
    expect(waysOf(opened)).toEqual([
      { ...LOCAL, profile: 'default' },
      { ...CLOUD, profile: 'OPENAI_API_KEY' },
      { ...CLOUD, profile: 'OPENAI_API_KEY_2' },
      { ...CLOUD, profile: 'OPENAI_API_KEY_3' },
    ]);
    expect(JSON.stringify(waysOf(opened))).not.toContain('sk-');
  });

  it('are asked in their order when the model is not there, and the switch is an event', async () => {
    const server = await startFakeOllama();
    await server.close();
    const other = { provider: scriptedProvider(() => ''), model: SCRIPTED_MODEL, profile: 'mine' };
    const { provider, model, profile, fallbacks } = await open({
      host: server.url,
      fallbacks: [other],
    });
    const first = { provider, model, profile: profile ?? '' };
    const candidates = [first, ...(fallbacks ?? [])];
    expect(candidates.map(nameOf)).toEqual([{ ...LOCAL, profile: 'default' }, nameOf(other)]);
    const switched: unknown[] = [];
    const chosen = await chooseFromCandidates(null, {
      candidates,
      signal: new AbortController().signal,
      emit: (event) => switched.push(event),
    });
    expect(chosen.info.model).toBe(SCRIPTED_MODEL);
    expect(switched).toMatchObject([{ from: { provider: 'ollama' }, to: nameOf(other) }]);
  });

  it('is told at once that a fallback has no key', async () => {
    const { url } = await ollama();
    await expect(open({ host: url, fallbacks: [CLOUD] })).rejects.toThrow('OPENAI_API_KEY');
  });
});

describe('a fallback', () => {
  it('whose key a program prints is asked with it, and the key is kept out as that of the model is', async () => {
    const KEY = 'sk-printed-0123456789abcdef';
    const api = await startFakeOpenAi({
      apiKey: KEY,
      pages: { '/v1/models': { object: 'list', data: [{ id: 'gpt-5-mini', object: 'model' }] } },
      script: ({ messages }) => ({
        stream: saying(`You wrote to ${KEY}. ${String(messages.at(-1)?.content).length}`),
      }),
    });
    closing.push(() => api.close());
    const apiKeyCommand = [process.execPath, '-e', `console.log('${KEY}')`];
    const accounts = { providers: { openai: { apiKeyCommand, baseUrl: api.url } }, profiles: [] };
    const { url: host } = await ollama();
    const { fallbacks = [] } = await open(
      { host, fallbacks: [CLOUD] },
      { HOME: tmpdir() },
      accounts,
    );
    const [fallback] = fallbacks;
    if (fallback === undefined) throw new Error('no fallback');
    expect(fallback.provider.keys?.()).toEqual([]);
    const spare = { provider: scriptedProvider(() => ''), model: SCRIPTED_MODEL, profile: 'spare' };
    const journal = memoryJournal();
    const told: unknown[] = [];
    const world = memoryWorkspace();
    const result = await runGoal({
      // Opened, and its key known, only once the run has begun.
      ...{ ...world, journal, ...fallback, fallbacks: [spare] },
      goal: 'Say who I am',
      wants: 'answer',
      emit: (event) => told.push(event),
    });
    expect(api.chats.length).toBeGreaterThan(0);
    expect(fallback.provider.keys?.()).toContain(KEY);
    const records: unknown[] = [];
    for await (const record of history({ ...world, journal })) records.push(record);
    expect(JSON.stringify(records)).toContain('You wrote to [secret removed]');
    for (const kept of [result, records, told]) expect(JSON.stringify(kept)).not.toContain(KEY);
  });

  it('passes on what is known of it once it is open', async () => {
    const inner: Provider = {
      ...scriptedProvider(() => ''),
      ...{ keys: () => ['a key'], ignores: () => ['seed'], isFree: () => true },
    };
    const lazy = lazyProvider('embedded', async () => inner);
    const known = () => [lazy.keys?.(), lazy.ignores?.('m'), lazy.isFree?.('m')];
    expect(known()).toEqual([[], [], false]);
    await lazy.list(new AbortController().signal);
    expect(known()).toEqual([['a key'], ['seed'], true]);
  });

  it('is opened by its first question, and again when that failed', async () => {
    let tries = 0;
    const provider = lazyProvider('embedded', () => {
      tries += 1;
      throw new TardigradeError('E_USAGE', 'There is no engine.', 'Install it.');
    });
    expect(tries).toBe(0);
    for (const n of [1, 2]) {
      await expect(provider.describe('m', new AbortController().signal)).rejects.toMatchObject({
        status: { kind: 'model_error', retryable: false },
        hint: 'Install it.',
      });
      expect(tries).toBe(n);
    }
    await provider.close();
  });
});

describe('timeouts', () => {
  const given = (values: Record<string, string>) => {
    const words = Object.entries(values).map(([name, text]) => [`deadlines.${name}`, [text]]);
    return optionsFromFlags(Object.fromEntries(words));
  };

  it('are durations, and only those that were given', () => {
    expect(given({})).toEqual({});
    expect(
      given({
        connectMs: '5s',
        firstEventMs: '40m',
        idleMs: '90s',
        totalMs: '3h',
      }),
    ).toEqual({
      deadlines: { connectMs: 5000, firstEventMs: 2_400_000, idleMs: 90_000, totalMs: 10_800_000 },
    });
  });

  it('are refused by the name of their option', () => {
    expect(() => given({ idleMs: 'soon' })).toThrow('--silence-timeout');
  });

  it('and fallbacks are repeated in the command that resumes', () => {
    const words = {
      model: 'claude-sonnet-5-5',
      fallbacks: ['ollama/qwen2.5-coder:7b'],
      deadlines: { idleMs: 90_000 },
    };
    expect(resumeCommand(words, { program: 'agent', platform: 'linux' })).toBe(
      'agent resume --model claude-sonnet-5-5 --fallback ollama/qwen2.5-coder:7b --silence-timeout 90s',
    );
  });
});
