/** What a program in the sandbox can and cannot do: real programs, and what is outside looked at afterwards. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TardigradeError } from '../../../src/lib/errors.ts';
import { addressesOf } from '../../../src/processes/listening.ts';
import { operatingSystem } from '../../../src/processes/operating-system.ts';
import { realFolder, textIn } from '../../support/real-run.ts';
import { runIn } from '../../support/run-in.ts';
import { hasSandbox, machineWith, sandboxedIn } from '../../support/sandboxed.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

const GIVEN = {
  '.env': 'KEY=planted-in-env-file\n',
  'config/server.pem': 'planted-in-pem\n',
  'AGENTS.md': 'Be kind.\n',
  '.vscode/tasks.json': '{}\n',
  'notes.txt': 'plain\n',
  '.agent_context/history.jsonl': 'planted-in-state\n',
};

/** Tries each in turn and prints the names of those that went well. */
const trying = (tries: { readonly [name: string]: string }): string[] => [
  '-e',
  `const fs=require('node:fs');const went=[];
  ${Object.entries(tries)
    .map(([name, code]) => `try{${code};went.push(${JSON.stringify(name)})}catch{}`)
    .join('\n')}
  console.log(JSON.stringify(went));`,
];

describe.skipIf(!hasSandbox)('a program in the sandbox', () => {
  it('writes in the workspace and to places of its own, and nowhere else', async () => {
    const home = realFolder({ '.bashrc': 'mine\n', '.ssh/id_rsa': 'planted-in-home\n' });
    const outside = realFolder({ 'file.txt': 'theirs\n' });
    const workspace = realFolder(GIVEN);
    symlinkSync(outside, join(workspace, 'way-out'));
    execFileSync('git', ['init', '-q'], { cwd: workspace });
    const { run } = await sandboxedIn(workspace, machineWith({ ...process.env, HOME: home }));
    const write = (path: string) => `fs.writeFileSync(${JSON.stringify(path)},'x')`;
    const { output } = await run(
      'node',
      trying({
        'new file': write('made.txt'),
        'old file': write('notes.txt'),
        'own tmp': write(`/tmp/wall-of-${process.pid}`),
        'own home': write(join(home, 'x')),
        outside: write(join(outside, 'file.txt')),
        'by a link': write('way-out/file.txt'),
        'git config': write('.git/config'),
        'git hook': write('.git/hooks/post-commit'),
        state: write('.agent_context/history.jsonl'),
        answer: write('.agent_context/answers'),
        instructions: write('AGENTS.md'),
        'editor task': write('.vscode/tasks.json'),
        'folder moved': `fs.renameSync('.git','git')`,
        'instructions replaced': `fs.unlinkSync('AGENTS.md')`,
        etc: write('/etc/cron.d/x'),
        usr: write('/usr/local/bin/x'),
        root: write('/x'),
        core: `fs.writeFileSync('/proc/sys/kernel/core_pattern', fs.readFileSync('/proc/sys/kernel/core_pattern'))`,
      }),
    );
    expect(JSON.parse(output)).toEqual(['new file', 'old file', 'own tmp', 'own home']);
    expect(textIn(outside, 'file.txt')).toBe('theirs\n');
    expect([textIn(home, '.bashrc'), readdirSync(home).sort()]).toEqual([
      'mine\n',
      ['.bashrc', '.ssh'],
    ]);
    expect(textIn(workspace, 'AGENTS.md')).toBe(GIVEN['AGENTS.md']);
    expect(textIn(workspace, '.agent_context/history.jsonl')).toBe('planted-in-state\n');
    expect(readdirSync(join(workspace, '.git/hooks'))).not.toContain('post-commit');
    expect(existsSync(`/tmp/wall-of-${process.pid}`)).toBe(false);
  });

  it('reads nothing of the user’s but the workspace, and there nothing that may hold keys', async () => {
    const home = realFolder({
      '.ssh/id_rsa': 'planted',
      '.netrc': 'planted',
      'letter.txt': 'planted',
    });
    const outside = realFolder({ 'file.txt': 'planted' });
    const workspace = realFolder(GIVEN);
    const { run } = await sandboxedIn(workspace, machineWith({ ...process.env, HOME: home }));
    const read = (path: string) => `if(!String(fs.readFileSync(${JSON.stringify(path)})))throw 0`;
    const { output } = await run(
      'node',
      trying({
        notes: read('notes.txt'),
        instructions: read('AGENTS.md'),
        'secret file': read('.env'),
        key: read('config/server.pem'),
        state: read('.agent_context/history.jsonl'),
        home: read(join(home, '.ssh/id_rsa')),
        netrc: read(join(home, '.netrc')),
        letter: read(join(home, 'letter.txt')),
        outside: read(join(outside, 'file.txt')),
        shadow: read('/etc/shadow'),
        'our process': read(`/proc/${process.pid}/environ`),
        'a key in the environment': `if(!JSON.stringify(process.env).includes('planted'))throw 0`,
      }),
    );
    expect(JSON.parse(output)).toEqual(['notes', 'instructions']);
  });

  it('does not begin where a name that is not UTF-8 may hide keys', async () => {
    const workspace = realFolder(GIVEN);
    mkdirSync(Buffer.from(`${workspace}/caf\u00e9`, 'latin1'));
    writeFileSync(Buffer.from(`${workspace}/caf\u00e9/.env`, 'latin1'), 'KEY=planted\n');
    const { run } = await sandboxedIn(workspace);
    const ended = await run('node', ['-e', 'console.log(1)']);
    expect(ended).toMatchObject({ output: '' });
    expect(JSON.stringify(ended)).toContain('is not UTF-8');
  });

  it('reaches no network, not even this machine, and may talk to itself', async () => {
    const { run } = await sandboxedIn(realFolder());
    let callers = 0;
    const server = createServer((socket) => {
      callers += 1;
      socket.destroy();
    });
    onTestFinished(() => void server.close());
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    );
    const socket = join(realFolder(), 's');
    const local = createServer(() => {
      callers += 1;
    });
    onTestFinished(() => void local.close());
    await new Promise<void>((resolve) => local.listen(socket, () => resolve()));
    const { output } = await run('node', [
      '-e',
      `const net=require('node:net');const went=[];
      const call=(name,to)=>new Promise(r=>net.connect(to).on('connect',function(){went.push(name);this.destroy();r()}).on('error',r));
      const own=net.createServer(s=>s.end()).listen(0,'127.0.0.1',async()=>{
        await call('server',{port:${port},host:'127.0.0.1'});
        await call('socket',{path:${JSON.stringify(socket)}});
        await call('itself',{port:own.address().port,host:'127.0.0.1'});
        console.log(JSON.stringify(went));process.exit();
      });`,
    ]);
    expect(JSON.parse(output)).toEqual(['itself']);
    expect(callers).toBe(0);
  });

  it('cannot move the folders that hold what is hidden or held, and works in them', async () => {
    const workspace = realFolder({
      ...{ 'conf/sub/.env': 'planted', 'packages/a/AGENTS.md': 'mine\n', 'packages/a/x.txt': 'x' },
      'plain/x.txt': 'x',
    });
    const { run } = await sandboxedIn(workspace);
    const { output } = await run(
      'node',
      trying({
        'hidden away': `fs.renameSync('conf','__pycache__')`,
        'deeper hidden away': `fs.renameSync('conf/sub','conf/__pycache__')`,
        'held away': `fs.renameSync('packages/a','packages/b')`,
        'plain away': `fs.renameSync('plain','other')`,
        'work inside': `fs.renameSync('packages/a/x.txt','packages/a/y.txt')`,
        'new inside': `fs.writeFileSync('conf/sub/new.txt','x')`,
      }),
    );
    expect(JSON.parse(output)).toEqual(['plain away', 'work inside', 'new inside']);
    expect(textIn(workspace, 'packages/a/y.txt')).toBe('x');
    expect(textIn(workspace, 'conf/sub/new.txt')).toBe('x');
  });

  it('makes nothing that only a person may allow: it is put aside, and not lost', async () => {
    const workspace = realFolder(GIVEN);
    const { run } = await sandboxedIn(workspace);
    const outcome = await run('node', [
      '-e',
      `const fs=require('fs');fs.mkdirSync('.github/workflows',{recursive:true});
      fs.writeFileSync('.github/workflows/ci.yml','run: evil');fs.writeFileSync('.mcp.json','{}');
      fs.mkdirSync('sub/.git',{recursive:true});fs.writeFileSync('sub/.gitignore','x');fs.writeFileSync('fine.txt','x');`,
    ]);
    expect(outcome.sandbox?.putAside).toEqual(['.github', '.mcp.json', 'sub/.git']);
    expect(readdirSync(workspace).sort()).not.toContain('.github');
    expect([textIn(workspace, 'fine.txt'), textIn(workspace, 'sub/.gitignore')]).toEqual([
      'x',
      'x',
    ]);
    expect(textIn(workspace, '.agent_context/put-aside/1-.github/workflows/ci.yml')).toBe(
      'run: evil',
    );
    const again = await run('node', ['-e', `require('fs').writeFileSync('.mcp.json','{}')`]);
    expect(again.sandbox?.putAside).toEqual(['.mcp.json']);
    expect(readdirSync(join(workspace, '.agent_context/put-aside'))).toHaveLength(4);
  });

  it('has its input, its output, its exit code and its time limit as any other', async () => {
    const { run } = await sandboxedIn(realFolder());
    const code = `process.stdin.on('data',d=>{process.stdout.write('got '+d);process.stderr.write('err');process.exitCode=7})`;
    const outcome = await run('node', ['-e', code], { stdin: 'hello' });
    expect([outcome.kind, outcome.exitCode, outcome.output]).toEqual([
      'exited',
      7,
      expect.stringMatching(/got hello/),
    ]);
    const late = await run('node', ['-e', 'setInterval(()=>{},1000)'], { timeoutMs: 400 });
    expect([late.kind, late.isServing]).toEqual(['timeout', undefined]);
  });

  it('that serves is seen to, in a network of its own', async () => {
    const workspace = realFolder();
    const { run } = await sandboxedIn(workspace);
    const serve = `require('net').createServer().listen(8123,'127.0.0.1',()=>require('fs').writeFileSync('began','x'))`;
    let pid = 0;
    const stop = new AbortController();
    const serving = run('node', ['-e', serve], {
      signal: stop.signal,
      onSpawn: (known) => {
        pid = known;
      },
    });
    await expect.poll(() => existsSync(join(workspace, 'began')), { timeout: 20_000 }).toBe(true);
    expect(addressesOf(pid, operatingSystem('linux'))).toEqual([
      '127.0.0.1:8123 (in a network of its own, which no other command reaches)',
    ]);
    stop.abort();
    expect((await serving).kind).toBe('cancelled');
  });

  it('is known by its process before it begins, and ends with it and all that it started', async () => {
    const workspace = realFolder();
    const { run, killTree } = await sandboxedIn(workspace);
    const refused = run('node', ['-e', `require('fs').writeFileSync('began','x')`], {
      onSpawn: () => {
        throw new Error('not recorded');
      },
    });
    await expect(refused).rejects.toThrow('not recorded');
    expect(existsSync(join(workspace, 'began'))).toBe(false);
    let known = { pid: 0, startTime: '' };
    // In a session of its own, and deaf.
    const deaf = `process.on('SIGTERM',()=>{});setInterval(()=>{},1000)`;
    const running = run(
      'node',
      [
        '-e',
        `require('child_process').spawn(process.execPath,['-e',${JSON.stringify(deaf)},'deaf-${process.pid}'],{detached:true,stdio:'ignore'});require('fs').writeFileSync('began','x');setInterval(()=>{},1000)`,
      ],
      { onSpawn: (pid, startTime) => (known = { pid, startTime }) },
    );
    await expect.poll(() => existsSync(join(workspace, 'began')), { timeout: 20_000 }).toBe(true);
    expect(known.startTime).not.toBe('');
    await killTree(known.pid);
    await running;
    const alive = readdirSync('/proc').filter(
      (pid) => /^\d+$/.test(pid) && commandOf(pid).includes(`deaf-${process.pid}`),
    );
    expect(alive).toEqual([]);
  });

  it('may be let out for one call', async () => {
    const outside = realFolder({ 'file.txt': 'x' });
    const { run } = await sandboxedIn(realFolder());
    const words = [
      '-e',
      `console.log(require('fs').readFileSync(${JSON.stringify(join(outside, 'file.txt'))},'utf8'))`,
    ];
    expect((await run('node', words, { isUnsandboxed: true })).output).toBe('x\n');
    expect((await run('node', words)).exitCode).toBe(1);
  });

  it('works in the engine’s own copy without touching what is copied', async () => {
    const workspace = realFolder({ ...GIVEN, '.agent_context/scratch/.env': 'planted' });
    const { run } = await sandboxedIn(workspace);
    const { output } = await run(
      'node',
      trying({
        'the copy': `fs.writeFileSync('made.txt','x')`,
        'the workspace': `fs.writeFileSync('../../made.txt','x')`,
        'a read of it': `fs.readFileSync('../../notes.txt')`,
        'its keys': `fs.readFileSync('../../.env')`,
        'keys of the copy': `fs.readFileSync('.env')`,
        'the state': `fs.readFileSync('../history.jsonl')`,
      }),
      { cwd: join(workspace, '.agent_context/scratch') },
    );
    expect(JSON.parse(output)).toEqual(['the copy', 'a read of it']);
    expect(textIn(workspace, '.agent_context/scratch/made.txt')).toBe('x');
  });
});

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

