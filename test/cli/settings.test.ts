import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { Engine } from '../../src/host/engine-port.ts';
import type { HostEnvironment } from '../../src/host/host-environment.ts';
import { configFolder, homeVariables } from '../support/user-home.ts';
import { type FakeEngine, fakeEngine, fakeTerminal, paused, runState } from './support.ts';

let cwd = '';
let home = '';
beforeEach(() => {
  cwd = mkdtempSync(`${tmpdir()}/settings-`);
  home = mkdtempSync(`${tmpdir()}/settings-home-`);
});
afterEach(() => {
  for (const folder of [cwd, home]) rmSync(folder, { recursive: true, force: true });
});

const userFile = () => join(configFolder(home), 'config.json');
function write(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
}
const user = (value: unknown) => write(userFile(), value);
const project = (value: unknown) => write(join(cwd, '.tardigrade.json'), value);

async function agent(argv: string[], engine: FakeEngine = fakeEngine(), env = {}) {
  const terminal = fakeTerminal({
    ...{ cwd, platform: process.platform },
    env: { ...homeVariables(home), NO_COLOR: '1', ...env },
  });
  let accounts: HostEnvironment['accounts'] | null = null;
  const requests: Parameters<Engine['openModel']>[0][] = [];
  const openModel: Engine['openModel'] = (request) => {
    requests.push(request);
    return engine.openModel(request);
  };
  const exitCode = await main(argv, terminal, async (told) => {
    accounts = told;
    return { ...engine, openModel };
  });
  const [stdout, stderr] = [terminal.stdout.text(), terminal.stderr.text()];
  return { exitCode, stdout, stderr, accounts, wish: requests[0], run: engine.runs[0] };
}

const settingsOf = (stdout: string) =>
  Object.fromEntries(
    (JSON.parse(stdout).settings as { key: string; value: unknown; origin: string }[]).map(
      ({ key, value, origin }) => [key, `${JSON.stringify(value)} ${origin}`],
    ),
  );

