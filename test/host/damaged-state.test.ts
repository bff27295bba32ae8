import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  agentIn,
  copyOf,
  endedFiles,
  filesIn,
  GOAL,
  type MadeRun,
  makeRuns,
} from '../support/damage-world.ts';

let made: Awaited<ReturnType<typeof makeRuns>>;
let root = '';
beforeAll(async () => {
  made = await makeRuns();
  root = mkdtempSync(join(tmpdir(), 'damaged-state-'));
});
afterAll(() => {
  made.dispose();
  rmSync(root, { recursive: true, force: true });
});

const inState = (folder: string, name: string) => join(folder, '.agent_context', name);

/** A copy of a run, its journal changed. */
function damaged(name: MadeRun['name'], change: (journal: string) => string | null) {
  const run = made.runs.find((one) => one.name === name);
  if (run === undefined) throw new Error(name);
  const folder = join(root, 'w');
  copyOf(run, folder);
  const journal = inState(folder, 'history.jsonl');
  const text = change(readFileSync(journal, 'utf8'));
  if (text === null) rmSync(journal);
  else writeFileSync(journal, text);
  return { folder, run, journal };
}

/** The line that says what notes.txt held before, overwritten but for what it says of files. */
const spoilt = (journal: string): string =>
  journal
    .split('\n')
    .map((line) =>
      /"action_intended".*notes\.txt/.test(line)
        ? line.replace('"seq":', '"???":').replace('"ts":', '"?!":')
        : line,
    )
    .join('\n');

test('an undo of a damaged journal touches nothing, and after a repair it puts back all the same', async () => {
  const { folder, run } = damaged('finished', spoilt);
  rmSync(inState(folder, 'state.json'));
  const refused = await agentIn(folder, ['undo', '--yes']);
  expect([refused.exitCode, filesIn(folder)]).toEqual([8, run.after]);
  expect(refused.stderr).toContain('agent repair');
  const repaired = await agentIn(folder, ['repair', '--yes']);
  expect(repaired.stdout).toContain(
    'Former contents of files that only this part names: notes.txt, data.csv',
  );
  const { exitCode, stdout } = await agentIn(folder, ['undo', '--yes']);
  expect([exitCode, filesIn(folder)]).toEqual([0, run.before]);
  expect(stdout).toContain('Read from parts that a repair has set aside');
  expect(stdout).not.toContain('which file held');
});

test('with a snapshot above the damage nothing is cut, and history, doctor and undo say so', async () => {
  const { folder, run, journal } = damaged('finished', spoilt);
  const before = readFileSync(journal);
  const { stdout } = await agentIn(folder, ['repair', '--yes']);
  expect(stdout).toContain('58 records kept');
  expect(readFileSync(journal).subarray(0, before.length)).toEqual(before);
  expect((await agentIn(folder, ['status'])).stdout).toContain('finished, achieved');
  expect((await agentIn(folder, ['history', '--raw'])).stdout).toMatch(
    /unreadable: .*notes\.txt[\s\S]*bytes_unreadable/,
  );
  expect((await agentIn(folder, ['doctor', '-v'])).stdout).toMatch(
    /ok +journal .* unreadable since a repair/,
  );
  const repaired = readFileSync(journal);
  const place = repaired.indexOf('"type":"plan_set"');
  writeFileSync(journal, Buffer.from(repaired).fill('?', place, place + 16));
  expect((await agentIn(folder, ['doctor'])).stdout).toMatch(/fail +journal/);
  writeFileSync(journal, repaired);
  const undone = await agentIn(folder, ['undo', '--yes']);
  expect(undone.stdout).toMatch(
    /No longer known:\n {2}bytes \d+ to \d+ of the journal \(1 record\)/,
  );
  expect(undone.stdout).not.toContain('which file held');
  expect(filesIn(folder)).toEqual(run.before);
});

test('an undo names every blob that a cut journal no longer names', async () => {
  const { folder } = damaged('finished', (text) => `${text.split('\n').slice(0, 2).join('\n')}\n`);
  rmSync(inState(folder, 'state.json'));
  const blobs = readdirSync(inState(folder, 'blobs'));
  const { stdout } = await agentIn(folder, ['undo', '--yes']);
  expect([blobs.length, blobs.filter((name) => !stdout.includes(name))]).toEqual([3, []]);
});

test('an undo names a file that changed after the before-images with which a cut journal ends', async () => {
  const { folder } = damaged('finished', (text) => {
    const lines = text.split('\n');
    return `${lines.slice(0, lines.findIndex((line) => line.includes('"files_kept"')) + 1).join('\n')}\n`;
  });
  rmSync(inState(folder, 'state.json'));
  const { stdout } = await agentIn(folder, ['undo', '--yes']);
  expect(stdout).toContain('why data.csv is not as it was kept before a command');
});