describe('a sandbox that is required', () => {
  const never = scriptedProvider(() => {
    throw new Error('nothing is asked of the model');
  });
  const codeOf = (run: Promise<unknown>): Promise<unknown> =>
    run.then(
      () => 'it began',
      (error: unknown) =>
        error instanceof TardigradeError ? `${error.code} ${error.message} ${error.hint}` : error,
    );

  it('and not there: no run begins, nothing is asked, nothing is left, and what helps is said', async () => {
    const world = testWorld();
    const said = await codeOf(runIn(world, never, { sandbox: 'require' }));
    expect(said).toMatch(/^E_USAGE Commands cannot be confined: .+ (?:Install|Run)/);
    expect(world.read('.agent_context/history.jsonl')).toBeNull();
  });

  it('is required of every resume, until a person takes it back', async () => {
    const world = testWorld();
    const pausing = scriptedProvider(() => ({
      fails: { kind: 'auth_failed', message: 'no', hint: '' } as never,
    }));
    await runIn(world, pausing, { sandbox: 'off' });
    const { records } = await runIn(world, pausing, { goal: null, sandbox: 'auto' });
    expect(records.filter(({ type }) => type === 'sandbox_looked')).toMatchObject([
      { mode: 'auto', holds: false },
    ]);
    expect(await codeOf(runIn(world, never, { goal: null, sandboxAtLeast: 'require' }))).toMatch(
      /^E_USAGE/,
    );
    const off = await runIn(world, pausing, { goal: null, sandboxAtLeast: 'off' });
    expect(off.records.filter(({ type }) => type === 'sandbox_looked')).toMatchObject([
      { mode: 'auto' },
    ]);
    const typed = await runIn(world, pausing, { goal: null, sandbox: 'off' });
    expect(typed.records.filter(({ type }) => type === 'sandbox_looked')).toMatchObject([
      { mode: 'off' },
    ]);
  });
});
