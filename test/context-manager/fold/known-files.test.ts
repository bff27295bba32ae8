import { describe, expect, it } from 'vitest';
import { originalOf, settledByTests } from '../../../src/context-manager/fold/known-files.ts';
import { file } from '../../support/run-state.ts';

const STYLE = "line 2: ../src/sum does not exist: write '../src/sum.js'";
const UNREAD = 'line 1: does not parse, Unexpected token';

describe('tests that pass after the last write', () => {
  const files = { 'a.test.js': file({ problems: [STYLE] }), 'b.js': file({ problems: [UNREAD] }) };

  it('settle what a look had against a file, unless it cannot be read', () => {
    const after = settledByTests(files, { exitCode: 0, tests: { failed: 0, passed: 3 } });
    expect(after['a.test.js']?.problems).toEqual([]);
    expect(after['b.js']?.problems).toEqual([UNREAD]);
  });

  it.each([
    ['did not end well', { exitCode: 1, tests: { failed: 0, passed: 3 } }],
    ['failed in part', { exitCode: 0, tests: { failed: 1, passed: 3 } }],
    ['were none', { exitCode: 0, tests: { failed: 0, passed: 0 } }],
    ['were no tests', { exitCode: 0 }],
  ])('settle nothing where they %s', (_how, facts) => {
    expect(settledByTests(files, facts)).toBe(files);
  });
});

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
