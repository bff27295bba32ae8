/** The built `agent` in a whole terminal: what a person sees, types and gets back. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'vitest';
import { COMPILED } from '../support/compiled.ts';
import { agentLab, journalOf } from '../support/e2e-agent.ts';
import { type Reply, startFakeOllama } from '../support/fake-ollama.ts';
import { pseudoTerminal, ShellInTerminal } from '../support/shell-in-terminal.ts';

const lab = agentLab();
const pty = process.platform === 'win32' ? null : await pseudoTerminal();

const MODEL = 'qwen2.5-coder:1.5b';
const TEST_RUN = 'node --test calc.test.mjs';
const PLAN = JSON.stringify({
  tasks: [
    {
      description: 'Calculator',
      subtasks: [{ action: 'write_file', file: 'calc.mjs', purpose: 'adds and subtracts' }],
    },
    {
      description: 'Tests',
      subtasks: [{ action: 'write_file', file: 'calc.test.mjs', purpose: 'tests both' }],
    },
  ],
  verify: { cmd: TEST_RUN, prints: '', stdin: '' },
});
const code = (operator: string): string => `\`\`\`js
export function add(a, b) {
  return a ${operator} b;
}

export function sub(a, b) {
  return a - b;
}
\`\`\``;
const TESTS = `\`\`\`js
import test from 'node:test';
import assert from 'node:assert';
import { add, sub } from './calc.mjs';

test('add', () => assert.equal(add(1, 2), 3));
test('sub', () => assert.equal(sub(3, 2), 1));
\`\`\``;

/** To its end, as it stands in the tail of what is being written. */
const SECOND_FUNCTION = /return a - b;\s+│ \}/;

type Place = 'plan' | 'code' | 'tests' | 'mended';

/** A gate for each place at which the model is held until the screen was looked at. */
function gates() {
  const open = new Map<Place, () => void>();
  const at = new Map<Place, Promise<void>>();
  for (const place of ['plan', 'code', 'tests', 'mended'] as const)
    at.set(place, new Promise((resolve) => open.set(place, resolve)));
  return {
    until: (place: Place): Promise<void> => at.get(place) ?? Promise.resolve(),
    open: (place: Place): void => open.get(place)?.(),
  };
}

/** A model that writes a fault, finds it when it is told what failed, and mends it. */
function model(held: ReturnType<typeof gates>) {
  let written = 0;
  return ({
    messages,
    format,
  }: {
    messages: readonly { content: string }[];
    format?: unknown;
  }): Reply => {
    const last = messages.at(-1)?.content ?? '';
    const pieceLength = 20;
    if (JSON.stringify(format ?? '').includes('subtasks'))
      return { content: PLAN, pieceLength, holdAfter: { chunks: 10, until: held.until('plan') } };
    if (/content of calc\.test\.mjs/.test(last))
      return { content: TESTS, pieceLength, beforeEnd: held.until('tests') };
    if (/content of calc\.mjs/.test(last)) {
      written += 1;
      const place = written === 1 ? 'code' : 'mended';
      return {
        content: code(written === 1 ? '-' : '+'),
        pieceLength,
        beforeEnd: held.until(place),
      };
    }
    return { content: '{"action":"mark_subtask_complete","reason":"done","success":true}' };
  };
}

/** What changes from run to run, and what other tests look at, is left out. */
function steady(screen: string): string {
  const lines = screen.split('\n');
  const start = lines.findIndex((line) => line.startsWith(MODEL));
  const end = lines.findIndex((line) => /^✓ (?:Goal|Done)/.test(line));
  return (
    lines
      .slice(start + 1, end < 0 ? undefined : end)
      .join('\n')
      .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, '*')
      .replace(/[\d.]+ s\b/g, 'N s')
      .replace(/\b\d+:\d\d\b/g, '0:00')
      // How fast the machine is decides whether there is room for it.
      .replace(/ · [\d.]+ tok\/s/g, '')
      .replace(/context <?\d+ %/g, 'context N %')
  );
}

