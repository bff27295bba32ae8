import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAMS } from '../../../src/languages/commands/programs.ts';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import type { ProcessOutcome, ProcessRequest } from '../../../src/processes/contract.ts';
import { type Programs, systemProcesses } from '../../../src/processes/system-processes.ts';
import { runCmdTool } from '../../../src/tools/builtin/run-cmd.ts';
import type { ToolContext } from '../../../src/tools/contract.ts';
import { makeWorkspace, type TestWorkspace, use } from '../support.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** The tool on real programs in a temporary workspace. */
function real(more: Partial<ToolContext> = {}, clock: Clock = systemClock) {
  const folder = makeWorkspace();
  const processes = systemProcesses({
    platform: process.platform,
    env: { ...process.env, PLANTED_API_KEY: 'leak' },
    workspace: folder.root,
    fs: nodeFileSystem,
    clock,
    identity: { host: 'here', boot: 'today', pidNamespace: '' },
    nodePath: process.execPath,
    trusted: [],
    known: PROGRAMS,
  });
  const workspace: TestWorkspace = {
    ...folder,
    context: { ...folder.context, processes, ...more },
  };
  const tool = runCmdTool({ programs: processes.programs });
  const run = (cmd: string, args: { stdin?: string; timeout_sec?: number; cwd?: string } = {}) =>
    use(tool, workspace, { cmd, ...args });
  return { workspace, run };
}

/** The tool on a scripted outcome: what was asked for comes back. */
function scripted(outcome: Partial<ProcessOutcome>, more: Partial<ToolContext> = {}) {
  const requests: ProcessRequest[] = [];
  const programs: Programs = {
    find: (program) =>
      Promise.resolve({
        kind: 'found',
        file: `/bin/${program}`,
        prefix: ['-3'],
        notice: 'ran another',
      }),
    environment: () => ({ ONLY: 'this' }),
  };
  const folder = makeWorkspace();
  const processes = {
    ...folder.context.processes,
    run: (request: ProcessRequest) => {
      requests.push(request);
      return Promise.resolve({
        kind: 'exited' as const,
        exitCode: 0,
        signal: null,
        output: 'hello\n',
        truncatedBytes: 0,
        durationMs: 5,
        ...outcome,
      });
    },
  };
  const workspace: TestWorkspace = {
    ...folder,
    context: { ...folder.context, processes, ...more },
  };
  const tool = runCmdTool({ programs });
  return { requests, run: (args: Record<string, unknown>) => use(tool, workspace, args) };
}

