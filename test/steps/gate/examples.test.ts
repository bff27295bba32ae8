import { describe, expect, it } from 'vitest';
import type { BriefExample } from '../../../src/schema/model/brief.ts';
import type { KnownFile } from '../../../src/schema/state-parts/run-facts.ts';
import { dueChecks } from '../../../src/steps/gate/claim.ts';
import { dueExamples } from '../../../src/steps/gate/examples.ts';
import { bareState, file, planOf, subtask, WRITE } from '../../support/run-state.ts';

const literal = (input: BriefExample['input'], gives: unknown): BriefExample => ({
  ...{ quote: 'as it stands', input, gives, literal: true },
});
const CALL = literal({ how: 'call', name: 'double', args: [4] }, 8);
const TYPED = literal({ how: 'stdin', text: '2' }, '80');
const command = (line: string) => literal({ how: 'argv', argv: line.split(' ') }, '12');
const OFFERS = file({ defines: ['double(n)'] });
const ASKS = file({ prompts: ['Spools? '] });
const last = subtask('1.1', WRITE, { status: 'in_progress' });
const proof = { cmd: 'node hello.mjs' };

const stateOf = (example: BriefExample, files: { [path: string]: KnownFile }, open = [last]) =>
  bareState('guided', {
    brief: { examples: [example], keep: [], removes: [] },
    ...{ files, plan: planOf(open, { proof }) },
  });

const filesTried = (...given: Parameters<typeof stateOf>) =>
  dueExamples(stateOf(...given)).map(({ file: path }) => path);

describe('literal examples of the goal', () => {
  it('are tried on the file that offers the function', () => {
    expect(filesTried(CALL, { 'a.py': file(), 'tools.py': OFFERS })).toEqual(['tools.py']);
  });

  it('are tried on the program that asks once', () => {
    expect(filesTried(TYPED, { 'units.py': ASKS, 'notes.txt': file() })).toEqual(['units.py']);
  });

  it.each([
    ['python area.py 3 4', 'area.py', { isWhole: true }],
    ['python -m sums odd 1 2 3', 'sums/__main__.py', { isWhole: true }],
    ['node --no-warnings area.mjs 3 4', 'area.mjs', { isWhole: true }],
    ['area.py 3 4', 'area.py', { words: ['3', '4'] }],
  ])('are tried on the program that they call: %s', (line, path, more) => {
    const [due] = dueExamples(stateOf(command(line), { [path]: file() }));
    expect(due).toMatchObject({ file: path, ...more });
  });

  it.each([
    ['its file is not there', command('python area.py 3 4'), { 'other.py': file() }],
    ['it runs tests', command('python test_area.py 3'), { 'test_area.py': file() }],
    ['it is no program', command('the file area.py 3 4'), { 'area.py': file() }],
    ['a word of it has marks', command('area.py "3 4"'), { 'area.py': file() }],
    ['two files offer it', CALL, { 'a.py': OFFERS, 'b.py': OFFERS }],
    ['only its tests define it', CALL, { 'test_tools.py': OFFERS }],
    ['no file offers it', CALL, { 'tools.py': file({ defines: ['doubled(n)'] }) }],
    ['the file is gone', CALL, { 'tools.py': file({ defines: ['double(n)'], hash: null }) }],
    ['the language calls no functions', CALL, { 'tools.ts': OFFERS }],
    ['the program asks twice', TYPED, { 'units.py': file({ prompts: ['Spools? ', 'Name? '] }) }],
    ['the program is not of this run', TYPED, { 'units.py': { ...ASKS, written: false } }],
    ['they do not stand in the goal whole', { ...CALL, literal: undefined }, { 'a.py': OFFERS }],
    ['nobody says what comes out', { ...CALL, gives: undefined }, { 'a.py': OFFERS }],
  ] as [string, BriefExample, { [path: string]: KnownFile }][])(
    'are not tried where %s',
    (_, example, files) => {
      expect(filesTried(example, files)).toEqual([]);
    },
  );

  it('wait for the last subtask, and stand before the proof', () => {
    const next = subtask('1.2', WRITE);
    expect(filesTried(CALL, { 'tools.py': OFFERS }, [last, next])).toEqual([]);
    const due = dueChecks({ ...stateOf(CALL, { 'tools.py': OFFERS }), active: null });
    expect(due.map(({ isProof }) => isProof)).toEqual([false, true]);
  });
});
