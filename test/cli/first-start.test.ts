// The first start at a terminal: real settings files, a server behind the key, and a person who presses keys.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { QUIET_MS } from '../../src/cli/questions/quiet-keys.ts';
import { createEngine } from '../../src/host/create-engine.ts';
import { openModel } from '../../src/host/models/open-model.ts';
import { type FakeOllama, startFakeOllama } from '../support/fake-ollama.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import { configFolder, homeVariables } from '../support/user-home.ts';
import { fakeEngine, fakeTerminal } from './support.ts';

const KEY = 'sk-pasted-0123456789abcdef';

let home: string;
let cwd: string;
let openai: FakeOpenAi;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'first-home-'));
  cwd = mkdtempSync(join(tmpdir(), 'first-work-'));
  openai = await startFakeOpenAi({ apiKey: KEY });
});
afterEach(async () => {
  await openai.close();
  for (const folder of [home, cwd]) rmSync(folder, { recursive: true, force: true });
});

const file = (name: string): string => join(configFolder(home), name);
const settings = (value: unknown): void => {
  mkdirSync(configFolder(home), { recursive: true });
  writeFileSync(file('config.json'), typeof value === 'string' ? value : JSON.stringify(value));
};

interface Typing {
  /** What a person types at each question; left out: there is no terminal. */
  readonly typed?: readonly string[];
  readonly env?: { readonly [name: string]: string };
}

/** Nobody listens at that address. */
const NO_OLLAMA = 'http://127.0.0.1:9';

async function agent(argv: readonly string[], { typed, env = {} }: Typing = {}) {
  const isTerminal = typed !== undefined;
  const terminal = fakeTerminal({
    ...{ cwd, isTerminal, platform: process.platform },
    env: {
      ...{ ...homeVariables(home), NO_COLOR: '1' },
      ...{ OLLAMA_HOST: NO_OLLAMA, OPENAI_BASE_URL: openai.url, PATH: process.env.PATH ?? '' },
      ...env,
    },
  });
  const answers = [...(typed ?? [])];
  const keys = (listener: (key: string) => void) => {
    terminal.advance(QUIET_MS);
    queueMicrotask(() => listener(answers.shift() ?? ''));
    return () => {};
  };
  const engine = fakeEngine();
  const opened: string[] = [];
  const exitCode = await main(
    argv,
    isTerminal ? { ...terminal, keys } : terminal,
    async (accounts) => ({
      ...engine,
      openModel: async (request) => {
        const place = accounts === null ? terminal : { ...terminal, accounts };
        const one = await openModel(request, place);
        opened.push(`${request.choice.provider} ${one.model}`, one.provider.keys?.().at(-1) ?? '');
        return one;
      },
    }),
  );
  const [stdout, stderr] = [terminal.stdout.text(), terminal.stderr.text()];
  return { exitCode, stdout, stderr, opened, runs: engine.runs };
}

describe('a person who has chosen no model', () => {
  test('pastes a key: it is checked, kept for them alone, shown nowhere, and not asked for again', async () => {
    const first = await agent(['Write it'], { typed: ['2', '2', 'sk-wrong-000000\r', `${KEY}\r`] });
    expect(first.stderr).toContain('No model is chosen yet. What should do the work?');
    expect(first.stderr).toContain('Download qwen2.5-coder-1.5b, 1.1 GB: it runs on this machine');
    expect(first.stderr).toContain('Ollama does not answer at');
    expect(first.stderr.match(/Paste the key of OpenAI/g)).toHaveLength(2);
    expect(`${first.stdout}${first.stderr}`).not.toMatch(/sk-(wrong|pasted)/);
    expect(first.opened).toEqual(['openai gpt-5-mini', KEY]);
    expect(first.exitCode).toBe(0);
    expect(JSON.parse(readFileSync(file('keys.json'), 'utf8'))).toEqual({ openai: KEY });
    expect(JSON.parse(readFileSync(file('config.json'), 'utf8'))).toEqual({
      model: 'openai/gpt-5-mini',
    });
    if (process.platform !== 'win32') expect(statSync(file('keys.json')).mode & 0o777).toBe(0o600);
    const later = await agent(['Write more'], { typed: [] });
    expect(later.stderr).not.toContain('No model is chosen');
    expect(later.opened).toEqual(['openai gpt-5-mini', KEY]);
    const shown = await agent(['config']);
    expect(shown.stdout).toContain('providers.openai.apiKey');
    expect(shown.stdout).not.toContain(KEY);
  });

  test('is offered the key that is there, and what stands in their settings stays', async () => {
    settings('{\n  // Mine.\n  "toolMode": "json",\n}\n');
    const { stderr, opened } = await agent(['Write it'], {
      typed: ['1'],
      env: { OPENAI_API_KEY: KEY },
    });
    expect(stderr).toContain('1  OpenAI: gpt-5-mini, with the key in OPENAI_API_KEY');
    expect(opened).toEqual(['openai gpt-5-mini', KEY]);
    expect(readFileSync(file('config.json'), 'utf8')).toBe(
      '{\n  // Mine.\n  "toolMode": "json",\n  "model": "openai/gpt-5-mini",\n}\n',
    );
  });

  test('says no: nothing is kept and the error names what to do', async () => {
    const { exitCode, stderr } = await agent(['Write it'], { typed: ['\r'] });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('No model was chosen.');
    expect(stderr).toContain('--model');
    expect(() => statSync(configFolder(home))).toThrow();
  });

  test('without a terminal gets the error, and nothing is asked', async () => {
    const { exitCode, stderr } = await agent(['Write it']);
    expect(exitCode).toBe(7);
    expect(stderr).toContain('Ollama does not answer at');
    expect(stderr).not.toContain('No model is chosen');
  });
});