describe('run_cmd', () => {
  it('keeps of a flood what it is to keep, and looks at less', async () => {
    const { run } = real({ maxOutputBytes: 4 * 1024 * 1024 });
    const result = await run(
      'node -e "const x=Buffer.alloc(1<<20,120);let n=0;const go=()=>{while(n++<8)if(!process.stdout.write(x))return process.stdout.once(`drain`,go);console.log(`the end`)};console.log(`begin`);go()"',
    );
    expect(result).toMatchObject({ status: 'ok', facts: { exitCode: 0 } });
    expect(result.content.length).toBeLessThanOrEqual(4_000);
    const { fullContent = '', output = '' } = result;
    expect(fullContent.length).toBeGreaterThan(4 * 1024 * 1024);
    expect(fullContent.length).toBeLessThan(4.1 * 1024 * 1024);
    expect(fullContent.replaceAll(/x{1000}/g, '')).toMatch(
      /begin\nx*\n\[\.\.\. \d+ bytes left out \.\.\.\]\nx*the end$/,
    );
    expect(output.length).toBeLessThan(1.1 * 1024 * 1024);
    expect(result.facts?.printed?.truncated).toBe(true);
  });

  it.runIf(process.platform === 'linux')('tells of a daemon that it ended', async () => {
    const { workspace, run } = real();
    workspace.write(
      'daemon.cjs',
      `require('node:child_process').spawn('sleep', ['300'], { detached: true, stdio: 'ignore' }).unref();`,
    );
    const result = await run('node daemon.cjs');
    expect(result.content).toMatch(
      /^exit code 0\nit had left sleep running, which was ended with it\n/,
    );
  });

  it('works in a folder that it is given, and in no other place', async () => {
    const { run, workspace } = real();
    workspace.write('app/src/a.txt', 'x');
    fs.symlinkSync('app', path.join(workspace.root, 'link'));
    fs.mkdirSync(path.join(workspace.root, '.git'));
    const where = 'node -p process.cwd()';
    const inSrc = await run(where, { cwd: './app/src/' });
    expect(inSrc.output?.trim()).toBe(path.join(workspace.root, 'app', 'src'));
    expect((await run(where, { cwd: '.' })).output?.trim()).toBe(workspace.root);
    const refusals = [
      ['/etc', 'absolute'],
      ['../x', 'leads out'],
      ['nowhere', 'no folder'],
      ['app/src/a.txt', 'no folder'],
      ['link', 'name the folder itself, app'],
      ['.git', 'No command works in .git'],
    ] as const;
    for (const [cwd, words] of refusals) {
      const refused = await run(where, { cwd });
      expect(refused).toMatchObject({ facts: { notStarted: true } });
      expect(refused.content).toContain(words);
    }
  });

  it('says the exit code first, then what was printed, and keeps facts', async () => {
    const { run, workspace } = real();
    workspace.write('a.mjs', `console.log('hello'); console.error('oops'); process.exitCode = 3;`);
    const result = await run('node a.mjs');
    expect(result.status).toBe('error');
    expect(result.content).toMatch(/^exit code 3\n(?:hello\noops|oops\nhello)$/);
    expect(result.facts).toMatchObject({ exitCode: 3 });
  });

  it('runs in the workspace', async () => {
    const { run, workspace } = real();
    workspace.write(
      'a.mjs',
      `import fs from 'node:fs'; fs.writeFileSync('made.txt', 'x'); console.log('ok');`,
    );
    const result = await run('node a.mjs');
    expect(result).toMatchObject({
      status: 'ok',
      content: 'exit code 0\nok',
    });
    expect(workspace.read('made.txt')).toBe('x');
  });

  it('keeps the keys of the user away from the program', async () => {
    const { run } = real();
    const result = await run(`node -e "console.log(JSON.stringify(process.env))"`);
    expect(result.content).toContain('"TERM":"dumb"');
    expect(result.content).not.toContain('leak');
  });

  it('ends the last line of stdin', async () => {
    const { run } = real();
    const script = `node -e "process.stdin.on('data', (d) => console.log(JSON.stringify(String(d))))"`;
    expect((await run(script, { stdin: '1\n2' })).content).toContain('"1\\n2\\n"');
    expect((await run(script, { stdin: '1\n' })).content).toContain('"1\\n"');
  });

  it('ends what takes too long and says so', async () => {
    const sleep: Clock['sleep'] = (ms, signal) => systemClock.sleep(ms === 1500 ? 1 : ms, signal);
    const { run } = real({}, { ...systemClock, sleep });
    const result = await run('node -e "setInterval(() => {}, 1000)"', {
      timeout_sec: 1.5,
    });
    expect(result.status).toBe('timeout');
    expect(result.content).toContain('timed out after 1.5 s');
    expect(result.content).toContain('Hint: It did not end within');
    expect(result.facts).toMatchObject({ exitCode: null });
  });

  it('takes colours and cursor movements out', async () => {
    const { run } = real();
    const result = await run(`node -e "process.stdout.write('\\u001b[31mred\\u001b[0m\\n')"`);
    expect(result.content).toBe('exit code 0\nred');
  });

  it.each([
    ['python a.py | cat', 'one program at a time'],
    ['', 'empty'],
  ])('refuses %j before anything starts', async (cmd, text) => {
    const { run } = real();
    const result = await run(cmd);
    expect(result.status).toBe('error');
    expect(result.content).toContain(text);
  });

  it('says when a program is not there', async () => {
    const { run } = real();
    const result = await run('no-such-program x');
    expect(result.status).toBe('error');
    expect(result.content).toContain('There is no program no-such-program');
  });

  it('names the tool that does what a program that is not there would do', async () => {
    const { run } = real({ insteadOf: (name) => (name === 'no-such-dir' ? 'Use list_dir.' : '') });
    const said = 'There is no program no-such-dir on this machine';
    expect((await run('no-such-dir /b')).content).toMatch(RegExp(`^${said} .* Use list_dir\\.$`));
    expect((await run('no-such-program')).content).toContain('Check the spelling');
  });

  it('does not call a program failed that still serves when its time is over', async () => {
    const output = 'Listening on 8000\n';
    const ended = { kind: 'timeout' as const, exitCode: null, output };
    const serving = await scripted({ ...ended, isServing: true }).run({ cmd: 'python a.py' });
    expect(serving).toMatchObject({ status: 'ok', facts: { exitCode: null } });
    expect(serving.content).toContain('still serving after 120 s');
    expect(serving.content).not.toContain('Hint');
    const waiting = await scripted(ended).run({ cmd: 'python a.py' });
    expect(waiting.status).toBe('timeout');
  });

  it('passes prefix, notice, environment and limits on', async () => {
    const { run, requests } = scripted({});
    const result = await run({ cmd: 'python a.py x', timeout_sec: 7 });
    expect(requests[0]).toMatchObject({
      file: '/bin/python',
      args: ['-3', 'a.py', 'x'],
      env: { ONLY: 'this' },
      timeoutMs: 7000,
    });
    expect(requests[0]).not.toHaveProperty('stdin');
    expect(result.content).toBe('ran another\nexit code 0\nhello');
  });

  it('gives 120 seconds where nothing else is said, and refuses nonsense', async () => {
    const { run, requests } = scripted({});
    await run({ cmd: 'python a.py' });
    expect(requests[0]?.timeoutMs).toBe(120_000);
    await expect(run({ cmd: 'python a.py', timeout_sec: 0 })).rejects.toThrow();
  });

  it('cuts a long output in the middle for the model and keeps the rest for the record', async () => {
    const output = `FIRST\n${'line\n'.repeat(5000)}LAST\n`;
    const { run } = scripted({ output }, { maxResultChars: 1000 });
    const result = await run({ cmd: 'python a.py' });
    expect(result.content.length).toBeLessThanOrEqual(1000);
    expect(result.content).toMatch(/FIRST[\s\S]*left out[\s\S]*LAST/);
    expect(result.fullContent).toContain(output.trimEnd());
  });

  it('gives what was printed apart from its own words, whatever that begins and ends with', async () => {
    const output = 'exit code 3\nall fine\nHint: buy milk\n';
    expect(await scripted({ output }).run({ cmd: 'python a.py' })).toMatchObject({
      status: 'ok',
      content: `ran another\nexit code 0\n${output.trimEnd()}`,
      output,
      ending: 'ran another\nexit code 0',
    });
    const late = await scripted({ kind: 'timeout', exitCode: null }).run({ cmd: 'python a.py' });
    expect(late.content).toContain(`\nHint: ${late.hint}`);
  });

  it.each([
    [{ kind: 'cancelled' as const, exitCode: null }, 'cancelled', 'cancelled; it was ended'],
    [
      { kind: 'spawn_failed' as const, exitCode: null, error: 'no memory' },
      'error',
      'could not be started: no memory',
    ],
    [{ exitCode: null, signal: 'SIGSEGV' }, 'error', 'ended by signal SIGSEGV'],
  ])('tells %j apart', async (outcome, status, text) => {
    const result = await scripted(outcome).run({ cmd: 'python a.py' });
    expect(result.status).toBe(status);
    expect(result.content).toContain(text);
  });
});

