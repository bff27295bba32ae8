import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { agentLab, recordsIn, stateFile } from '../support/e2e-agent.ts';
import { HELLO_NODE } from '../support/e2e-goals.ts';
import {
  type Answer,
  isAskedForPlan,
  MODEL,
  plansAsked,
  serve,
  stubbornCaller,
  worker,
} from '../support/e2e-model.ts';
import type { FakeOllama } from '../support/fake-ollama.ts';

const lab = agentLab();
let server: FakeOllama;
afterEach(() => server?.close());

const { goal } = HELLO_NODE;
const diligent = worker(HELLO_NODE);
/** The model is small: by itself it would be led. */
const NATIVE = ['--tool-mode', 'native'];

/** In this process: what is said and done does not depend on how it is started. */
async function work(script: Answer, ...options: string[]) {
  server = await serve(script);
  const folder = lab.folder();
  const args = [goal, '--host', server.url, '--model', MODEL, '--plan-first', ...options];
  return { folder, ...(await lab.here(args, { in: folder })) };
}

const resume = (folder: string) => lab.here(['resume', '--host', server.url], { in: folder });

test('a file of many kilobytes is written whole', async () => {
  const lines = Array.from({ length: 500 }, (_, index) => `// line ${index * index}\n`);
  const text = `${lines.join('')}console.log('Hello');\n`;
  const long = worker({ ...HELLO_NODE, files: { 'hello.mjs': [text] } });
  const { folder, exitCode, stderr } = await work(
    (request, n) => ({ ...long(request, n), pieceLength: 1000 }),
    ...['--tool-mode', 'json'],
  );
  expect(stderr).toContain('Done in');
  expect(exitCode).toBe(0);
  expect(readFileSync(join(folder, 'hello.mjs'), 'utf8')).toBe(text);
});

describe('a plan that does not work', () => {
  test('gives way to another one that keeps what is done', async () => {
    const first = { ...HELLO_NODE, subtasks: [{ ...HELLO_NODE.subtasks[0], file: 'first.mjs' }] };
    const giveUp = stubbornCaller(first, 'mark_subtask_complete', {
      success: false,
      reason: 'that name is not good',
    });
    const { folder, exitCode, stderr } = await work(
      (request, n) => (n <= 2 ? giveUp(request, n) : diligent(request, n)),
      ...NATIVE,
    );
    expect(stderr).toContain('Planning again: that name is not good');
    expect(stderr).toContain('Done in');
    expect(exitCode).toBe(0);
    expect(plansAsked(server)).toBe(2);
    expect(recordsIn(folder, 'replanned')).toHaveLength(1);
    expect(existsSync(join(folder, 'hello.mjs'))).toBe(true);
  });

  test('fails honestly after the last one, with exit code 3', async () => {
    const call = { success: false, reason: 'this cannot be done' };
    const { folder, exitCode, stdout, stderr } = await work(
      stubbornCaller(HELLO_NODE, 'mark_subtask_complete', call),
      ...NATIVE,
    );
    expect(exitCode).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toContain('Goal failed');
    expect(stderr).toContain('this cannot be done');
    expect(stderr).toContain('--again');
    expect(recordsIn(folder, 'replan_started')).toHaveLength(2);
  });
});

test('what was only claimed ends not verified, with exit code 9', async () => {
  const notes = {
    subtasks: [{ action: 'write_file', file: 'diary.txt', purpose: 'holds the notes' }],
  };
  const call = { success: true, reason: 'all done' };
  const { exitCode, stdout, stderr } = await work(
    stubbornCaller(notes, 'mark_subtask_complete', call),
    ...NATIVE,
  );
  expect(exitCode).toBe(9);
  // What the model claims is never told without how little of it is known.
  expect(stdout).toMatch(
    /^Finished in .*, but not verified\nnothing shows that this is done: subtask 1\.1\nThe model says: all done\n$/,
  );
  expect(stderr).toContain('not verified');
});

describe('a run that pauses says why and how to go on, and goes on from there', () => {
  test('a model that only talks: exit code 5', async () => {
    let isTalking = true;
    const { folder, exitCode, stderr } = await work(
      (request, n) =>
        isTalking && !isAskedForPlan(request)
          ? { content: 'I will do that right away.' }
          : diligent(request, n),
      ...NATIVE,
    );
    expect(exitCode).toBe(5);
    expect(stderr).toContain('without a tool call');
    expect(stderr).toMatch(/Resume: agent resume/);
    isTalking = false;
    const end = await resume(folder);
    expect(end.stderr).toContain('Done in');
    expect(end.exitCode).toBe(0);
  });

  test('a server that went away: exit code 7', async () => {
    let isDown = true;
    const { folder, exitCode, stderr } = await work(
      (request, n) =>
        isDown && !isAskedForPlan(request) ? { cut: 'before headers' } : diligent(request, n),
      '--max-time',
      '1s',
    );
    expect(exitCode).toBe(7);
    expect(stderr).toContain('Paused');
    expect(stderr).toMatch(/Resume: agent resume/);
    // For a second attempt there is no time.
    const log = readFileSync(stateFile(folder, 'agent.log'), 'utf8');
    expect(log.match(/TURN 3 attempt \d .* network_error/g)).toHaveLength(1);
    isDown = false;
    const end = await resume(folder);
    expect(end.stderr).toContain('Done in');
    expect(end.exitCode).toBe(0);
    expect(plansAsked(server)).toBe(1);
  });
});
