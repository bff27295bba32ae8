import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunResult } from '../../src/agent.ts';
import { main } from '../../src/cli/main.ts';
import { achieved, fakeEngine, fakeTerminal, runState } from './support.ts';

let cwd = '';
beforeAll(() => {
  cwd = mkdtempSync(`${tmpdir()}/repeated-goal-`);
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function again(result: RunResult) {
  const terminal = fakeTerminal({ cwd, env: { LANG: 'C.UTF-8', NO_COLOR: '1' } });
  const engine = fakeEngine({ result });
  const exitCode = await main(['Write it'], terminal, () => Promise.resolve(engine));
  return { exitCode, stdout: terminal.stdout.text(), stderr: terminal.stderr.text() };
}

test('a goal that was achieved and is given again says what changed since', async () => {
  const state = runState({
    ended: { ending: 'achieved', detail: '' },
    plan: { fallback: false, tasks: [], proof: { cmd: 'node hello.mjs' } },
  });
  const found = { ...achieved('Two files.'), state, ending: 'already_finished' } as const;
  const nothing = { isComplete: true, compared: 2, differs: [], notCompared: ['big.bin'] };
  const same = await again({ ...found, sinceEnd: nothing });
  expect([same.exitCode, same.stdout]).toEqual([0, 'Two files.\n']);
  expect(same.stderr).toContain('nothing changed in the 2 files that the run made');
  expect(same.stderr).toContain('not compared, since nothing of it is kept: big.bin');
  const differs = [
    { path: 'a.mjs', is: 'changed' },
    { path: 'b.mjs', is: 'removed' },
  ] as const;
  const sinceEnd = { ...nothing, differs: [...differs], notCompared: [] };
  const other = await again({ ...found, sinceEnd });
  expect([other.exitCode, other.stdout]).toEqual([9, '']);
  expect(other.stderr).toContain('~ This goal was achieved, and nothing proves that it still is');
  for (const row of [/changed +a\.mjs/, /removed +b\.mjs/, /check +node hello\.mjs/])
    expect(other.stderr).toMatch(row);
  for (const row of [/since +2 of 2 files are not as the run left them/, /show .* diff/, /again/])
    expect(other.stderr).toMatch(row);
  const lost = { ...nothing, isComplete: false, compared: 0, notCompared: [] };
  const part = await again({ ...found, sinceEnd: lost });
  expect(part.exitCode).toBe(9);
  expect(part.stderr).toContain('a part of the journal cannot be read');
});
