import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lastErrorIn } from '../../src/cli/commands/last-error.ts';
import { historyWords } from '../../src/cli/render/records/history-words.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { stamp } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'last-error-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const asRecord = (record: object): JournalRecord => record as JournalRecord;

const called = (tool: string, target: string, rest: object): JournalRecord =>
  asRecord({
    ...{ type: 'action_finished', id: '1.1#1#0', tool, target, touches: 'process' },
    ...{ facts: {}, hashes: {}, ...rest },
  });

const CLOSED = called('run_cmd', 'make all', {
  status: 'denied',
  result: 'run_cmd is closed until there is a plan: call set_plan first.',
});
const CLAIMED = called('mark_subtask_complete', '', {
  ...{ touches: 'nothing', does: 'ends_subtasks', status: 'denied' },
  result: 'The last command did not end well: make all Then call mark_subtask_complete again.',
});
const PLANNED = asRecord({ type: 'plan_set' });
const AGAIN = asRecord({ type: 'replan_started', n: 1, why: 'it failed' });

/** The last record is the one that did not go. */
function told(records: readonly JournalRecord[], isMended = false): string | null {
  const path = join(folder, 'history.jsonl');
  const lines = stamp(records).map((record) => `${JSON.stringify(record)}\n`);
  writeFileSync(path, lines.join(''));
  const mended = isMended ? { isMended: true as const } : {};
  const error = { text: 'run_cmd: raw', about: '', seq: records.length, ...mended };
  return lastErrorIn(path, { recentErrors: [error], ended: null });
}

test.each<[string, readonly JournalRecord[], string | null]>([
  ['before a plan', [CLOSED], 'run make all: was refused before there was a plan'],
  ['in a new plan', [PLANNED, AGAIN, CLOSED], 'run make all: was refused before there was a plan'],
  [
    'of a claim',
    [PLANNED, CLAIMED],
    'calling it done: The last command did not end well: make all',
  ],
  [
    'of a rule',
    [
      PLANNED,
      called('run_cmd', 'git push', { status: 'denied', result: 'It is not allowed. Use git.' }),
    ],
    'run git push: It is not allowed.',
  ],
  [
    'of arguments',
    [
      called('write_file', '', {
        status: 'error',
        facts: { fault: 'arguments' },
        result: 'Unrecognized key: "file". The arguments are write_file {path: string}.',
      }),
    ],
    'write: its arguments do not fit: Unrecognized key: "file".',
  ],
  [
    'of a server',
    [
      called('mcp__eyes__stare', 'eyes.stare', {
        ...{ touches: 'network', status: 'mcp_error', result: 'mcp__eyes__stare was not called.' },
      }),
    ],
    'eyes.stare: was refused by its server: eyes.stare was not called.',
  ],
  [
    'of tests',
    [
      called('run_cmd', 'pytest -q', {
        ...{ status: 'error', result: 'exit code 1' },
        facts: { tests: { failed: 1, passed: 1, first: 'test_add: -1 == 3' } },
      }),
    ],
    'run pytest -q: 1 of 2 failed, test_add: -1 == 3',
  ],
  [
    'of a program',
    [
      called('run_cmd', 'node a.mjs', {
        status: 'error',
        result: 'exit code 1\nnode:internal/loader:1210\n  throw err;\nError: Cannot find module\n',
      }),
    ],
    'run node a.mjs: Error: Cannot find module',
  ],
])('the last error %s is told in words', (_, records, words) => {
  expect(told(records)).toBe(words);
});

test('an error that was mended, or whose record is not there, is not the last one', () => {
  expect(told([CLOSED], true)).toBeNull();
  const error = { text: 'run_cmd: raw', about: '', seq: 1 };
  const gone = join(folder, 'none.jsonl');
  expect(lastErrorIn(gone, { recentErrors: [error], ended: null })).toBeNull();
});

test('the history names questions, answers and what did not go as a person would', () => {
  const request = { id: 'ab12', tool: 'mcp__eyes__look', target: 'eyes.look', rules: [] };
  const words = (record: object, hasPlan = true) =>
    historyWords(stamp([asRecord(record)])[0] as never, hasPlan);
  expect([
    words({ type: 'approval_asked', question: 'mcp__eyes__look eyes.look', ...request }),
    words({ type: 'permission_noted', reason: 'No rule.', ...request }),
    words({ type: 'approval_given', id: 'ab12', allowed: true, why: 'a person said yes' }),
    words({
      ...{ type: 'approval_given', id: 'rule', allowed: true, why: '' },
      ...{ rule: 'run_cmd(git commit *)', scope: 'run' },
    }),
    words({ type: 'builds_taken', texts: {} }),
    words(CLOSED, false),
  ]).toEqual([
    'asked: eyes.look',
    'needs a yes: eyes.look: No rule.',
    'allowed once (a person said yes)',
    'allowed for this run: git commit *',
    null,
    'run make all: was refused before there was a plan',
  ]);
});
