import { describe, expect, it } from 'vitest';
import { originalOf } from '../../../../src/context-manager/fold/files/known-files.ts';
import { file } from '../../../support/run-state.ts';

describe('the text of a file before the run', () => {
  const none = { files: {}, more: 0, uncovered: {} };
  const change = (path: string, before: string | null, from?: string) => ({
    ...{ path, before, after: 'new' },
    ...(from === undefined ? {} : { from }),
  });

  it('is what the first write found, however often it is written', () => {
    const first = { files: {}, commandChanges: none };
    expect(originalOf(first, 'a.js', [change('a.js', 'old')])).toBe('old');
    const later = { files: { 'a.js': file({ original: 'old' }) }, commandChanges: none };
    expect(originalOf(later, 'a.js', [change('a.js', 'mine')])).toBe('old');
  });

  it('is none of a file that the run made, and goes with one that is moved', () => {
    const files = { 'a.js': file({ original: null }), 'b.js': file({ original: 'old' }) };
    const known = { files, commandChanges: none };
    expect(originalOf(known, 'a.js', [change('a.js', 'mine')])).toBeNull();
    expect(originalOf(known, 'c.js', [change('c.js', null, 'b.js')])).toBe('old');
  });

  it('is what stood there before a command of the run changed it', () => {
    const byCommand = {
      ...none,
      files: { 'a.js': { before: 'old', after: 'x', isUnseen: false, seq: 7 } },
    };
    const known = { files: {}, commandChanges: byCommand };
    expect(originalOf(known, 'a.js', [change('a.js', 'x')])).toBe('old');
  });
});
