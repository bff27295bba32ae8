import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import type { Processes } from '../../src/processes/contract.ts';
import { parsedHere } from './parsed-here.ts';

const OUTCOME = { kind: 'exited', signal: null, output: 'node', truncatedBytes: 0 } as const;
const asked: string[] = [];
const run = parsedHere((async ({ stdin = '' }) => {
  asked.push(stdin);
  return { ...OUTCOME, exitCode: 1, durationMs: 5 };
}) satisfies Processes['run']);

async function exitCodeOf(stdin: string, args: readonly string[]) {
  const { signal } = new AbortController();
  const request = { file: process.execPath, args, cwd: '/', env: {}, timeoutMs: 1 };
  const limits = { maxOutputBytes: 1, stdin };
  return (await run({ ...request, ...limits }, { signal, onOutput: () => {} })).exitCode;
}

it.each([
  ['module', 'import "x";\nexport const a = await 1;\n', true],
  ['module', '#!/usr/bin/env node\nexport {};\n', true],
  ['module', 'export const a = ;\n', false],
  ['module', 'return 1;\n', false],
  ['commonjs', '#!/usr/bin/env node\nreturn require("x");\n', true],
  ['commonjs', 'export const a = 1;\n', false],
  ['commonjs', 'await 1;\n', false],
])('a %s that says %j goes to Node where it does not parse', async (type, text, parses) => {
  asked.length = 0;
  const code = await exitCodeOf(text, ['--check', `--input-type=${type}`, '-']);
  expect([code, asked]).toEqual(parses ? [0, []] : [1, [text]]);
});

it.each([
  ['module', '#!/usr/bin/env node\nexport const a = await 1;\n'],
  ['commonjs', '#!/usr/bin/env node\nreturn require("x");\n'],
])('Node itself says as little of a %s that parses', (type, input) => {
  const args = ['--check', `--input-type=${type}`, '-'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input });
  expect([status, String(stdout), String(stderr)]).toEqual([0, '', '']);
});

it('every other command goes to Node', async () => {
  for (const args of [['--check', 'a.mjs'], ['-'], ['--check', '--input-type=json', '-']])
    expect(await exitCodeOf('1', args)).toBe(1);
});