async function start({ onTestFinished }: TestContext) {
  if (pty === null) throw new Error('no pseudo terminal');
  const held = gates();
  const server = await startFakeOllama({ script: model(held) });
  const folder = lab.folder();
  const goal = 'Write a calculator with tests';
  const words = ['--host', server.url, '--model', MODEL, '--plan-first', goal];
  const quoted = [process.execPath, lab.bin, ...words].map((word) => `'${word}'`).join(' ');
  writeFileSync(`${folder}.sh`, `exec ${quoted}\n`);
  const env = {
    PATH: process.env.PATH ?? '',
    // The run is not in it: it would ask first.
    HOME: `${folder}.home`,
    XDG_CACHE_HOME: COMPILED,
    LANG: 'C.UTF-8',
    XDG_DATA_HOME: `${folder}.data`,
    RUN: `${folder}.sh`,
  };
  const shell = new ShellInTerminal(pty, { columns: 80, rows: 24, cwd: folder, env });
  onTestFinished(async () => {
    shell.close();
    await server.close();
  });
  await shell.shows(/\$$/);
  shell.type('bash "$RUN"\r');
  return { shell, held, folder, server };
}

// Most of each is waiting for what a person would wait for.
describe.skipIf(pty === null).concurrent('on a terminal', () => {
  // Narrower ones are looked at in this process: test/cli/render/live.test.ts.
  test('of 80 columns and 24 rows every stage of a run is seen whole', async (context) => {
    const { expect } = context;
    const { shell, held, folder } = await start(context);
    const look = async (stage: string, ...signs: readonly (string | RegExp)[]): Promise<void> => {
      for (const sign of signs) await shell.shows(sign);
      const status = stage === 'planning' ? 'tok/s' : /context <?\d+ %/;
      expect(steady(await shell.shows(status)), stage).toMatchSnapshot();
    };
    await look('planning', /planning/, /calc\.test/);
    held.open('plan');
    await look('writing', /writing calc\.mjs/, SECOND_FUNCTION);
    held.open('code');
    await look('tests', /writing calc\.test\.mjs/, 'sub(3, 2), 1));');
    shell.type('\r\r');
    held.open('tests');
    await look('mending', /1 of 2 failed/, /mending calc\.mjs/, SECOND_FUNCTION);
    held.open('mended');
    await shell.shows(/\n\$$/);
    expect(steady(shell.screen.everything())).toMatchSnapshot();
    expect(existsSync(join(folder, 'calc.test.mjs'))).toBe(true);
    expect(shell.screen.everything()).not.toMatch(/tok\/s|Ctrl\+C/);
  });

  test('Ctrl+Z and fg, another size, a message, a paste and Ctrl+C reach the run and never the shell, which is left in order', async (context) => {
    const { expect } = context;
    const { shell, held, folder, server } = await start(context);
    held.open('plan');
    await shell.shows(/writing calc\.mjs/);
    shell.type('\u001a');
    const stopped = await shell.shows(/Stopped[\s\S]*\n\$$/);
    expect(stopped).not.toContain('0 of 2');
    shell.type('echo "it is $((40+2))"\r');
    await shell.shows('it is 42');
    shell.type('fg\r');
    await shell.shows('0 of 2');
    for (const [columns, rows] of [
      [60, 12],
      [100, 30],
    ] as const) {
      shell.resize(columns, rows);
      shell.type('x');
      await shell.shows(/> x+▌/);
      shell.type('\u0015');
      await shell.shows(/^(?![\s\S]*> x)[\s\S]*0 of 2/);
      expect(shell.screen.text().match(/0 of 2/g)).toHaveLength(1);
      expect(shell.screen.everything().match(/writing calc\.mjs/g)).toHaveLength(1);
    }
    const before = server.chats.length;
    shell.type('use const where you can\r');
    await shell.shows('queued: use const where you can');
    held.open('code');
    await shell.shows('\n> use const where you can\n');
    await shell.shows(/writing calc\.test\.mjs/);
    await expect.poll(() => server.chats.length).toBeGreaterThan(before);
    const holdsLine = server.chats.map((body) => body.includes('use const where you can'));
    expect(holdsLine).toEqual(holdsLine.map((_, index) => index >= before));
    shell.type('\u001b[200~touch pasted\rtouch pasted too\r\u001b[201~');
    await shell.shows('> touch pasted');
    shell.type('\u0003');
    const end = await shell.shows(/Paused[\s\S]*\n\$$/);
    expect(end).toContain('agent resume');
    expect(end).not.toContain('1 of 2 ·');
    expect(end).toContain('Typed but not sent: touch pasted');
    shell.type('stty -a | tr " " "\\n" | grep -x -e icanon -e echo | tr "\\n" "+"\r');
    await shell.shows('icanon+echo+');
    expect(existsSync(join(folder, 'pasted'))).toBe(false);
    expect(journalOf(folder).filter(({ type }) => type === 'person_said')).toHaveLength(1);
  });
});
