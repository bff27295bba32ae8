import { describe, expect, it } from 'vitest';
import type { KnownFile } from '../../src/schema/run-facts.ts';
import { dueChecks } from '../../src/steps/claim.ts';
import { dueExamples } from '../../src/steps/examples.ts';
import { bareState, file, planOf, subtask, WRITE } from '../support/run-state.ts';

const CALL = 'Write double(n). double(4) gives 8.';
const TYPED = 'Asks for spools and prints ells, so 2 gives 80.';
const OFFERS = file({ defines: ['double(n)'] });
const ASKS = file({ prompts: ['Spools? '] });
const last = subtask('1.1', WRITE, { status: 'in_progress' });
const proof = { cmd: 'node hello.mjs' };

const stateOf = (goal: string, files: { [path: string]: KnownFile }, open = [last]) =>
  bareState('guided', { goal, files, plan: planOf(open, { proof }) });

const filesTried = (...given: Parameters<typeof stateOf>) =>
  dueExamples(stateOf(...given)).map(({ file: path }) => path);

describe("the goal's own examples", () => {
  it('are tried on the file that offers the function', () => {
    expect(filesTried(CALL, { 'a.py': file(), 'tools.py': OFFERS })).toEqual(['tools.py']);
  });

  it('are tried on the program that asks once', () => {
    expect(filesTried(TYPED, { 'units.py': ASKS, 'notes.txt': file() })).toEqual(['units.py']);
  });

  it.each([
    ['Write area.py, e.g. python area.py 3 4 prints 12', 'area.py', 'python area.py 3 4 prints 12'],
    [
      'So "python -m sums odd 1 2 3" prints 2.',
      'sums/__main__.py',
      'python -m sums odd 1 2 3" prints 2',
    ],
    [
      'node --no-warnings area.mjs 3 4 prints 12',
      'area.mjs',
      'node --no-warnings area.mjs 3 4 prints 12',
    ],
  ])('are tried on the program that they call: %s', (goal, path, says) => {
    const [due] = dueExamples(stateOf(goal, { [path]: file() }));
    expect(due).toMatchObject({
      file: path,
      cmd: says.replace(/"? prints.*/, ''),
      example: { says },
    });
  });

  it.each([
    ['another stands for its values', 'python area.py N M prints 12', { 'area.py': file() }],
    ['its file is not there', 'python area.py 3 4 prints 12', { 'other.py': file() }],
    ['it runs tests', 'python test_area.py 3 prints 12', { 'test_area.py': file() }],
    ['it is no program', 'the file area.py 3 4 prints 12', { 'area.py': file() }],
    ['two files offer it', CALL, { 'a.py': OFFERS, 'b.py': OFFERS }],
    ['only its tests define it', CALL, { 'test_tools.py': OFFERS }],
    ['no file offers it', CALL, { 'tools.py': file({ defines: ['doubled(n)'] }) }],
    ['the file is gone', CALL, { 'tools.py': file({ defines: ['double(n)'], hash: null }) }],
    ['the language calls no functions', CALL, { 'tools.ts': OFFERS }],
    ['the program asks twice', TYPED, { 'units.py': file({ prompts: ['Spools? ', 'Name? '] }) }],
    ['the program is not of this run', TYPED, { 'units.py': { ...ASKS, written: false } }],
  ])('are not tried where %s', (_, goal, files) => {
    expect(filesTried(goal, files)).toEqual([]);
  });

  it('wait for the last subtask, and stand before the proof', () => {
    const next = subtask('1.2', WRITE);
    expect(filesTried(CALL, { 'tools.py': OFFERS }, [last, next])).toEqual([]);
    const due = dueChecks({
      ...stateOf(CALL, { 'tools.py': OFFERS }),
      active: null,
    });
    expect(due.map(({ isProof }) => isProof)).toEqual([false, true]);
  });
});
