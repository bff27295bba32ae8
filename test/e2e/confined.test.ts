/** The built `agent` with what a person's settings forbid, and with a sandbox around its commands. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { configFolderOf } from '../../src/host/user/user-folders.ts';
import { agentLab, recordsIn } from '../support/e2e-agent.ts';
import { type FakeOllama, type Reply, startFakeOllama } from '../support/fake-ollama.ts';
import { hasSandbox } from '../support/sandboxed.ts';

const lab = agentLab();
let server: FakeOllama | undefined;
afterEach(() => server?.close());

const MODEL = 'big:30b';
const called = (name: string, args: object): Reply => ({ toolCalls: [{ name, arguments: args }] });
const run = (cmd: string) => called('run_cmd', { cmd });
const PLAN = called('set_plan', {
  tasks: [{ description: 'do it', subtasks: [{ do: 'write a.txt', files: ['a.txt'] }] }],
});
const DONE = called('mark_subtask_complete', { success: true });

/** Answers with these in turn, and then that it is done; returns the words that reach it. */
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

test('what the settings of the user deny is denied, the end says so, and no option lifts it', async () => {
  const folder = lab.folder();
  const home = { HOME: `${folder}.home`, USERPROFILE: `${folder}.home` };
  const env = { ...home, XDG_CONFIG_HOME: `${folder}.config`, APPDATA: `${folder}.config` };
  const place = configFolderOf({ env, platform: process.platform });
  mkdirSync(place, { recursive: true });
  const permissions = { deny: ['node *', 'edit(secret/**)'] };
  writeFileSync(join(place, 'config.json'), JSON.stringify({ permissions }));
  writeFileSync(join(folder, 'made.mjs'), 'console.log("it ran");\n');
  const words = await modelSaying(
    PLAN,
    run('node made.mjs'),
    called('write_file', { path: 'secret/a.txt', content: 'x', create_dirs: true }),
    called('give_up', { reason: 'it is denied' }),
  );
  const allow = ['--allow', 'node *', '--allow', 'edit(secret/**)', '--yes'];
  const { exitCode, stdout, stderr } = await lab.here([...words, ...allow, 'Run it'], {
    in: folder,
    env,
  });
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(
    /^Goal failed after .*\nthe model gave up: it is denied\nNot done: 1.1 write a.txt \(node made.mjs and secret\/a.txt were refused\)\n$/,
  );
  expect(stderr).toContain('✗ node made.mjs: was refused');
  expect(stderr).toContain('✗ secret/a.txt: was refused');
  expect(existsSync(join(folder, 'secret'))).toBe(false);
  expect(server?.chats.at(-1)).toContain('A rule of the user holds it back: run_cmd(node *).');
  expect(server?.chats.at(-1)).toContain('A rule of the user holds it back: edit(secret/**).');
});

describe.skipIf(!hasSandbox)('with a sandbox', () => {
  test.each(['auto', 'require'])(
    '--sandbox %s confines a whole run, and the screen says so',
    async (mode) => {
      const folder = lab.folder();
      writeFileSync(join(folder, '.env'), 'KEY=planted\n');
      const words = await modelSaying(
        PLAN,
        called('write_file', { path: 'a.txt', content: 'hello\n' }),
        run(`node -e "console.log(require('fs').readFileSync('.env','utf8'))"`),
        run(`node -e "require('fs').writeFileSync('made.txt','x')"`),
      );
      const { exitCode, stdout, stderr } = await lab.agent(
        ['--sandbox', mode, ...words, 'Write a.txt'],
        { in: folder },
      );
      expect(exitCode).toBe(9);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^Allowed: .*; in a sandbox\.$/m);
      expect(stderr).toContain("EACCES: permission denied, open '.env'");
      expect(stderr).toMatch(/new +a\.txt 1 line, made\.txt 1 line \(by a command\)/);
      expect(recordsIn(folder, 'sandbox_looked')).toMatchObject([{ mode, holds: true }]);
      expect(readdirSync(folder).sort()).toEqual(['.agent_context', '.env', 'a.txt', 'made.txt']);
    },
  );

  test('a command ends with all that it started when a killed agent is resumed', async () => {
    const folder = lab.folder();
    const deaf = `process.on('SIGTERM',()=>{});require('fs').writeFileSync('child','x');setInterval(()=>{},1000)`;
    writeFileSync(join(folder, 'deaf.cjs'), deaf);
    const mark = `deaf-of-${process.pid}`;
    writeFileSync(
      join(folder, 'stay.cjs'),
      `require('child_process').spawn(process.execPath,['deaf.cjs','${mark}'],{detached:true,stdio:'ignore'});setInterval(()=>{},1000)`,
    );
    const words = await modelSaying(
      PLAN,
      run('node stay.cjs'),
      called('write_file', { path: 'a.txt', content: 'hello\n' }),
    );
    const args = ['--sandbox', 'require', ...words];
    const first = lab.start([...args, 'Write a.txt'], { in: folder });
    await expect.poll(() => existsSync(join(folder, 'child')), { timeout: 50_000 }).toBe(true);
    expect(runningWith(mark)).not.toEqual([]);
    await first.kill();
    // Not only by the next start, and nothing of the sandbox lies there.
    await expect.poll(() => runningWith(mark), { timeout: 20_000 }).toEqual([]);
    const names = ['.agent_context', 'child', 'deaf.cjs', 'stay.cjs'];
    expect(readdirSync(folder).sort()).toEqual(names);
    const { stderr } = await lab.agent(['resume', ...words.slice(0, 2)], { in: folder });
    expect(stderr).toContain('run node stay.cjs: interrupted; its outcome is unknown');
    expect(stderr).toContain('in a sandbox.');
    expect(runningWith(mark)).toEqual([]);
  });
});

/** Processes whose command line holds these words. */
const runningWith = (words: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(words));

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
