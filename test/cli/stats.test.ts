import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CountedRun, statsOf } from '../../src/host/journals/stats.ts';
import { agentIn, copyOf, type MadeRun, makeRuns } from '../support/damage-world.ts';

let made: Awaited<ReturnType<typeof makeRuns>>;
let root = '';
beforeAll(async () => {
  made = await makeRuns();
  root = mkdtempSync(join(tmpdir(), 'stats-'));
});
afterAll(() => {
  made.dispose();
  rmSync(root, { recursive: true, force: true });
});

function folderWith(name: MadeRun['name']): string {
  const run = made.runs.find((one) => one.name === name);
  if (run === undefined) throw new Error(name);
  const folder = join(root, name);
  copyOf(run, folder);
  return folder;
}

test('agent stats sums up the runs of a folder by model, as a table and as JSON', async () => {
  const folder = folderWith('finished');
  const shown = await agentIn(folder, ['stats']);
  expect(shown.exitCode).toBe(0);
  expect(shown.stdout).toMatch(/^model +driver +runs +proved +answered +unverified/);
  expect(shown.stderr).toContain('nothing leaves this machine');
  const { rows, unread } = JSON.parse((await agentIn(folder, ['stats', '--json'])).stdout);
  expect(unread).toEqual([]);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ runs: 1, achieved: 1, open: 0, undone: 0 });
  expect(rows[0].turns).toBeGreaterThan(0);
  const narrow = await agentIn(folder, ['stats'], true);
  expect(narrow.stdout).toMatch(/^\S+ \(\w+\)\n {2}1: proved 1, .*undone 0\n {2}tokens \d/);
  expect(narrow.stdout).not.toContain('…');
  await agentIn(folder, ['undo', '--yes']);
  const after = JSON.parse((await agentIn(folder, ['stats', '--json'])).stdout);
  expect(after.rows[0]).toMatchObject({ runs: 1, achieved: 0, undone: 1 });
});

test('agent stats says that nothing is known in an empty folder', async () => {
  const folder = mkdtempSync(join(root, 'empty-'));
  const { exitCode, stdout, stderr } = await agentIn(folder, ['stats']);
  expect([exitCode, stdout]).toEqual([0, '']);
  expect(stderr).toContain('No run or conversation of yours is known yet.');
});

const usage = { input: 10, output: 5, thinking: 1, cacheRead: 20, cacheWrite: 0, modelMs: 0 };
function run(model: string, standing: CountedRun['standing'], parts: object = {}): CountedRun {
  const state = {
    settings: { model, driver: 'free' },
    usage: { total: usage },
    counters: { turns: 2 },
    undo: null,
    ...parts,
  };
  return { standing, state } as unknown as CountedRun;
}

test('rows count each end once, the model with the most runs first', () => {
  const withheld = { to: 'before', isFinished: true, count: 1 };
  const rows = statsOf([
    run('small', 'unverified', { swap: withheld }),
    run('large', 'achieved', { usage: { total: usage, cost: { usd: 0.5, unknownTurns: 1 } } }),
    run('small', 'killed'),
    run('never', 'paused', { settings: null }),
  ]);
  expect(rows.map(({ model }) => model)).toEqual(['small', 'large']);
  expect(rows[0]).toMatchObject({ runs: 2, unverified: 1, withheld: 1, open: 1, turns: 4 });
  expect(rows[0]).toMatchObject({ tokensIn: 60, tokensOut: 12, costUsd: 0 });
  expect(rows[1]).toMatchObject({ achieved: 1, costUsd: 0.5, unpricedTurns: 1 });
});

test('of a conversation only how many, tokens and costs are counted', () => {
  const [row] = statsOf([
    run('m', 'paused', { chat: {}, settings: { model: 'm', driver: 'chat' } }),
  ]);
  expect(row).toMatchObject({ driver: 'chat', runs: 1, open: 0, tokensIn: 30 });
});
