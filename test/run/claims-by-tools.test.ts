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
const BY_COMMAND = [call('run_cmd', { cmd: 'rm old.mjs' })];
const MOVED = [
  call('move_file', { path: 'old.mjs', to: 'new.mjs' }),
  call('edit_file', { path: 'new.mjs', old_text: 'old = 1', new_text: 'fresh = 1' }),
];
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

/** @param proof with `--test` it is two processes each time: where other files are no tests, one will do */
async function run(
  work: readonly ScriptedCall[],
  goal = 'Make the tests pass',
  proof = 'node --test',
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
    const result = await run(work, undefined, work.includes(OWN) ? 'node --test' : ALONE);
    expect(readFileSync(join(workspace, 'calc.mjs'), 'utf8')).toBe(BROKEN);
    expect(result).toMatchObject({ ending: 'unverified' });
    expect(result.detail).toMatch(/in its earlier form it fails with the new code/);
  });

  it.each([
    ['that a test fails in', 'calc.test.mjs'],
    ['that nobody spoke of', 'notes.txt'],
  ])('stay where the model deletes a file %s: that asks', async (_what, path) => {
    const mend = call('edit_file', { path: 'calc.mjs', old_text: 'a - b', new_text: 'a + b' });
    const work = [call('read_file', { path: 'calc.mjs' }), mend, call('delete_file', { path })];
    writeFileSync(join(workspace, 'notes.txt'), 'call Ole\n');
    const result = await run(work, undefined, ALONE);
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
    ['took away', "fs.rmSync('notes.txt')", 'unverified'],
    ['only moved', "fs.renameSync('notes.txt', 'said.txt')", 'achieved'],
    [
      'made first and then took away',
      "fs.writeFileSync('x.txt', '1'); fs.rmSync('x.txt')",
      'achieved',
    ],
  ])('prove no change whose command lost a file: one that it %s', async (_what, code, ending) => {
    const mend = call('edit_file', { path: 'calc.mjs', old_text: 'a - b', new_text: 'a + b' });
    const script = `import fs from 'node:fs';\n${code};\n`;
    const work = [
      call('read_file', { path: 'calc.mjs' }),
      mend,
      call('write_file', { path: 'step.mjs', content: script }),
      call('run_cmd', { cmd: 'node step.mjs' }),
    ];
    writeFileSync(join(workspace, 'notes.txt'), 'call Ole\n');
    const result = await run(work, undefined, ALONE);
    expect(result).toMatchObject({ ending });
    if (ending === 'unverified') expect(result.detail).toContain('notes.txt was removed');
  });

  const REMOVE = 'Make the tests pass and remove old.mjs';
  const STAYS = 'Make the tests pass. Do not remove old.mjs';
  it.each([
    ['names it', REMOVE, undefined],
    [
      'names it, and the brief quotes that',
      REMOVE,
      { removes: [{ path: 'old.mjs', quote: REMOVE }] },
    ],
    [
      'wants it to stay, and the brief quotes it for the opposite',
      STAYS,
      { removes: [{ path: 'old.mjs', quote: STAYS }] },
    ],
  ])('ask before a file is taken away: the goal %s', async (_how, goal, brief) => {
    const mend = call('edit_file', { path: 'calc.mjs', old_text: 'a - b', new_text: 'a + b' });
    writeFileSync(join(workspace, 'old.mjs'), 'export const old = 1;\n');
    const gone = call('delete_file', { path: 'old.mjs' });
    const work = [call('read_file', { path: 'calc.mjs' }), mend, gone];
    const result = await run(work, goal, ALONE, brief);
    expect(result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(readdirSync(workspace)).toContain('old.mjs');
  });

  const CLEAN = 'Make the tests pass and remove old.mjs';
  it.each([
    ['a tool removed, which the goal does not name', 'Make the tests pass', REMOVED, 'unverified'],
    [
      'a command removed, which the goal does not name',
      'Make the tests pass',
      BY_COMMAND,
      'unverified',
    ],
    ['it names', CLEAN, REMOVED, 'achieved'],
    ['was only moved and edited', 'Make the tests pass', MOVED, 'achieved'],
  ])(
    'a yes to everything is none to the loss of a file that %s',
    async (_how, goal, work, ending) => {
      const mend = call('edit_file', { path: 'calc.mjs', old_text: 'a - b', new_text: 'a + b' });
      writeFileSync(join(workspace, 'old.mjs'), 'export const old = 1;\n');
      const all = [call('read_file', { path: 'calc.mjs' }), mend, ...work];
      const result = await run(all, goal, ALONE, undefined, true);
      expect(readdirSync(workspace)).not.toContain('old.mjs');
      expect(result).toMatchObject({ ending });
      if (ending === 'unverified')
        expect(result.detail).toContain('removed old.mjs, which the goal does not name');
    },
  );
});