describe('what holds', () => {
  test('what was typed goes before the project’s file, that before the user’s, that before the default', async () => {
    user({
      model: 'mine:1b',
      toolMode: 'native',
      temperature: 0.5,
      effort: 'low',
      contextWindow: 5000,
      limits: { maxTime: '2h' },
      maxToolResultChars: 9000,
    });
    project({ toolMode: 'json', effort: 'high', contextWindow: 6000, fallbacks: ['other:2b'] });
    const { run, wish, exitCode, stderr } = await agent(['do it', '--effort', 'medium']);
    expect(stderr).not.toContain('Error');
    expect(exitCode).toBe(0);
    expect(wish?.choice).toEqual({ provider: 'ollama', model: 'mine:1b' });
    expect(wish?.fallbacks).toEqual([{ provider: 'ollama', model: 'other:2b' }]);
    expect(run).toMatchObject({
      toolMode: 'json',
      temperature: 0.5,
      effort: 'medium',
      contextWindow: 6000,
      maxTimeMs: 7_200_000,
      maxToolResultChars: 9000,
    });
  });

  test('the environment goes before both files', async () => {
    user({ model: 'mine:1b', providers: { openai: { apiKey: 'sk-of-the-file' } } });
    const { stdout } = await agent(['config', '--json'], undefined, {
      OLLAMA_MODEL: 'env:3b',
      OPENAI_API_KEY: 'sk-of-the-environment',
    });
    expect(settingsOf(stdout)).toMatchObject({
      model: '"env:3b" environment',
      'providers.openai.apiKey': '"***" environment',
    });
    const { wish } = await agent(['do it'], undefined, { OLLAMA_MODEL: 'env:3b' });
    expect(wish?.choice.model).toBeNull();
  });

  test('what is not set stands there too, with what sets it, and so does a provider of your own', async () => {
    user({
      providers: { work: { baseUrl: 'https://work.example/v1', apiKey: 'sk-of-work-0123' } },
    });
    const { stdout } = await agent(['config']);
    expect(stdout).toMatch(/^providers\.work\.baseUrl\thttps:\/\/work\.example\/v1\tuser /m);
    expect(stdout).toMatch(/^providers\.openai\.apiKey\t-\tnot set; OPENAI_API_KEY$/m);
    expect(stdout).toMatch(/^limits\.maxCost\t-\tnot set; --max-cost$/m);
    expect(stdout).toMatch(/^toolMode\tauto\tdefault; --tool-mode$/m);
    expect(stdout).toMatch(/^permissions\.allow\t-\tnot set; --allow$/m);
  });

  test('what was allowed always here is shown, each rule whole, and the file that keeps it to machines alone', async () => {
    const rule = `run_cmd(git commit -m ${'x'.repeat(70)} *)`;
    const kept = ['run_cmd(make *)', rule].map((one) => ({
      ...{ rule: one, folder: '/w', at: 1, file: '/data/rules/ab.json' },
    }));
    const engine = fakeEngine({ parts: { keptRules: () => kept } });
    const { stdout, stderr } = await agent(['config'], engine);
    expect(stdout).toMatch(/^permissions\.allow\trun_cmd\(make \*\)\tkept$/m);
    expect(stdout).toContain(`${rule}\tkept\n`);
    expect((await agent(['config', '--json'], engine)).stdout).toContain('/data/rules/ab.json');
    expect(stderr).toContain('To be asked again: agent config --forget RULE');
    expect((await agent(['config'])).stderr).not.toContain('--forget');
  });

  test('what was allowed always here is taken back as it is typed, and what is not kept is an error', async () => {
    const kept = ['run_cmd(make *)', 'run_cmd(npm ci)'].map((rule) => ({
      ...{ rule, folder: '/w', at: 1, file: '/data/rules/ab.json' },
    }));
    const forgotten: string[] = [];
    const forgetRule = (_: string, rule: string) => forgotten.push(rule) > 0;
    const engine = fakeEngine({ parts: { keptRules: () => kept, forgetRule } });
    const { stdout, stderr } = await agent(['config', '--forget', 'make'], engine);
    expect(stdout).toBe('Taken back: every command that begins with make.\n');
    expect(stderr).toContain('may hold it until they end');
    const wrong = await agent(['config', '--forget', 'npm ci', '--forget', 'rm'], engine);
    expect(wrong.stderr).toContain('The rule "rm" is not kept for this folder.');
    expect(wrong.stderr).toContain('Name one of these: make, npm ci.');
    expect(forgotten).toEqual(['run_cmd(make *)']);
    const gone = fakeEngine({ parts: { keptRules: () => kept, forgetRule: () => false } });
    expect((await agent(['config', '--forget', 'make'], gone)).stderr).toContain('is not kept');
  });

  test('a run that goes on keeps what it began with; limits count anew', async () => {
    user({ model: 'mine:1b', toolMode: 'json', effort: 'low', limits: { maxRounds: 7 } });
    const settings = { provider: 'ollama', model: 'begun:4b' } as never;
    const { run, wish } = await agent(['resume'], fakeEngine({ current: runState({ settings }) }));
    expect(wish?.choice.model).toBe('begun:4b');
    expect(run?.maxRounds).toBe(7);
    for (const name of ['effort', 'toolMode']) expect(run).not.toHaveProperty(name);
    const anew = fakeEngine({ current: runState({ settings }) });
    const goal = runState().goal;
    expect((await agent([goal, '--again'], anew)).run).toMatchObject({ toolMode: 'json' });
  });

  test('a project’s limits count where they are lower, and what is typed goes before them', async () => {
    user({ limits: { maxRounds: 30, maxTokens: 1000, maxCost: 1 } });
    project({ limits: { maxRounds: 5, maxTokens: 5000, maxTime: '1h' } });
    const { run } = await agent(['do it']);
    expect(run).toMatchObject({ maxRounds: 5, maxTokens: 1000, maxCost: 1, maxTimeMs: 3_600_000 });
    expect((await agent(['do it', '--max-rounds', '40'])).run?.maxRounds).toBe(40);
  });

  test('the way back names what was typed, and of a file only the limit that was reached', async () => {
    user({ model: 'mine:1b', fallbacks: ['other:2b'], limits: { maxTokens: 1000, maxTime: '1h' } });
    const end = { ...paused('limit_tokens'), option: 'maxTokens', optionValue: '2000' } as const;
    const { stderr } = await agent(['do it'], fakeEngine({ result: end }));
    expect(stderr).toContain('agent resume --max-tokens 2000\n');
    const other = join(home, 'other.json');
    write(other, {});
    const named = await agent(['do it', '--config', other], fakeEngine({ result: end }));
    expect(named.stderr).toContain(`agent resume --max-tokens 2000 --config ${other}`);
  });

  test('--config stands in the place of the user’s file, and has to be there', async () => {
    user({ temperature: 0.5 });
    write(join(cwd, 'mine.json'), { temperature: 0.7 });
    expect((await agent(['do it', '--config', 'mine.json'])).run?.temperature).toBe(0.7);
    const none = await agent(['do it', '--config', 'none.json']);
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toMatch(/There is no settings file .*none\.json\.\n.*Check the path/);
  });

  test('instruction files are told unless an option or a file says no', async () => {
    expect((await agent(['do it'])).run).not.toHaveProperty('instructions');
    user({ instructions: ['TEAM.md'] });
    expect((await agent(['do it'])).run?.instructions).toEqual(['TEAM.md']);
    expect((await agent(['do it', '--no-instructions'])).run?.instructions).toBe(false);
  });

  test('rules reach the run as they stand, each on its side', async () => {
    user({ permissions: { allow: ['run_cmd(git commit *)'], deny: ['curl'] } });
    project({ permissions: { ask: ['edit(docs/**)'] } });
    expect((await agent(['do it'])).run?.rules).toEqual({
      user: { allow: ['run_cmd(git commit *)'], deny: ['curl'] },
      project: { ask: ['edit(docs/**)'] },
    });
  });
});

