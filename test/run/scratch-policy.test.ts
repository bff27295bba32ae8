/** A command that is tried in the copy reaches no further than the copy. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realFolder, runReally, textIn } from '../support/real-run.ts';

const TEST =
  "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { writeFileSync } from 'node:fs';\nimport { one } from './one.mjs';\n\ntest('writes beside itself', () => {\n  writeFileSync('made.txt', String(one()));\n  assert.equal(one(), 1);\n});\n";

describe('what is tried in a copy', () => {
  it('is written in the copy, and leaves the workspace as it is', async () => {
    const { result, folder, asked } = await runReally({
      goal: 'Create one.mjs that exports one(), with tests',
      files: { 'one.mjs': ['export function one() {\n  return 1;\n}\n'], 'one.test.mjs': [TEST] },
      verify: { cmd: 'node one.test.mjs' },
    });
    expect(result.ending).toBe('achieved');
    expect(asked).toEqual([
      'unchanged',
      'emptied one.mjs',
      'constant one.mjs',
      'altered with 987654321 for 1 in one.test.mjs:8',
    ]);
    // The emptied one would have left `undefined`.
    expect(textIn(folder, 'made.txt')).toBe('1');
    expect(textIn(folder, join('.agent_context', 'scratch', 'made.txt'))).toBeNull();
  });

  it('is not tried where its command names the workspace itself', async () => {
    const folder = realFolder();
    const { result, records } = await runReally(
      {
        goal: 'Create one.mjs that exports one(), with tests',
        files: {
          'one.mjs': ['export function one() {\n  return 1;\n}\n'],
          'one.test.mjs': [TEST],
        },
        verify: { cmd: `node ${folder}/one.test.mjs` },
      },
      folder,
    );
    expect(result).toMatchObject({ ending: 'unverified', state: { proof: { passed: true } } });
    const tried = records.filter((one) => one.type === 'check_ran' && one.scratch);
    expect(tried).toMatchObject([{ passed: false, facts: { exitCode: null } }]);
    expect(
      records.filter((one) => one.type === 'action_started' && one.id.startsWith('scratch')),
    ).toEqual([]);
  });
});
