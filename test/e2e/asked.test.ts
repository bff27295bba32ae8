/** The built `agent` at a whole terminal, with a model that wants what needs a yes. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { COMPILED } from '../support/compiled.ts';
import { agentLab, recordsIn } from '../support/e2e-agent.ts';
import { type FakeOllama, type Reply, startFakeOllama } from '../support/fake-ollama.ts';
import { pseudoTerminal, ShellInTerminal } from '../support/shell-in-terminal.ts';

const lab = agentLab();
const pty = process.platform === 'win32' ? null : await pseudoTerminal();
let server: FakeOllama | undefined;
let shell: ShellInTerminal | undefined;
afterEach(async () => {
  shell?.close();
  await server?.close();
});

const MODEL = 'big:30b';
const SUBTASKS = [{ do: 'write a.txt and begin a repository', files: ['a.txt'] }];
const CALLS: readonly Reply[] = [
  called('set_plan', { tasks: [{ description: 'write it', subtasks: SUBTASKS }] }),
  called('write_file', { path: 'a.txt', content: 'hello\n' }),
  called('run_cmd', { cmd: 'git init "two words"' }),
];

function called(name: string, args: object): Reply {
  return { toolCalls: [{ name, arguments: args }] };
}

/** The third answer waits until keys were typed ahead. */
async function start() {
  if (pty === null) throw new Error('no pseudo terminal');
  let open = (): void => {};
  const typed = new Promise<void>((resolve) => {
    open = resolve;
  });
  server = await startFakeOllama({
    models: [
      {
        name: MODEL,
        capabilities: ['completion', 'tools'],
        contextLength: 65_536,
        parameterSize: '30B',
        family: 'qwen3',
      },
    ],
    script: (_, n) => {
      const reply = CALLS[n - 1] ?? called('mark_subtask_complete', { success: true });
      return n === 3 ? { ...reply, beforeEnd: typed } : reply;
    },
  });
  const folder = lab.folder();
  const quote = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');
  const program = [process.execPath, lab.bin];
  const words = ['--host', server.url, '--model', MODEL, 'Write a.txt and begin a repository'];
  writeFileSync(
    join(folder, '..', 'go.sh'),
    `echo $$ > ../pid\nexec ${quote([...program, ...words])}\n`,
  );
  writeFileSync(
    join(folder, '..', 'on.sh'),
    `exec ${quote([...program, 'resume', '--host', server.url])}\n`,
  );
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: `${folder}.home`,
    XDG_CACHE_HOME: COMPILED,
    LANG: 'C.UTF-8',
    XDG_DATA_HOME: `${folder}.data`,
  };
  shell = new ShellInTerminal(pty, { columns: 80, rows: 30, cwd: folder, env });
  await shell.shows(/\$$/);
  shell.type('bash ../go.sh; echo "ended $?"\r');
  return { shell, folder, open };
}

const QUESTION = `
  run git init 'two words'
  in `;

/** The question counts keys only after a quiet while, so a key is pressed until it is taken. */
async function press(shell: ShellInTerminal, key: string, sign: string | RegExp): Promise<void> {
  const timer = setInterval(() => shell.type(key), 400);
  try {
    await shell.shows(sign);
  } finally {
    clearInterval(timer);
  }
}

describe.skipIf(pty === null)('what needs a yes, at a terminal', () => {
  test('is asked about; Ctrl+C leaves it open, a resume asks again, and a no is told with its why', async () => {
    const { shell, folder, open } = await start();
    await shell.shows(/tok\/s|deciding|Ctrl\+C/);
    shell.type('yyy');
    await shell.shows('> yyy');
    open();
    const asked = await shell.shows(/no, and why\n>/);
    expect(asked).toContain(QUESTION);
    expect(asked).toMatch(/in \S+.*, by \/.*git\n/);
    expect(asked).toContain('  a  yes, always here: every command that begins with git init');
    expect(asked).toMatch(/^Allowed: .*; no sandbox\.$/m);
    expect(asked).not.toContain('Ctrl+C');
    shell.type('\u0003');
    const stopped = await shell.shows(/ended 130/);
    expect(stopped).toContain('Typed but not sent: yyy');
    expect(recordsIn(folder, 'approval_given')).toEqual([]);
    shell.type('clear; bash ../on.sh; echo "ended $?"\r');
    await shell.shows(/no, and why\n>/);
    await press(shell, 'w', 'no, why?');
    shell.type('\u0015not here');
    await shell.shows(/no, why\? w*not here/);
    shell.type('\r');
    await shell.shows(/ended \d/);
    const [given] = recordsIn(folder, 'approval_given');
    expect(given).toMatchObject({ allowed: false, scope: 'call' });
    expect(given?.why).toMatch(/^w*not here$/);
    expect(server?.chats.at(-1)).toContain('not here');
    expect(recordsIn(folder, 'approval_asked')).toHaveLength(2);
  });

  test('is asked again after a kill, and taken when another terminal answers', async () => {
    const { shell, folder, open } = await start();
    open();
    await shell.shows(/no, and why\n>/);
    process.kill(Number(readFileSync(join(folder, '..', 'pid'), 'utf8')), 'SIGKILL');
    await shell.shows(/ended 137/);
    expect(existsSync(join(folder, 'two words'))).toBe(false);
    shell.type('clear; echo ready\r');
    await shell.shows(/^ready/m);
    shell.type('bash ../on.sh; echo "ended $?"\r');
    await shell.shows(/no, and why\n>/);
    const [asked] = recordsIn(folder, 'approval_asked');
    const env = { HOME: `${folder}.home` };
    const { stdout } = await lab.here(['approve', asked?.id ?? ''], { in: folder, env });
    expect(stdout).toContain('git init');
    const end = await shell.shows(/ended \d/);
    expect(end).toContain('> yes, from another terminal');
    expect(end).not.toContain('asks:');
    expect(end).toMatch(/✓ git init/);
    expect(recordsIn(folder, 'approval_given')).toMatchObject([
      { allowed: true, scope: 'call', by: 'person', door: 'command' },
    ]);
    const history = await lab.here(['history'], { in: folder, env });
    expect(history.stdout).toContain('allowed once by a command from elsewhere');
  });
});
