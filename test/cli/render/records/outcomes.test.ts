import { expect, test } from 'vitest';
import { historyWords } from '../../../../src/cli/render/records/history-words.ts';
import { notesAfter } from '../../../../src/cli/render/records/notes.ts';
import { failedAction, failedRun, passedRun } from '../../../../src/cli/render/records/outcomes.ts';
import { whyNot } from '../../../../src/cli/render/records/tried.ts';
import { createStyle } from '../../../../src/cli/render/text/style.ts';

const { glyphs } = createStyle(
  { env: { LANG: 'C.UTF-8' }, platform: 'linux' },
  { isTerminal: false },
);

test.each([
  [{ exitCode: 0 }, 'a b: it printed nothing', '  ✗ a b · it printed nothing'],
  [{ exitCode: 3 }, 'a b: it ended badly', '  ✗ a b · exit code 3'],
  [{ exitCode: 1, tests: { failed: 0, passed: 571 } }, '', '  ✗ a b · 571 passed, exit code 1'],
  [{ exitCode: 1, tests: { failed: 1, passed: 1 } }, '', '  ✗ a b · 1 of 2 failed'],
])('a command that failed with %j is named once', (facts, said, line) => {
  expect(failedRun(facts, 'a b', said, glyphs)).toBe(line);
});

test('a call that had to wait for a plan is not called forbidden', () => {
  const denied = {
    ...{ type: 'action_finished', status: 'denied', touches: 'process', target: 'make' },
    ...{ facts: {}, result: 'run_cmd is closed' },
  } as unknown as Parameters<typeof failedAction>[0];
  const told = (hasPlan: boolean) => failedAction(denied, undefined, glyphs, hasPlan)[0]?.text;
  expect(told(false)).toBe('  ✗ make: was refused before there was a plan');
  expect(told(true)).toBe('  ✗ make: was refused');
  const byRule = { ...denied, facts: { refused: true } } as const;
  expect(failedAction(byRule, undefined, glyphs, false)[0]?.text).toBe('  ✗ make: was refused');
  expect(whyNot({ ...byRule, result: 'It needs a yes. Ask.' }, false)).toBe('It needs a yes.');
});

test('a plan that was not taken is shown with its fault, as long as there is none', () => {
  const refused = {
    ...{ type: 'action_finished', status: 'error', touches: 'nothing', tool: 'set_plan' },
    ...{
      target: '',
      facts: {},
      result: 'tasks: expected array, received string. The arguments are …',
    },
  } as unknown as Parameters<typeof failedAction>[0];
  expect(failedAction(refused, undefined, glyphs, false)[0]?.text).toBe(
    '  ✗ set_plan: tasks: expected array, received string.',
  );
  expect(failedAction(refused, undefined, glyphs, true)).toEqual([]);
  const unusable = {
    ...refused,
    result: 'This plan cannot be used: gcc is missing. Name another.',
  };
  expect(failedAction(unusable, undefined, glyphs, false)[0]?.text).toBe(
    '  ✗ set_plan: This plan cannot be used: gcc is missing.',
  );
});

test('a file that was never read is not said to have changed since', () => {
  const unread = {
    ...{ type: 'action_finished', status: 'conflict', touches: 'files', target: 'a.py', facts: {} },
    result: 'a.py exists already and was not read yet. Read it with read_file first.',
  } as unknown as Parameters<typeof failedAction>[0];
  expect(failedAction(unread, undefined, glyphs)[0]?.text).toBe(
    '  ✗ a.py: was not read as it is now',
  );
});

test('a refused edit is told in a person’s words, without those for the model', () => {
  const refused = {
    ...{ type: 'action_finished', status: 'error', touches: 'files', target: 'a.txt', tool: 'e' },
    ...{ facts: {}, result: 'old_text is not in a.txt, but new_text is: it seems made. Read it.' },
  } as unknown as Parameters<typeof failedAction>[0];
  const said = 'the text to replace is not in a.txt, but the new text is: it seems made.';
  expect(failedAction(refused, undefined, glyphs)[0]?.text).toBe(`  ✗ a.txt: ${said}`);
  expect(whyNot(refused)).toBe(said);
});