describe('keys and addresses', () => {
  test('come from the user’s file with variables filled in, and are shown nowhere', async () => {
    user({
      providers: {
        openai: {
          apiKey: `\${MINE}`,
          baseUrl: 'http://me:hunter22hunter@gate:1/v1',
          headers: { 'X-A': 'tok-123456789' },
        },
      },
      profiles: [{ id: 'second', provider: 'openai', apiKey: 'sk-second-123456' }],
    });
    const env = { MINE: 'sk-first-1234567' };
    const { accounts } = await agent(['do it'], undefined, env);
    expect(accounts).toMatchObject({
      providers: { openai: { apiKey: 'sk-first-1234567' } },
      profiles: [{ id: 'second', apiKey: 'sk-second-123456' }],
    });
    for (const argv of [['config'], ['config', '--json']]) {
      const { stdout, exitCode } = await agent(argv, undefined, env);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('***');
      expect(stdout).not.toMatch(/sk-first|sk-second|hunter22|tok-123/);
    }
  });

  test('a key of the file does not leave by what an engine says', async () => {
    user({ providers: { openai: { apiKey: 'sk-first-1234567' } } });
    const failing = fakeEngine({ failure: new Error('refused sk-first-1234567') });
    const { stderr } = await agent(['do it', '--debug'], failing);
    expect(stderr).toContain('refused');
    expect(stderr).not.toContain('sk-first-1234567');
  });

  test('a variable that is not set is named with the setting and its line', async () => {
    user(`{"providers": {\n"openai": {"apiKey": "\${NOT_SET}"}}}`);
    const { exitCode, stderr } = await agent(['do it']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `${userFile()}:2: providers.openai.apiKey: the environment variable NOT_SET is not set.`,
    );
  });
});

describe('a file that cannot be used', () => {
  test('stops what would use it, and nothing else', async () => {
    user('{"modle": 1}');
    for (const command of ['run', 'resume', 'doctor', 'models', 'config'])
      expect((await agent(command === 'run' ? ['do it'] : [command])).exitCode, command).toBe(2);
    for (const command of ['status', 'plan', 'runs', 'history'])
      expect((await agent([command])).exitCode, command).toBe(0);
    expect((await agent(['do it'], undefined, { TARDIGRADE_NO_CONFIG: '1' })).exitCode).toBe(0);
  });

  test.each([
    ['too large', `{"model": "${'x'.repeat(300_000)}"}`, 'more than 256 KB'],
    ['no text', Buffer.from([0x7b, 0xff, 0x7d]), 'not UTF-8'],
  ])('%s', async (_what, content, expected) => {
    mkdirSync(dirname(userFile()), { recursive: true });
    writeFileSync(userFile(), content);
    const { exitCode, stderr } = await agent(['do it']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(expected);
  });

  test('a project’s file is no link and no folder', async () => {
    write(join(home, 'elsewhere.json'), {});
    symlinkSync(join(home, 'elsewhere.json'), join(cwd, '.tardigrade.json'));
    expect((await agent(['do it'])).stderr).toContain('it is not a plain file');
    rmSync(join(cwd, '.tardigrade.json'));
    mkdirSync(join(cwd, '.tardigrade.json'));
    expect((await agent(['do it'])).stderr).toContain('it is not a plain file');
  });

  test('settings that a run could change are not used by it', async () => {
    user({ temperature: 0.5 });
    const { exitCode, stderr } = await agent(['do it', '--workspace', home]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('lie in the workspace');
    expect((await agent(['status', '--workspace', home])).exitCode).toBe(0);
    expect((await agent(['config', '--workspace', home])).exitCode).toBe(0);
    symlinkSync(home, join(cwd, 'link'));
    const linked = await agent(['do it'], undefined, homeVariables(join(cwd, 'link')));
    expect(linked.exitCode).toBe(0);
    const within = await agent(['do it', '--workspace', join(cwd, 'link')]);
    expect(within.exitCode).toBe(2);
  });

  test('a sandbox is what was typed; else a project may only ask for more of it', async () => {
    expect((await agent(['do it'])).run).not.toHaveProperty('sandbox');
    user({ sandbox: 'auto' });
    expect((await agent(['do it'])).run).toMatchObject({ sandboxAtLeast: 'auto' });
    project({ sandbox: 'require' });
    const { run } = await agent(['do it']);
    expect(run).toMatchObject({ sandboxAtLeast: 'require' });
    expect(run).not.toHaveProperty('sandbox');
    expect((await agent(['do it', '--sandbox', 'off'])).run).toMatchObject({ sandbox: 'off' });
    const wrong = await agent(['do it', '--sandbox', 'on']);
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('auto, require')]);
    project({ sandbox: 'off' });
    expect(settingsOf((await agent(['config', '--json'])).stdout).sandbox).toBe('"auto" user');
  });
});
