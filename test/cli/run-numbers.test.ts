import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { TardigradeError } from '../../src/lib/errors.ts';
import { EXIT } from '../../src/run/exit-codes.ts';
import { agentIn, copyOf, filesIn, GOAL, type MadeRun, makeRuns } from '../support/damage-world.ts';
import { fakeEngine, fakeTerminal, runState } from './support.ts';

let made: Awaited<ReturnType<typeof makeRuns>>;
let root = '';
beforeAll(async () => {
  made = await makeRuns();
  root = mkdtempSync(join(tmpdir(), 'run-numbers-'));
});
afterAll(() => {
  made.dispose();
  rmSync(root, { recursive: true, force: true });
});

function folderWith(name: MadeRun['name']): string {
  const run = made.runs.find((one) => one.name === name);
  if (run === undefined) throw new Error(name);
  const folder = join(root, 'w');
  copyOf(run, folder);
  return folder;
}

const OTHER = 'Do the same once more';

test('a goal that is set aside is said with its way back, and the number leads there', async () => {
  const folder = folderWith('paused');
  const other = await agentIn(folder, [OTHER, '--max-rounds', '1']);
  expect(other.stderr).toMatch(/Set aside: ".*" \(\d of \d done\)\. Back to it: agent resume 1\n/);
  const runs = await agentIn(folder, ['runs']);
  expect(runs.stdout).toMatch(/^\* {3}2 {2}unfinished .*once more\n {4}1 {2}unfinished .*notes/);
  expect((await agentIn(folder, ['status', '1'])).stdout).toContain('agent resume 1');
  expect((await agentIn(folder, ['plan', '1'])).stdout).toContain('hello.mjs');
  expect((await agentIn(folder, ['history', '1'])).stdout).toContain(`goal: ${GOAL.slice(0, 30)}`);
  expect((await agentIn(folder, ['show', '1', '1', '--json'])).stdout).toContain('"number":1');
  const back = await agentIn(folder, ['resume', '1']);
  expect([back.exitCode, back.stderr]).toEqual([0, expect.stringContaining('agent resume 2')]);
  expect((await agentIn(folder, ['runs'])).stdout).toMatch(/\* {3}1 {2}achieved/);
  // A look at one that is finished takes the place of the other, too.
  await agentIn(folder, ['And yet another time', '--max-rounds', '1']);
  const over = await agentIn(folder, ['resume', '1']);
  expect(over.stderr).toMatch(
    /Set aside: ".*another time".* agent resume 3\n[\s\S]*already finished/,
  );
});

test.each([
  [['resume', '7'], 'There is no run or conversation 7'],
  [['diff', '7'], 'There is no run or conversation 7'],
  [['show', '900'], 'There is no record 900'],
])('agent %j is a mistake', async (argv, words) => {
  const said = await agentIn(folderWith('finished'), argv);
  expect([said.exitCode, said.stderr]).toEqual([2, expect.stringContaining(words)]);
});

test('diff shows what a run changed, and of one file alone', async () => {
  const folder = folderWith('finished');
  const all = await agentIn(folder, ['diff']);
  expect(all.stdout).toContain('hello.mjs (new, 1 line)\n');
  expect(all.stdout).toMatch(/notes\.txt \(changed, .*\)\n@@ .* @@\n .*\n\+hello/);
  const one = await agentIn(folder, ['diff', 'notes.txt', '--json']);
  expect(JSON.parse(one.stdout).files).toMatchObject([{ path: 'notes.txt', kind: 'changed' }]);
  writeFileSync(join(folder, 'notes.txt'), 'mine\n');
  expect((await agentIn(folder, ['diff', '1', 'notes.txt'])).stdout).toContain(
    'somebody has changed it since',
  );
  writeFileSync(join(folder, 'hello.mjs'), Buffer.from([0, 1, 2]));
  expect((await agentIn(folder, ['diff', 'hello.mjs'])).stdout).toContain('not a text');
});

