/** What may be claimed of real JavaScript in real folders. Costly: one run a case. */
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../src/schema/records.ts';
import { type RealWork, runReally } from '../support/real-run.ts';

const ADD = 'export function add(a, b) {\n  return a + b;\n}\n';
const BROKEN = 'export function add(a, b) {\n  return a - b;\n}\n';
const HEAD =
  "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add } from './calc.mjs';\n\n";
const TEST = `${HEAD}test('adds', () => {\n  assert.equal(add(2, 3), 5);\n});\n`;
const alone = { cmd: 'node calc.test.mjs' };

const ending = async (work: RealWork) => {
  const { result, asked } = await runReally(work);
  return { ending: result.ending, detail: 'detail' in result ? result.detail : '', asked };
};

describe('in JavaScript', () => {
  it('a fault mended under given tests is achieved, as seen before the first change', async () => {
    const { result, records } = await runReally({
      goal: 'Fix the fault in calc.mjs',
      given: { 'calc.mjs': BROKEN, 'calc.test.mjs': TEST },
      files: { 'calc.mjs': [ADD] },
      verify: alone,
    });
    expect(result).toMatchObject({ ending: 'achieved' });
    const first = records.find((one) => one.type === 'check_ran');
    expect(first).toMatchObject({ when: 'before', red: 'failing', passed: false });
    const changed = records.findIndex(
      (one) => one.type === 'action_intended' && one.class === 'write',
    );
    expect(records.indexOf(first as JournalRecord)).toBeLessThan(changed);
  });

  it('a module as its own proof shows nothing of the program that it is for', async () => {
    // The server imports what the store does not export: it cannot even start.
    const seen = await ending({
      goal: 'Write a todo service: src/server.mjs keeps its list by src/store.mjs',
      files: {
        'src/store.mjs': ['export const list = [];\nconsole.log("store is ready");\n'],
        'src/server.mjs': ["import { list } from './store.mjs';\nconsole.log(list.length);\n"],
      },
      verify: { cmd: 'node src/store.mjs', prints: 'store is ready' },
    });
    expect(seen).toMatchObject({ ending: 'unverified' });
  });

  it('dependencies above the copy are found by it, and are not copied', async () => {
    const seen = await ending({
      goal: 'Create calc.mjs that exports add(a, b), with tests',
      given: {
        'package.json': '{"name":"calc","type":"module"}\n',
        'node_modules/plus/package.json': '{"name":"plus","type":"module","main":"index.js"}\n',
        'node_modules/plus/index.js': 'export const plus = (a, b) => a + b;\n',
      },
      files: {
        'calc.mjs': [
          "import { plus } from 'plus';\n\nexport function add(a, b) {\n  return plus(a, b);\n}\n",
        ],
        'calc.test.mjs': [TEST],
      },
      verify: alone,
    });
    expect(seen).toMatchObject({ ending: 'achieved' });
  });
});