test('a run whose conversation has lost a part goes on, and the model is told so', async () => {
  const { folder } = damaged('paused', (journal) => {
    const lines = journal.split('\n');
    return lines.with(5, `#${lines[5]?.slice(40)}`).join('\n');
  });
  expect((await agentIn(folder, ['resume', '-m', 'x'])).exitCode).toBe(8);
  expect((await agentIn(folder, ['repair', '--yes'])).exitCode).toBe(0);
  const resumed = await agentIn(folder, ['resume', '-m', 'x']);
  expect([resumed.exitCode, filesIn(folder)['data.csv']]).toEqual([0, 'a;b\n1;2\n']);
});

describe('a journal that is gone, where blobs and logs show that there was a run', () => {
  const gone = (name: MadeRun['name']) => {
    const { folder, run } = damaged(name, () => null);
    rmSync(inState(folder, 'state.json'), { force: true });
    return { folder, run };
  };

  test.each([[[GOAL, '-m', 'x']], [['resume']], [['status']], [['undo', '--yes']], [['history']]])(
    'is no fresh start for agent %j',
    async (argv) => {
      const { folder, run } = gone('killed');
      const { exitCode, stderr } = await agentIn(folder, argv);
      expect([exitCode, filesIn(folder)]).toEqual([8, run.after]);
      expect(stderr).toMatch(/There was a run here[\s\S]*Next: .*agent repair/);
    },
  );

  test('is found by the doctor, and a repair leads on', async () => {
    const { folder } = gone('killed');
    expect((await agentIn(folder, ['doctor', '-v'])).stdout).toMatch(
      /fail journal +There was a run here/,
    );
    expect((await agentIn(folder, ['repair'])).exitCode).toBe(8);
    expect((await agentIn(folder, ['repair', '--yes'])).exitCode).toBe(0);
    expect((await agentIn(folder, ['doctor', '-v'])).stdout).toMatch(/ok +journal +none yet/);
    expect((await agentIn(folder, ['undo', '--yes'])).stdout).toContain('No longer known:');
    expect((await agentIn(folder, [GOAL, '-m', 'x'])).stderr).toContain('hello.mjs');
    expect(existsSync(inState(folder, 'set-aside.json'))).toBe(false);
  });

  test('of which state.json is left, the goal goes on', async () => {
    const { folder } = damaged('paused', () => null);
    expect((await agentIn(folder, ['resume', '-m', 'x'])).exitCode).toBe(8);
    await agentIn(folder, ['repair', '--yes']);
    expect((await agentIn(folder, ['status'])).stdout).toContain(GOAL);
    // What its first records said of the files is lost, so what it would claim is not known.
    expect((await agentIn(folder, ['resume', '-m', 'x'])).exitCode).toBe(9);
    expect(filesIn(folder)).toEqual(endedFiles());
  });
});

test("another run's journal in its place is named by whatever looks at it, and both runs are kept", async () => {
  const { folder, run } = damaged('paused', (text) => text);
  const other = made.runs.find(({ name }) => name === 'killed')?.folder ?? '';
  const theirs = readFileSync(inState(other, 'history.jsonl'));
  writeFileSync(inState(folder, 'history.jsonl'), theirs);
  for (const argv of [[GOAL, '-m', 'x'], ['resume', '-m', 'x'], ['status'], ['undo', '--yes']]) {
    const { exitCode, stderr } = await agentIn(folder, argv);
    expect([exitCode, filesIn(folder)]).toEqual([8, run.after]);
    expect(stderr).toContain('is the journal of another run');
  }
  expect((await agentIn(folder, ['doctor'])).stdout).toContain('is the journal of another run');
  const { stdout } = await agentIn(folder, ['repair', '--yes']);
  const [, stored = ''] = /another run that stood there is (\S+)/.exec(stdout) ?? [];
  expect(readFileSync(stored).equals(theirs)).toBe(true);
  expect((await agentIn(folder, ['runs'])).stdout.match(/Tidy data\.csv/g)).toHaveLength(2);
  expect((await agentIn(folder, ['resume', '-m', 'x'])).exitCode).toBe(9);
  expect(filesIn(folder)).toEqual(endedFiles());
});

test('git gives the state back byte for byte, whatever it does to line ends elsewhere', () => {
  const { folder, journal } = damaged('finished', (text) => text);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  const before = readFileSync(journal);
  git('init', '-q');
  git('config', 'core.autocrlf', 'true');
  git('add', '-f', '.agent_context/history.jsonl', '.agent_context/.gitattributes', 'hello.mjs');
  rmSync(journal);
  rmSync(join(folder, 'hello.mjs'));
  git('checkout-index', '-a');
  expect(readFileSync(journal).equals(before)).toBe(true);
  expect(readFileSync(join(folder, 'hello.mjs'), 'utf8')).toContain('\r\n');
});
