import { describe, expect, it } from 'vitest';
import { changedSince, judged, withoutOthers } from '../../../src/context-manager/fold/best.ts';
import type { Finished } from '../../../src/context-manager/fold/finished.ts';
import type { ActionFacts } from '../../../src/schema/actions.ts';
import type { RunState } from '../../../src/schema/state.ts';
import { active, file } from '../../support/run-state.ts';

type Outcome = readonly [passed: boolean, facts: ActionFacts, files?: RunState['files']];

const PASSED: Outcome = [true, { exitCode: 0 }];
const OTHER_OUTPUT: Outcome = [false, { exitCode: 0, shortfall: 'output' }];
const fails = (failingTests: number): Outcome => [false, { exitCode: 1, failingTests }];
const BROKE: Outcome = [false, { exitCode: 1 }];
const NOT_COLLECTED: Outcome = [false, { exitCode: 2, failingTests: 1 }];
const UNPARSED: Outcome = [false, { exitCode: 1 }, { 'a.py': file({ problems: ['no'] }) }];

describe('The best that a subtask had', () => {
  it.each<[string, Outcome, Outcome, boolean]>([
    ['fewer failing tests are better', fails(3), fails(1), true],
    ['more failing tests are not', fails(1), fails(3), false],
    ['as many are as good, and newer', fails(2), fails(2), true],
    ['tests that ran are better than a program that broke', BROKE, fails(9), true],
    ['tests that were not even found are not', fails(9), NOT_COLLECTED, false],
    ['what parses is better than what does not', UNPARSED, BROKE, true],
    ['what does not parse is not', BROKE, UNPARSED, false],
    ['another output is better than a program that broke', BROKE, OTHER_OUTPUT, true],
    ['one other output is not better than the first', OTHER_OUTPUT, OTHER_OUTPUT, false],
    ['nothing is better than what passed', PASSED, OTHER_OUTPUT, false],
  ])('%s', (_, first, second, isNew) => {
    const best = judged(active(), { cmd: 'x', passed: first[0], facts: first[1] }, first[2] ?? {})
      .best!;
    const changed = active({ best: { ...best, since: { 'a.py': 'before' } } });
    const after = judged(
      changed,
      { cmd: 'x', passed: second[0], facts: second[1] },
      second[2] ?? {},
    );
    expect(after.best?.since).toEqual(isNew ? {} : { 'a.py': 'before' });
  });

  it('is told anew by another command', () => {
    const [passed, facts] = PASSED;
    const state = judged(active(), { cmd: 'x', passed, facts }, {});
    expect(judged(state, { cmd: 'y', passed: false, facts: {} }, {}).best?.cmd).toBe('y');
  });
});

const BEST = { cmd: 'x', score: [0, 0, 0], since: {} };
const FILES = { 'a.py': file({ hash: 'first' }) };
const outcome = (does: string, hash: string) =>
  ({ does, status: 'ok', hashes: { 'a.py': hash }, facts: {} }) as unknown as Finished;

describe('What comes back', () => {
  it('is what a file held before its first change since the best', () => {
    const once = changedSince(BEST, FILES, outcome('writes_whole_files', 'second'));
    const second = { 'a.py': file({ hash: 'second' }) };
    const twice = changedSince(once, second, outcome('edits_files', 'third'));
    expect(twice.since).toEqual({ 'a.py': 'first' });
  });

  it('is nothing where somebody else changed the file since', () => {
    const best = { ...BEST, since: { 'a.py': 'first', 'b.py': 'own' } };
    const second = { 'a.py': file({ hash: 'second' }), 'b.py': file({ hash: 'now' }) };
    expect(changedSince(best, second, outcome('reads_files', 'theirs')).since).toEqual({
      'b.py': 'own',
    });
    expect(withoutOthers(best, second, { 'a.py': 'second' }).since).toEqual(best.since);
  });
});