describe.skipIf(!hasPython)('run_cmd with Python', () => {
  it('notices a program that asks for input, shows its question, and runs with the answer', async () => {
    const { run, workspace } = real();
    workspace.write('game.py', 'name = input("Your name: ")\nprint("Hi", name)\n');
    const first = await run('python3 game.py');
    expect(first.status).toBe('error');
    expect(first.facts?.asksForInput).toBe('Your name:');
    expect(first.content).toContain('Hint: The program asks for input.');
    const second = await run('python3 game.py', { stdin: 'Ada' });
    expect(second).toMatchObject({ status: 'ok', content: 'exit code 0\nYour name: Hi Ada' });
    expect(second.facts).not.toHaveProperty('asksForInput');
  });

  it('prints UTF-8 and leaves no bytecode behind', async () => {
    const { run, workspace } = real();
    workspace.write('m.py', 'X = "grün ✓"\n');
    workspace.write('main.py', 'import m\nprint(m.X)\n');
    expect(await run('python3 main.py')).toMatchObject({
      content: 'exit code 0\ngrün ✓',
    });
    expect(workspace.exists('__pycache__')).toBe(false);
  });

  it('keeps what was printed before a violent end', async () => {
    const { run, workspace } = real();
    workspace.write('end.py', 'import os\nprint("before")\nos.kill(os.getpid(), 9)\n');
    const result = await run('python3 end.py');
    expect(result).toMatchObject({ status: 'error', facts: { exitCode: null } });
    expect(result.content).toContain('before');
  });
});
