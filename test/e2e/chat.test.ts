/** The built `agent` in a whole terminal: a conversation as a person sees it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'vitest';
import { COMPILED } from '../support/compiled.ts';
import { agentLab } from '../support/e2e-agent.ts';
import { type Reply, startFakeOllama } from '../support/fake-ollama.ts';
import { pseudoTerminal, ShellInTerminal } from '../support/shell-in-terminal.ts';

const lab = agentLab();
const pty = process.platform === 'win32' ? null : await pseudoTerminal();

const MODEL = 'big:30b';

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

function answer({ messages }: Asked): Reply {
  const from = messages.findLastIndex(({ role }) => role === 'user');
  const text = messages[from]?.content ?? '';
  const results = messages.slice(from).filter(({ role }) => role === 'tool').length;
  const write = (path: string): Reply => ({
    toolCalls: [{ name: 'write_file', arguments: { path, content: 'on: push\n' } }],
  });
  if (text.startsWith('add'))
    return results === 0 ? write('.github/ci.yml') : { content: 'Added.' };
  return { content: `You sent ${text.split('\n').length} lines.` };
}

async function start({ onTestFinished }: TestContext) {
  if (pty === null) throw new Error('no pseudo terminal');
  const server = await startFakeOllama({
    models: [
      {
        name: MODEL,
        parameterSize: '30B',
        capabilities: ['completion', 'tools'],
        contextLength: 32_768,
      },
    ],
    script: answer as never,
  });
  const folder = lab.folder();
  const words = [process.execPath, lab.bin, 'chat', '--host', server.url, '--model', MODEL];
  const env = {
    ...{ PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' },
    ...{ HOME: `${folder}.home`, XDG_DATA_HOME: `${folder}.data`, XDG_CACHE_HOME: COMPILED },
    CHAT: words.map((word) => `'${word}'`).join(' '),
  };
  const shell = new ShellInTerminal(pty, { columns: 80, rows: 24, cwd: folder, env });
  onTestFinished(async () => {
    shell.close();
    await server.close();
  });
  await shell.shows(/\$$/);
  shell.type('eval "$CHAT"\r');
  await shell.shows('Ctrl+D leaves.');
  return { shell, folder };
}

describe.skipIf(pty === null)('a conversation on a terminal', () => {
  test('is stopped with Ctrl+Z and goes on with fg, asks, takes a long paste, is resized and leaves the shell as it was', async (context) => {
    const { expect } = context;
    const { shell, folder } = await start(context);
    shell.type('half\u001a');
    await shell.shows(/Stopped[\s\S]*\n\$$/);
    shell.type('fg\r');
    await shell.shows(/> half▌/);
    shell.type(' a thought\r');
    await shell.shows('You sent 1 lines.');
    await shell.shows(/context \d+ %[\s\S]*> ▌/);
    shell.type('add a workflow\r');
    await shell.shows('Allow this?');
    // Keys count once the question has stood for a moment.
    const again = setInterval(() => shell.type('y'), 400);
    await shell.shows('Added.').finally(() => clearInterval(again));
    expect(readFileSync(join(folder, '.github/ci.yml'), 'utf8')).toBe('on: push\n');
    await shell.shows(/context \d+ %[\s\S]*> y*▌/);
    shell.type('\u0015');
    await shell.shows(/> ▌/);
    const lines = Array.from({ length: 1_000 }, (_, n) => `line ${n}`).join('\r');
    shell.type(`\u001b[200~${lines}\u001b[201~`);
    await shell.shows('1,000 lines');
    shell.resize(60, 24);
    shell.type('\r');
    await shell.shows('You sent 1000 lines.');
    await shell.shows(/context \d+ %[\s\S]*> ▌/);
    shell.type('\u0004');
    const end = await shell.shows(/\n\$$/);
    expect(end).not.toContain('▌');
    shell.type('echo so it is\r');
    await shell.shows(/\nso it is\n\$$/);
    expect(existsSync(join(folder, '.agent_context/sessions'))).toBe(true);
  });
});