describe('models on a server of their own', () => {
  let ollama: FakeOllama;
  beforeEach(async () => {
    ollama = await startFakeOllama();
  });
  afterEach(() => ollama.close());

  test('are used without a question; beside a key they are one of the choices', async () => {
    const env = { OLLAMA_HOST: ollama.url };
    const alone = await agent(['Write it'], { typed: [], env });
    expect(alone.stderr).not.toContain('No model is chosen');
    expect(alone.opened[0]).toMatch(/^ollama /);
    const both = await agent(['Write it'], { typed: ['1'], env: { ...env, OPENAI_API_KEY: KEY } });
    expect(both.stderr).toMatch(/1 {2}Ollama: \S+, on http/);
    expect(both.opened[0]).toBe(alone.opened[0]);
  });
});

describe('a key that a program prints', () => {
  const print = (code: string) => ({
    providers: { openai: { apiKeyCommand: [process.execPath, '-e', code] } },
    model: 'openai/gpt-5-mini',
  });

  test('is asked for where a model is opened, with nothing of its own shown', async () => {
    settings(print(`process.stdout.write('${KEY}\\n' + (process.env.OPENAI_API_KEY ?? ''))`));
    const { opened, exitCode } = await agent(['Write it']);
    expect(opened).toEqual(['openai gpt-5-mini', KEY]);
    expect(exitCode).toBe(0);
    settings(print("throw new Error('not to be run')"));
    expect((await agent(['config'])).exitCode).toBe(0);
    const own = await agent(['Write it'], { env: { OPENAI_API_KEY: KEY } });
    expect(own.opened).toEqual(['openai gpt-5-mini', KEY]);
  });

  test.each([
    ['process.exit(3)', 'ended with 3'],
    ["process.stderr.write('locked'); process.exit(1)", 'ended with 1: locked'],
    ['', 'printed nothing'],
    ["console.log('two words')", 'printed more than one word'],
  ])('that fails is named: %s', async (code, why) => {
    settings(print(code));
    const { exitCode, stderr } = await agent(['Write it']);
    expect(exitCode).toBe(7);
    expect(stderr.replace(/\s+/g, ' ')).toContain('providers.openai.apiKeyCommand');
    expect(stderr.replace(/\s+/g, ' ')).toContain(why);
    expect(stderr).not.toContain('two words');
  });

  test('is never named by a project, nor beside a key', async () => {
    writeFileSync(
      join(cwd, '.tardigrade.json'),
      JSON.stringify({ providers: print('').providers }),
    );
    const project = await agent(['Write it']);
    expect(project.exitCode).toBe(2);
    expect(project.stderr).toContain('A project may not set "providers"');
    rmSync(join(cwd, '.tardigrade.json'));
    settings({ providers: { openai: { apiKey: 'a', apiKeyCommand: ['b'] } } });
    expect((await agent(['Write it'])).stderr).toContain('the key stands in apiKey already');
  });
});

test.runIf(process.platform !== 'win32')(
  'keys that others on the machine may read are refused, with the one command that mends it',
  async () => {
    mkdirSync(configFolder(home), { recursive: true });
    writeFileSync(file('keys.json'), JSON.stringify({ openai: KEY }));
    for (const mode of [0o644, 0o640, 0o602]) {
      chmodSync(file('keys.json'), mode);
      const { exitCode, stderr, opened } = await agent(['Write it', '-m', 'openai/gpt-5-mini']);
      expect([exitCode, opened]).toEqual([2, []]);
      expect(stderr.replace(/\s+/g, ' ')).toContain(`(mode ${mode.toString(8)})`);
      expect(stderr.replace(/\s+/g, '')).toContain(`chmod600${file('keys.json')}`);
      expect(stderr).not.toContain(KEY);
    }
    chmodSync(file('keys.json'), 0o600);
    const { opened } = await agent(['Write it', '-m', 'openai/gpt-5-mini']);
    expect(opened).toEqual(['openai gpt-5-mini', KEY]);
  },
);

test('the doctor says what the next start would ask', async () => {
  const terminal = fakeTerminal({
    ...{ cwd, platform: process.platform },
    env: { ...homeVariables(home), OLLAMA_HOST: NO_OLLAMA, OPENAI_API_KEY: KEY },
  });
  await main(['doctor'], terminal, async () => createEngine(terminal));
  const text = terminal.stdout.text().replace(/\s+/g, ' ');
  expect(text).toContain('no model is chosen');
  expect(text).toContain('OpenAI: gpt-5-mini, with the key in OPENAI_API_KEY');
});

test('keys that lie in the folder that is worked in keep a run from starting there', async () => {
  mkdirSync(configFolder(home), { recursive: true });
  writeFileSync(file('keys.json'), JSON.stringify({ openai: KEY }), { mode: 0o600 });
  const { exitCode, stderr } = await agent(['Write it', '--workspace', home, '-m', 'openai']);
  expect(exitCode).toBe(2);
  expect(stderr.replace(/\s+/g, ' ')).toContain(
    'lie in the workspace, where a run could read them',
  );
});
