import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { chainReport, listingOf, readRun } from '../../src/host/journals/journal.ts';
import { repair } from '../../src/host/journals/repair.ts';
import { undoChanges, undoPlan } from '../../src/host/journals/undo.ts';
import { thisMachine } from '../../src/run/machine.ts';
import { openUnderLock } from '../../src/run/open.ts';

const home = mkdtempSync(join(tmpdir(), 'in-the-way-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const machine = thisMachine();
const wish = { forceUnlock: false, onRecord: () => {}, emit: () => {}, again: false, machine };

/** Everything that looks at the state of a folder, or works with it. */
const WAYS: readonly [string, (workspace: string) => unknown][] = [
  ['a run', (workspace) => openUnderLock({ ...wish, workspace, goal: 'a goal' })],
  ['a resume', (workspace) => openUnderLock({ ...wish, workspace, goal: null })],
  ['status', (workspace) => readRun(machine, workspace)],
  ['the list of runs', (workspace) => listingOf(machine, workspace)],
  ['the look at the chain', (workspace) => chainReport(machine, workspace)],
  ['repair', (workspace) => repair(machine, { ...wish, workspace })],
  ['the plan of an undo', (workspace) => undoPlan(machine, workspace)],
  ['undo', (workspace) => undoChanges(machine, { ...wish, workspace })],
];

let folders = 0;
function workspaceWith(make: (path: string) => void): string {
  folders += 1;
  const workspace = join(home, `work ${folders}`);
  mkdirSync(workspace);
  make(join(workspace, '.agent_context'));
  return workspace;
}

describe.each(WAYS)('for %s', (_what, work) => {
  test('a file in the place of the state folder is named, and stays', () => {
    const workspace = workspaceWith((path) => writeFileSync(path, 'mine'));
    expect(() => work(workspace)).toThrow(
      expect.objectContaining({
        code: 'E_WORKSPACE',
        message: expect.stringContaining('.agent_context is a file'),
        hint: expect.stringContaining('Move it away'),
      }),
    );
    expect(readdirSync(workspace)).toEqual(['.agent_context']);
  });

  // Links need a permission on Windows.
  test.runIf(process.platform !== 'win32')('a link is named, and nothing is done behind it', () => {
    const elsewhere = workspaceWith(() => {});
    const link = workspaceWith((path) => symlinkSync(elsewhere, path));
    expect(() => work(link)).toThrow(
      expect.objectContaining({ code: 'E_WORKSPACE', message: expect.stringContaining('a link;') }),
    );
    expect(readdirSync(elsewhere)).toEqual([]);
    const nowhere = workspaceWith((path) => symlinkSync('nowhere', path));
    expect(() => work(nowhere)).toThrow(
      expect.objectContaining({
        code: 'E_WORKSPACE',
        message: expect.stringContaining('a link that leads nowhere'),
      }),
    );
  });
});
