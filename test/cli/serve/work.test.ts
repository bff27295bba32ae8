/** The process for a work file of the server. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CommandContext } from '../../../src/cli/command-context.ts';
import { workOnFile } from '../../../src/cli/serve/work.ts';
import { EXIT } from '../../../src/run/exit-codes.ts';
import { fakeTerminal } from '../support.ts';

test.each([
  ['a goal that was interrupted stays', 'x', EXIT.interrupted, true],
  ['a goal that is done goes', 'x', EXIT.achieved, false],
  ['a resume that was interrupted stays', null, EXIT.interrupted, true],
])('the file of %s', async (_, goal, code, stays) => {
  const folder = mkdtempSync(join(tmpdir(), 'work-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a.json');
  writeFileSync(file, JSON.stringify({ run: 'a', workspace: folder, goal, words: [], at: 1 }));
  const terminal = fakeTerminal({ env: { HOME: folder } });
  const engine = { listRuns: () => [] };
  const context = { terminal, engine, again: async () => code } as unknown as CommandContext;
  expect(await workOnFile(file, context)).toBe(code);
  expect([existsSync(file), existsSync(`${file}.claim`)]).toEqual([stays, false]);
});

test.each([
  ['begins anew, whatever another run of that goal reached', 'b', 'x', ['run', '-', '--again']],
  ['goes on once it has begun', 'a', 'x', ['run', '-']],
  ['goes on where that was asked for', 'a', null, ['resume']],
])('a run of the server %s', async (_, there, goal, words) => {
  const folder = mkdtempSync(join(tmpdir(), 'work-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a.json');
  writeFileSync(file, JSON.stringify({ run: 'a', workspace: folder, goal, words: [], at: 1 }));
  const terminal = fakeTerminal({ env: { HOME: folder } });
  const engine = { listRuns: () => [{ id: there }] };
  const typed: (readonly string[])[] = [];
  const again = async (said: readonly string[]): Promise<number> => {
    typed.push(said);
    return EXIT.achieved;
  };
  await workOnFile(file, { terminal, engine, again } as unknown as CommandContext);
  expect(typed).toEqual([[...words, '--workspace', folder]]);
});

test.each([
  ['not begun', false],
  ['gone, where its journal has gone since', true],
])('a goal whose journal is not there stays known as %s', async (_, isGone) => {
  const folder = mkdtempSync(join(tmpdir(), 'work-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a.json');
  const queued = { run: 'a', workspace: folder, goal: 'x', words: [], at: 1 };
  writeFileSync(file, JSON.stringify(queued));
  const record = (options: { emit(event: object): void }) => options.emit({ type: 'record' });
  const engine = { listRuns: () => [], runGoal: record };
  const again = async (_words: unknown, _terminal: unknown, own: typeof engine) => {
    if (isGone) own.runGoal({ emit: () => {} });
    throw new Error('no model answers');
  };
  const terminal = fakeTerminal({ env: { HOME: folder } });
  const context = { terminal, engine, again } as unknown as CommandContext;
  await expect(workOnFile(file, context)).rejects.toThrow('no model answers');
  const kept = JSON.parse(readFileSync(join(folder, 'a.failed'), 'utf8'));
  expect(kept).toEqual(isGone ? { ...queued, isGone } : queued);
  expect(existsSync(file)).toBe(false);
});
