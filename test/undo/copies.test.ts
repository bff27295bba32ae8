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
import { undo, undoPlan } from '../../src/host/journals/undo.ts';
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

it('gives back what a command of git took away together with .agent_context', async () => {
  const workspace = repository();
  const backupFolder = dataFolder();
  const work = { subtasks: [{ action: 'run_cmd', cmd: 'python', purpose: 'tidy up' }] };
  const script = leading(work, () => ({
    calls: [{ name: 'run_cmd', args: { cmd: `python -c '${WIPE}'` } }],
  }));
  const machine = realMachine();
  const running = runGoal({
    goal: 'Tidy up',
    provider: scriptedProvider(script, LARGE),
    ...{ workspace, backupFolder, machine, model: SCRIPTED_MODEL, toolMode: 'native' },
  });
  await expect(running).rejects.toMatchObject({ code: 'E_STATE_GONE' });
  expect(existsSync(join(workspace, 'notes.txt'))).toBe(false);
  expect(readFileSync(join(workspace, 'README.md'), 'utf8')).toBe('line one\n');

  const plan = undoPlan(machine, workspace, undefined, {}, backupFolder);
  expect(plan?.files).toEqual(['README.md (will be put back)', 'notes.txt (will be put back)']);
  const request = { workspace, forceUnlock: false, onRecord: () => {} };
  const report = undo(machine, request, undefined, backupFolder);
  expect(report).toMatchObject({ outcome: 'undone', restored: ['README.md', 'notes.txt'] });
  expect(readFileSync(join(workspace, 'README.md'), 'utf8')).toBe(README);
  expect(readFileSync(join(workspace, 'notes.txt'), 'utf8')).toBe(NOTES);
  expect(undo(machine, request, undefined, backupFolder).outcome).toBe('already_undone');
});
