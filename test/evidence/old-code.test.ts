/** What the code as it was before says of a run's own tests, and how that is told. */
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/evidence/evidence.ts';
import { type Answers, GREEN, judged, OWN_TESTS, RED } from './judge-support.ts';

describe('tests of its own', () => {
  const shown = async (more: Partial<Evidence>, answers: Answers = {}) => {
    const red = { old_code: RED, 'emptied a.py': RED, 'emptied b.py': RED };
    const { words } = await judged(
      { ...OWN_TESTS, hasChangedOldCode: true, ...more },
      { ...red, ...answers },
    );
    return words.replace(/^.*checked: the tests of this run fail with /, '');
  };
  it('fail with the old code, which says more than with empty functions', async () => {
    const mixed = { code: ['a.py', 'b.py'], newCode: ['b.py'] };
    const given = { hasGivenTests: true, isNew: false, before: 'passed' } as const;
    expect(await shown({ newCode: [] })).toBe('the code as it was before');
    expect(await shown({ ...given, newCode: [] })).toBe('the code as it was before');
    expect(await shown(mixed)).toBe('the code as it was before, and with b.py emptied');
  });
  it('fail with empty functions where given tests fail with the old code', async () => {
    const wanted = ['test_a.py'];
    const given = { hasGivenTests: true, isNew: false, newCode: [], wantedTests: wanted };
    expect(await shown({ ...given, before: 'failing' })).toBe('a.py emptied');
    expect(await shown(given, { before: RED })).toBe('a.py emptied');
    expect(await shown(given, { before: GREEN })).toBe('the code as it was before');
  });
  it('can be mended where they pass with the old code, if there are any', async () => {
    const old = { ...OWN_TESTS, hasChangedOldCode: true };
    const words = 'python -m pytest -q passes with the code as it was before, too';
    const own = await judged(old, { old_code: GREEN });
    expect(own).toMatchObject({ isProved: false, words, mend: 'tests_notice_nothing' });
    const none = await judged({ ...old, ownTests: [] }, { old_code: GREEN });
    expect(none).toMatchObject({ isProved: false, words });
    expect(none).not.toHaveProperty('mend');
  });
  it('are counted, not the files that they stand in', async () => {
    const printed = ' Test Files  13 passed (13)\n      Tests  505 passed (505)\n';
    const { words } = await judged({ ...OWN_TESTS, printed }, { 'emptied a.py': RED });
    expect(words).toContain('(505 passed); checked: the tests');
  });
});
