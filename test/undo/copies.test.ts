import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runGoal } from '../../src/agent.ts';
import { undoChanges, undoPlan } from '../../src/host/journals/undo.ts';
import { leading } from '../support/leading.ts';
import { realFolder, realMachine } from '../support/real-run.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';

const README = 'line one\nan uncommitted line\r\n';
const NOTES = 'never added to git\n';

const WIPE = [
  'import subprocess',
  'subprocess.run(["git", "reset", "-q", "--hard"])',
  'subprocess.run(["git", "clean", "-qfdx"])',
].join('; ');

function repository(): string {
  const folder = realFolder({ 'README.md': 'line one\n' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  writeFileSync(join(folder, 'README.md'), README);
  writeFileSync(join(folder, 'notes.txt'), NOTES);
  return folder;
}

function dataFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'tardigrade-data-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'before-images');
}

/** Runs a program that ends with the state of the run, and gives the copies to undo from. */
async function losingState(workspace: string, program: string) {
  const backupFolder = dataFolder();
  const work = { subtasks: [{ action: 'run_cmd', cmd: 'python', purpose: 'tidy up' }] };
  const script = leading(work, () => ({
    calls: [{ name: 'run_cmd', args: { cmd: `python -c '${program}'` } }],
  }));
  const machine = realMachine();
  const running = runGoal({
    goal: 'Tidy up',
    provider: scriptedProvider(script, LARGE),
    ...{ workspace, backupFolder, machine, model: SCRIPTED_MODEL, toolMode: 'native' },
  });
  await expect(running).rejects.toMatchObject({ code: 'E_STATE_GONE' });
  const request = { workspace, forceUnlock: false, onRecord: () => {} };
  return {
    plan: () => undoPlan(machine, workspace, undefined, {}, backupFolder),
    undo: () => undoChanges(machine, request, undefined, backupFolder),
  };
}

it('gives back a folder that a command made a file of', async () => {
  const workspace = realFolder({ 'd/x.txt': 'mine\n', e: 'mine too\n' });
  const program = [
    'import os, shutil',
    'shutil.rmtree("d")',
    'open("d", "w").write("a file")',
    'os.remove("e")',
    'os.mkdir("e")',
    'open("e/y.txt", "w").write("in a folder")',
    'shutil.rmtree(".agent_context")',
  ].join('; ');
  const { plan, undo: undone } = await losingState(workspace, program);
  expect(plan()?.left).toEqual([]);
  expect(undone()).toMatchObject({ outcome: 'undone', leftAlone: [] });
  expect(readFileSync(join(workspace, 'd/x.txt'), 'utf8')).toBe('mine\n');
  expect(readFileSync(join(workspace, 'e'), 'utf8')).toBe('mine too\n');
});

it('gives back what a command of git took away together with .agent_context', async () => {
  const workspace = repository();
  const { plan: planned, undo: undone } = await losingState(workspace, WIPE);
  expect(existsSync(join(workspace, 'notes.txt'))).toBe(false);
  expect(readFileSync(join(workspace, 'README.md'), 'utf8')).toBe('line one\n');

  expect(planned()).toMatchObject({
    files: ['README.md (will be put back)', 'notes.txt (will be put back)'],
    isWatched: true,
  });
  expect(undone()).toMatchObject({ outcome: 'undone', restored: ['README.md', 'notes.txt'] });
  expect(readFileSync(join(workspace, 'README.md'), 'utf8')).toBe(README);
  expect(readFileSync(join(workspace, 'notes.txt'), 'utf8')).toBe(NOTES);
  expect(undone().outcome).toBe('already_undone');
});