test('an error that begins with the name of its file is told with that name once', () => {
  const refused = {
    ...{ type: 'action_finished', status: 'error', touches: 'files', target: 'NUL', facts: {} },
    result: 'NUL is refused: "NUL" is the name of a device on Windows.',
  } as unknown as Parameters<typeof failedAction>[0];
  expect(failedAction(refused, undefined, glyphs)[0]?.text).toBe(`  ✗ ${refused.result}`);
});

test('of a program that threw its error is told, and not the last call on its stack', () => {
  const said =
    'node:assert:126\n  throw new E(obj);\n  ^\n\nAssertionError: -1 == 5\n\n    at add (/w/test.js:3:8)\n    at node:internal/main:49:3\n\nNode.js v20.20.2\n';
  expect(failedRun({ exitCode: 1 }, 'a b', said, glyphs)).toBe('  ✗ a b · AssertionError: -1 == 5');
});

test('a command in a folder of the workspace is told with its folder', () => {
  const args = { cmd: 'npm test', cwd: 'packages/a' };
  expect(passedRun({ facts: {} }, { args }, glyphs)).toBe('  ✓ npm test (in packages/a)');
  expect(passedRun({ facts: {} }, { args: { ...args, cwd: '.' } }, glyphs)).toBe('  ✓ npm test');
});

test('a call of a server that went well is named in the plan by what it was', () => {
  const intended = { id: '1.1#1#0', class: 'command', args: {}, files: [] };
  const done = { id: '1.1#1#0', status: 'ok', target: 'files.read', facts: {} };
  const [of, how] = [intended, done] as unknown as [
    Parameters<typeof notesAfter>[1],
    Parameters<typeof notesAfter>[2],
  ];
  expect(notesAfter({}, of, how)['1.1']).toMatchObject([{ cmd: 'files.read', isGood: true }]);
});

test('of a proof that failed the history names the test, and not what was printed first', () => {
  const tests = { failed: 1, passed: 1, first: 'test_add: -1 == 3' };
  const record = {
    ...{ type: 'check_ran', passed: false, proof: true, text: 'it ended with exit code 1 .F ====' },
    ...{ check: { cmd: 'pytest -q' }, facts: { tests } },
  } as unknown as Parameters<typeof historyWords>[0];
  expect(historyWords(record)).toBe('proof failed: pytest -q: 1 of 2 failed, test_add: -1 == 3');
});

test('a turn is told by what it was for, in words', () => {
  const usage = {
    ...{ input: 9, output: 2, thinking: 0, cacheRead: 0, cacheWrite: 0 },
    modelMs: 5,
  };
  const turn = {
    ...{ type: 'turn_finished', purpose: 'brief', status: { kind: 'success' }, detail: '', usage },
  } as unknown as Parameters<typeof historyWords>[0];
  expect(historyWords(turn)).toBe(
    'the model gave its reading of the goal, 9 tokens in, 2 out, 5 ms',
  );
});

test.each([
  ['a.txt.', 'a.txt. is refused: it ends in a dot. Use another.', 'it ends in a dot.'],
  ['What? No.md', 'What? No.md is refused: it holds a ?.', 'it holds a ?.'],
  ['notes', 'notes. is a folder. Name a file.', 'notes.'],
])('a dot in the name %s ends no sentence', (target, result, end) => {
  const refused = {
    ...{ type: 'action_finished', status: 'error', touches: 'files', target, tool: 'e' },
    ...{ facts: {}, result },
  } as unknown as Parameters<typeof failedAction>[0];
  expect(failedAction(refused, undefined, glyphs)[0]?.text.endsWith(end)).toBe(true);
  expect(whyNot(refused).endsWith(end)).toBe(true);
});