test.each([
  [['diff'], EXIT.state],
  [['diff', '2'], EXIT.state],
  [['diff', '1'], EXIT.achieved],
])('agent %j needs the current run only where it is meant', async (argv, exitCode) => {
  const terminal = fakeTerminal({ cwd: root });
  const run = (number: number) =>
    ({ id: `r${number}`, number, status: 'ended', isCurrent: number === 2 }) as never;
  const readRun = (): never => {
    throw new TardigradeError('E_JOURNAL_CORRUPT', 'The journal is damaged.', '');
  };
  const parts = { listRuns: () => [run(1), run(2)], readRun, changes: async () => [] };
  expect(await main(argv, terminal, async () => fakeEngine({ parts }))).toBe(exitCode);
});

test('undo of one file puts it back and leaves the rest, and an undo of all still does all', async () => {
  const folder = folderWith('finished');
  const { before, after } = made.runs[0] as MadeRun;
  const journal = join(folder, '.agent_context', 'history.jsonl');
  const said = await agentIn(folder, ['undo', 'notes.txt', '--yes']);
  expect(said.stdout).toContain('Put back:\n  notes.txt\n');
  expect(filesIn(folder)).toEqual({ ...after, 'notes.txt': before['notes.txt'] });
  expect(readFileSync(journal, 'utf8')).toContain('"kind":"file_put_back"');
  expect((await agentIn(folder, ['status'])).stdout).toContain('finished, achieved');
  // Without a yes the plan of an undo is shown all the same.
  expect((await agentIn(folder, ['undo'])).stderr).toContain(
    '  notes.txt (is as it was before the run already)\n',
  );
  expect((await agentIn(folder, ['undo', '--yes'])).exitCode).toBe(0);
  expect(filesIn(folder)).toEqual(before);
  expect((await agentIn(folder, ['resume'])).stderr).toMatch(/again +agent --again '/);
  expect((await agentIn(folder, ['undo', 'notes.txt', '--yes'])).stdout).toContain(
    'undone already',
  );
});

test('undo of an earlier run puts back its files, and not what a later one changed', async () => {
  const folder = folderWith('finished');
  const { before } = made.runs[0] as MadeRun;
  await agentIn(folder, [OTHER]);
  writeFileSync(join(folder, 'notes.txt'), 'mine\n');
  expect((await agentIn(folder, ['undo', '1', 'hello.mjs'])).stderr).toContain(
    'agent undo 1 hello.mjs --yes',
  );
  const said = await agentIn(folder, ['undo', '1', '--yes']);
  expect([said.exitCode, said.stdout]).toEqual([
    0,
    expect.stringContaining('notes.txt: it was changed since'),
  ]);
  expect(filesIn(folder)['data.csv']).toEqual(before['data.csv']);
  expect((await agentIn(folder, ['runs'])).stdout).toMatch(/ {4}1 {2}undone/);
  // The later run wrote it as it was.
  expect((await agentIn(folder, ['undo', 'hello.mjs'])).stdout).toContain('did not change');
});

test.each(['status', 'attach'])(
  'agent %s names the run whose undo was cut off in the command that finishes it',
  async (verb) => {
    const terminal = fakeTerminal({ cwd: root });
    const run = { id: 'r1', number: 1, status: 'undoing', isCurrent: false } as never;
    const state = runState({ run: 'r1', undo: { finished: false } } as never);
    const live = async () => ({ at: () => [] }) as never;
    const parts = {
      listRuns: () => [run],
      beliefIn: () => ({ kind: 'own', state }) as never,
      live,
    };
    await main([verb, '1', '--workspace', root], terminal, async () => fakeEngine({ parts }));
    expect(`${terminal.stdout.text()}${terminal.stderr.text()}`).toContain(
      `agent undo 1 --workspace ${root}`,
    );
  },
);
