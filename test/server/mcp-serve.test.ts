/** The built `agent mcp serve` with the protocol's own client, and played replies for the model of its runs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, expect, test, vi } from 'vitest';
import { agentLab, recordsIn } from '../support/e2e-agent.ts';
import type { FakeOllama, Reply } from '../support/fake-ollama.ts';
import { ASKS, DONE, MODEL, modelSaying, PLAN, WRITES } from '../support/server-lab.ts';

const lab = agentLab();
let ollama: FakeOllama | undefined;
let clients: Client[] = [];
afterEach(async () => {
  for (const client of clients) await client.close();
  clients = [];
  await ollama?.close();
});

const plays = async (...replies: readonly Reply[]): Promise<void> => {
  ollama = await modelSaying((n) => replies[n - 1] ?? { content: 'Nothing more.' });
};

async function callerIn(folder: string, ...words: readonly string[]) {
  const client = new Client({ name: 'caller', version: '1' });
  clients.push(client);
  const env = lab.environment({ in: folder, env: { OLLAMA_HOST: ollama?.url ?? '' } });
  await client.connect(
    new StdioClientTransport({
      ...{ command: process.execPath, args: [lab.bin, 'mcp', 'serve', ...words] },
      ...{ cwd: folder, env: { ...env }, stderr: 'pipe' },
    }),
  );
  const call = async (name: string, args: { readonly [name: string]: unknown }) => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...args } });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    return isError ? { isError, text } : { isError, text, ...JSON.parse(text) };
  };
  return { client, call };
}

test('begins a run, waits, answers what it asks where a person has allowed that, shows and undoes it', async () => {
  await plays(PLAN, ASKS, WRITES, DONE);
  const folder = lab.folder();
  const { client, call } = await callerIn(folder, '--may-answer');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ...['start_goal', 'get_run', 'wait_run', 'diff_run', 'undo_run', 'answer_question'],
  ]);
  const begun = await call('start_goal', {
    ...{ folder, goal: 'Begin a repository', model: `ollama/${MODEL}` },
  });
  const asks = await call('wait_run', { run: begun.run, seconds: 60 });
  expect(asks).toMatchObject({
    ...{ standing: 'running', isOver: false, whoAnswers: 'answer_question' },
    questions: [{ tool: 'run_cmd', target: 'git init here' }],
    plan: [{ id: '1.1', isActive: true }],
  });
  const [{ question }] = asks.questions;
  // What was told wakes nobody again.
  const waiting = call('wait_run', { run: begun.run, seconds: 60 });
  expect(await call('answer_question', { run: begun.run, question, answer: 'yes' })).toMatchObject({
    allowed: true,
  });
  expect(await waiting).toMatchObject({
    ...{ standing: 'unverified', isOver: true, questions: [] },
    means: 'It ended, and nothing proves that the goal is reached.',
  });
  expect(recordsIn(folder, 'approval_given')).toMatchObject([{ by: 'caller', door: 'mcp' }]);

  const file = join(folder, 'a.txt');
  expect(await call('diff_run', { run: begun.run })).toMatchObject({
    files: [{ path: 'a.txt', status: 'added' }],
  });
  expect((await call('diff_run', { run: begun.run, file: 'a.txt' })).text).toContain('+hello');
  expect(await call('undo_run', { run: begun.run, dry_run: true })).toMatchObject({
    outcome: 'planned',
  });
  expect(readFileSync(file, 'utf8')).toBe('hello\n');
  expect(await call('undo_run', { run: begun.run })).toMatchObject({ removed: ['a.txt'] });
  expect(existsSync(file)).toBe(false);
});

test('answers nothing by itself, reaches only its own runs and folders, and leaves them at work', async () => {
  let letGo = (): void => {};
  const beforeEnd = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await plays(PLAN, { ...WRITES, beforeEnd }, DONE);
  const folder = lab.folder();
  const one = await callerIn(folder);
  const { tools } = await one.client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('answer_question');
  await expect(
    one.call('answer_question', { run: 'x', question: 'y', answer: 'yes' }),
  ).rejects.toThrow();
  const outside = await one.call('start_goal', { folder: lab.folder(), goal: 'x' });
  expect(outside).toMatchObject({ isError: true, text: expect.stringContaining('root') });
  expect(await one.call('start_goal', { folder })).toMatchObject({ isError: true });
  const more = await one.client.callTool({ name: 'start_goal', arguments: { goal: 'x', more: 1 } });
  expect(JSON.stringify(more)).toContain('The arguments: Unrecognized key');
  // Where there is one root, that is the folder.
  const begun = await one.call('start_goal', {
    ...{ goal: 'Write it', model: `ollama/${MODEL}` },
  });
  await ollama?.whenChat(2);
  await one.client.close();

  const two = await callerIn(folder);
  expect(await two.call('get_run', { run: begun.run })).toMatchObject({ isError: true });
  expect(await two.call('undo_run', { run: begun.run })).toMatchObject({ isError: true });
  letGo();
  await vi.waitFor(() => expect(recordsIn(folder, 'run_finished')).toHaveLength(1), {
    timeout: 60_000,
  });
});

test('is started by no person at a terminal, and by no program of a run', async () => {
  const folder = lab.folder();
  const env = { TARDIGRADE_INSIDE_A_RUN: '1' };
  expect((await lab.here(['mcp', 'serve'], { in: folder, env })).exitCode).toBe(2);
  const wrong = await lab.here(['mcp', 'list', '--may-answer'], { in: folder });
  expect(wrong.stderr).toContain('for a server');
});

test('answers what is no message of the protocol, however long, and goes on', async () => {
  const calls = '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":5}';
  const input = ['{"jsonrpc":', calls, 'z'.repeat(11_000_000), '[]', ''].join('\n');
  const { stdout, exitCode } = await lab.here(['mcp', 'serve'], { in: lab.folder(), input });
  const said = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  expect(said.map(({ id, error }) => [id, error.code])).toEqual([
    [null, -32_700],
    [5, -32_602],
    [null, -32_600],
    [null, -32_600],
  ]);
  expect(exitCode).toBe(0);
});
