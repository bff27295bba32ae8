/** The command line in a clone that brings programs of its own under every name: none is started unasked. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createChatHost } from '../../src/host/chat-host.ts';
import { configFolderOf } from '../../src/host/user/user-folders.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { agentLab } from '../support/e2e-agent.ts';
import { type FakeOllama, type Reply, startFakeOllama } from '../support/fake-ollama.ts';
import { plant, ranIn } from '../support/planted.ts';
import { SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';

const lab = agentLab({ isEachStarted: true });
let server: FakeOllama | undefined;
afterEach(() => server?.close());

const MODEL = 'big:30b';
const called = (name: string, args: object): Reply => ({ toolCalls: [{ name, arguments: args }] });
const run = (cmd: string) => called('run_cmd', { cmd });
const DONE = called('mark_subtask_complete', { success: true });

async function modelSaying(...replies: readonly Reply[]): Promise<readonly string[]> {
  server = await startFakeOllama({
    models: [
      {
        ...{ name: MODEL, capabilities: ['completion', 'tools'], contextLength: 65_536 },
        ...{ parameterSize: '30B', family: 'qwen3' },
      },
    ],
    script: (_, n) => replies[n - 1] ?? DONE,
  });
  return ['--host', server.url, '--model', MODEL];
}

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
    encoding: 'utf8',
  });

let repository: string | null = null;

function clone(): string {
  repository ??= madeRepository();
  const folder = lab.folder();
  cpSync(repository, folder, { recursive: true });
  plant(folder);
  return folder;
}

function madeRepository(): string {
  const folder = lab.folder({ 'main.py': 'print(1)\n', '.gitignore': '.agent_context/\n' });
  git(folder, 'init', '-q');
  git(folder, 'config', 'user.name', 'A');
  git(folder, 'config', 'user.email', 'a@b.c');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'first');
  return folder;
}

const PLAN = called('set_plan', {
  tasks: [{ description: 'do it', subtasks: [{ do: 'change main.py', files: ['main.py'] }] }],
});

describe.skipIf(process.platform === 'win32')('of a clone that plants programs', () => {
  test('doctor starts none, and asks no module of the folder where a tool is not on PATH: python -m would take it from there', async () => {
    const folder = clone();
    for (const tool of ['pytest', 'ruff', 'pip'])
      writeFileSync(join(folder, `${tool}.py`), `open(${JSON.stringify(`${folder}.ran`)}, 'w')\n`);
    const bin = lab.folder({});
    const python = ['-c', 'import sys; print(sys.executable)'];
    const real = execFileSync('python3', python, { encoding: 'utf8' }).trim();
    symlinkSync(real, join(bin, 'python3'));
    const { stdout } = await lab.here(['doctor', '--verbose'], { in: folder, env: { PATH: bin } });
    expect(stdout).toContain(join(bin, 'python3'));
    expect(existsSync(`${folder}.ran`)).toBe(false);
  });

  test('a run that looks, writes, tests and ends starts none, and says in one line that PATH was used', async () => {
    const folder = clone();
    const words = await modelSaying(
      ...[PLAN, run('cat main.py'), run('git status'), run('ls')],
      ...[called('write_file', { path: 'main.py', content: 'print(2)\n' }), run('python main.py')],
      ...[run('pytest'), run('ruff check main.py')],
    );
    const { stderr } = await lab.here([...words, 'Change main.py'], { in: folder });
    expect(ranIn(folder)).toEqual([]);
    expect(stderr.match(/nobody has allowed the programs of \.venv \(/g)).toHaveLength(1);
    expect(server?.chats.join('\n')).toContain('python is that of PATH');
  });

  test('with --trust-programs those of its language run, the start says which, and no others', async () => {
    const folder = clone();
    const words = await modelSaying(PLAN, run('git status'), run('python main.py'), run('node -v'));
    const { stderr } = await lab.here(['--trust-programs', ...words, 'Look at main.py'], {
      in: folder,
    });
    expect(ranIn(folder)).toEqual(['.venv/bin/python main.py']);
    expect(stderr).toContain('Programs of this folder: .venv (mypy, pip, pytest, python');
  });

  test('chat --exec starts none', async () => {
    const folder = clone();
    const words = await modelSaying(run('ls'), run('git log'), run('python -V'), {
      content: 'Fine.',
    });
    const { stdout } = await lab.here(['chat', '--exec', 'look', ...words], { in: folder });
    expect(stdout).toContain('Fine.');
    expect(ranIn(folder)).toEqual([]);
  });

  test('/commit starts none', async () => {
    const folder = clone();
    const env = { ...process.env, HOME: `${folder}.home`, XDG_DATA_HOME: `${folder}.data` };
    const host = createChatHost({
      ...{ env, platform: process.platform, arch: process.arch, cwd: folder },
      ...{ nodePath: process.execPath, clock: systemClock, programFolder: folder },
    });
    const session = await host.open({
      ...{ workspace: folder, name: 'talk', model: SCRIPTED_MODEL },
      provider: scriptedProvider(() => 'Hello.'),
    });
    const { outcome } = await session.commit('second');
    await session.close();
    expect(outcome).toBe('committed');
    expect(git(folder, 'log', '--format=%s').trim().split('\n')).toEqual(['second', 'first']);
    expect(ranIn(folder)).toEqual([]);
  });

  test.each(['npx', 'docker'])(
    'the token of a server of tools that the user starts by %s is given to none',
    async (program) => {
      const folder = clone();
      const home = { HOME: `${folder}.home`, XDG_CONFIG_HOME: `${folder}.config` };
      const env = { ...home, GH_TOKEN: 'ghp_planted', npm_config_offline: 'true' };
      const place = configFolderOf({ env, platform: process.platform });
      mkdirSync(place, { recursive: true });
      const gh = {
        command: program,
        args: ['--version'],
        env: { TOKEN: ['$', '{GH_TOKEN}'].join('') },
      };
      writeFileSync(join(place, 'config.json'), JSON.stringify({ mcpServers: { gh } }));
      const words = await modelSaying(PLAN);
      await lab.here([...words, 'Look around'], { in: folder, env });
      expect(ranIn(folder)).toEqual([]);
      const given = `${folder}.ran.env`;
      expect(existsSync(given) && readFileSync(given, 'utf8')).toBe(false);
    },
  );

  test('nor do modules and packages of the clone get it that the program would take from its folder', async () => {
    const folder = clone();
    const seen = `${folder}.seen`;
    writeFileSync(
      join(folder, 'tokens.py'),
      `import os; open(${JSON.stringify(seen)}, 'w').write(os.environ['TOKEN'])\n`,
    );
    const home = lab.folder({});
    const env = { HOME: home, XDG_CONFIG_HOME: `${folder}.config`, GH_TOKEN: 'ghp_planted' };
    const place = configFolderOf({ env, platform: process.platform });
    mkdirSync(place, { recursive: true });
    const py = {
      ...{ command: 'python3', args: ['-m', 'tokens'] },
      env: { TOKEN: ['$', '{GH_TOKEN}'].join('') },
    };
    const settle = (entry: object): void =>
      writeFileSync(join(place, 'config.json'), JSON.stringify({ mcpServers: { py: entry } }));
    settle(py);
    const words = await modelSaying(PLAN);
    await lab.here([...words, 'Look around'], { in: folder, env });
    expect(existsSync(seen)).toBe(false);
    settle({ ...py, cwd: '.' });
    await lab.here([...words, 'Look again'], { in: folder, env });
    expect(readFileSync(seen, 'utf8')).toBe('ghp_planted');
  });

  test('what one run plants is started by no later one: not by its commands, not at its end', async () => {
    const folder = clone();
    const first = await modelSaying(
      PLAN,
      run(
        `python3 -c "import os; os.makedirs('node_modules/.bin', exist_ok=True); f='node_modules/.bin/git'; open(f,'w').write('#!/bin/sh\\necho x >> ${folder}.ran\\n'); os.chmod(f, 0o755)"`,
      ),
    );
    await lab.here([...first, 'Do one'], { in: folder });
    await server?.close();
    const second = await modelSaying(
      PLAN,
      called('write_file', { path: 'main.py', content: 'print(3)\n' }),
      run('git status'),
    );
    await lab.here([...second, 'Do two'], { in: folder });
    expect(ranIn(folder)).toEqual([]);
  });
});
