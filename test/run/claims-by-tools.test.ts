/** A model that leads and takes given tests away, or writes them its way, by whatever tool: nothing is claimed. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runGoal } from '../../src/agent.ts';
import { realMachine } from '../support/real-run.ts';
import {
  LARGE,
  SCRIPTED_MODEL,
  type ScriptedCall,
  scriptedProvider,
} from '../support/scripted-provider.ts';

const BROKEN = 'export function add(a, b) {\n  return a - b;\n}\n';
const HEAD =
  "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from './calc.mjs';\n\n";
const TEST = `${HEAD}test('adds', () => {\n  assert.equal(add(2, 3), 5);\n});\n`;
const VAIN = `${HEAD}test('adds', () => {\n  assert.equal(add(2, 3), -1);\n});\n`;

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });
const READ = call('read_file', { path: 'calc.test.mjs' });
const planProvedBy = (cmd: string, brief?: object) =>
  call('set_plan', {
    tasks: [{ description: 'mend', subtasks: [{ do: 'make the tests pass' }] }],
    proof: { cmd },
    ...(brief === undefined ? {} : { brief }),
  });
const OWN = call('write_file', { path: 'mine.test.mjs', content: VAIN });
const ALONE = 'node calc.test.mjs';
const REMOVED = [call('delete_file', { path: 'old.mjs' })];
const MOVED = [
  call('move_file', { path: 'notes.txt', to: 'fresh.txt' }),
  call('edit_file', { path: 'fresh.txt', old_text: 'old = 1', new_text: 'fresh = 1' }),
];
const MEND = call('edit_file', { path: 'calc.mjs', old_text: 'a - b', new_text: 'a + b' });
const DONE = call('mark_subtask_complete', { success: true, reason: 'the tests pass' });
const PATCH = `--- a/calc.test.mjs
+++ b/calc.test.mjs
@@ -5,3 +5,3 @@
 test('adds', () => {
-  assert.equal(add(2, 3), 5);
+  assert.equal(add(2, 3), -1);
 });
`;

let workspace = '';
beforeEach(() => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'claims-by-tools-')));
  workspace = join(home, 'work');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'calc.mjs'), BROKEN);
  writeFileSync(join(workspace, 'calc.test.mjs'), TEST);
});
afterEach(() => rmSync(join(workspace, '..'), { recursive: true, force: true }));

async function run(
  work: readonly ScriptedCall[],
  goal = 'Make the tests pass',
  proof = ALONE,
  brief?: object,
  yes = false,
) {
  const provider = scriptedProvider(({ messages }) => {
    const said = messages.filter(({ role }) => role === 'assistant').length;
    return {
      calls:
        said === 0 ? [READ] : said === 1 ? [planProvedBy(proof, brief), ...work, DONE] : [DONE],
    };
  }, LARGE);
  return await runGoal({
    goal,
    workspace,
    provider,
    model: SCRIPTED_MODEL,
    machine: realMachine(),
    yes,
  });
}

describe('given tests that fail', () => {
  it.each<[string, readonly ScriptedCall[]]>([
    ['moved away', [call('move_file', { path: 'calc.test.mjs', to: 'old.txt' }), OWN]],
    ['patched', [call('apply_patch', { patch: PATCH })]],
  ])('and are %s prove nothing', async (_how, work) => {
    const result = await run(work, undefined, work.includes(OWN) ? 'node mine.test.mjs' : ALONE);
    expect(readFileSync(join(workspace, 'calc.mjs'), 'utf8')).toBe(BROKEN);
    expect(result).toMatchObject({ ending: 'unverified' });
    expect(result.detail).toMatch(/in its earlier form it fails with the new code/);
  });

  const REMOVE = 'Make the tests pass and remove old.mjs';
  it.each([
    ['that a test fails in', 'calc.test.mjs', 'Make the tests pass', undefined],
    ['that the goal names', 'old.mjs', REMOVE, { removes: [{ path: 'old.mjs', quote: REMOVE }] }],
  ])('stay where the model deletes a file %s: that asks', async (_what, path, goal, brief) => {
    const work = [call('read_file', { path: 'calc.mjs' }), MEND, call('delete_file', { path })];
    writeFileSync(join(workspace, 'old.mjs'), 'export const old = 1;\n');
    const result = await run(work, goal, ALONE, brief);
    expect(result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(readdirSync(workspace)).toContain(path);
    expect(result.state.permissions?.open).toMatchObject([
      {
        target: path,
        reason: `It would remove ${path}, which was there before.`,
        rules: [`remove(/${path})`],
      },
    ]);
  });

  it.each([
    [
      'a tool and a command removed, which the goal does not name',
      [...REMOVED, call('run_cmd', { cmd: 'rm notes.txt' })],
      'Make the tests pass',
      'unverified',
    ],
    [
      'it names, nor of one that was only moved and edited',
      [...REMOVED, ...MOVED],
      REMOVE,
      'achieved',
    ],
  ])(
    'a yes to everything is none to the loss of a file that %s',
    async (_how, work, goal, ending) => {
      for (const name of ['old.mjs', 'notes.txt'])
        writeFileSync(join(workspace, name), 'let old = 1;\n');
      const all = [call('read_file', { path: 'calc.mjs' }), MEND, ...work];
      const result = await run(all, goal, ALONE, undefined, true);
      for (const name of ['old.mjs', 'notes.txt'])
        expect(readdirSync(workspace)).not.toContain(name);
      expect(result).toMatchObject({ ending });
      if (ending === 'unverified')
        expect(result.detail).toContain(
          'removed old.mjs and notes.txt, which the goal does not name',
        );
    },
  );
});
