/** Which code a proof that was red before must notice, by what the copy answers. */
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/evidence/evidence.ts';
import { type Answers, GIVEN_TESTS, GREEN, judged, NONE, RED, ran } from '../judge-support.ts';

const alteration = (line: number) => ({ path: 'b.py', line, at: 0, from: '1', to: '2' });
const MENDED: Evidence = { ...GIVEN_TESTS, before: 'failing', code: ['a.py', 'b.py'] };
const OLD = { path: 'b.py', isNew: false, canBeEmptied: true, alterations: [] };
const NEW = { ...OLD, isNew: true };

const UNBUILT = ran(false, { output: 'cc b.c\nmake: *** [Makefile:2: b] Error 1' });

const ends = (noticeable: Evidence['noticeable'], answers: Answers) =>
  judged({ ...MENDED, noticeable }, { 'before again': RED, ...answers });

describe('code that a proof passes without', () => {
  it.each<[string, Evidence['noticeable'], Answers]>([
    ['changed code that was put back', [OLD], { put_back: GREEN }],
    ['new code that does nothing', [NEW], { 'emptied b.py': GREEN }],
    [
      'new code that nobody can empty, and that is not there',
      [{ ...NEW, canBeEmptied: false }],
      { put_back: GREEN },
    ],
    [
      'changed code of which few values are noticed',
      [{ ...OLD, alterations: [alteration(1), alteration(2)] }],
      { put_back: GREEN, altered: GREEN },
    ],
    [
      'changed code of which no alteration builds',
      [{ ...OLD, alterations: [alteration(1)] }],
      { put_back: GREEN, altered: UNBUILT, 'broken b.py': UNBUILT },
    ],
  ])('%s is not shown by it', async (_, noticeable, answers) => {
    expect(await ends(noticeable, answers)).toMatchObject({
      isProved: false,
      mend: 'tests_notice_nothing',
      words: expect.stringContaining("also passes without this run's work in b.py"),
    });
  });

  it.each<[string, Evidence['noticeable'], Answers]>([
    ['it fails without it', [OLD], { put_back: RED }],
    ['it fails with it emptied', [NEW], { 'emptied b.py': RED }],
    ['there is nothing in it to empty', [NEW], { 'emptied b.py': { kind: 'nothing' } }],
    ['the proof writes it itself', [OLD], { put_back: ran(true, { made: ['b.py'] }) }],
    [
      'its values are noticed',
      [{ ...OLD, alterations: [alteration(1)] }],
      { put_back: GREEN, altered: RED },
    ],
    ['nobody can tell', [OLD], { put_back: NONE }],
  ])('speaks against nothing where %s', async (_, noticeable, answers) => {
    expect(await ends(noticeable, answers)).toMatchObject({ isProved: true });
  });

  it('is asked about where a Makefile names it, but not where the proof runs it', async () => {
    const changedOfProof = { ...MENDED.changedOfProof, named: ['b.py'] };
    const evidence = { ...MENDED, changedOfProof, noticeable: [OLD], isTestRun: false };
    const green = { 'before again': RED, put_back: GREEN };
    const named = await judged(evidence, { ...green, 'blank b.py': RED });
    expect(named).toMatchObject({
      isProved: false,
      words: expect.stringContaining('work in b.py, so'),
    });
    // Of code in C nobody knows how to make it fail where it is run.
    const unknown = { ...green, 'blank b.py': GREEN, 'failing b.py': { kind: 'nothing' } } as const;
    expect(await judged(evidence, unknown)).toMatchObject({ isProved: false });
    const isRun = await judged(evidence, { ...green, 'blank b.py': GREEN, 'failing b.py': RED });
    expect(isRun).toMatchObject({ isProved: true });
  });
});
