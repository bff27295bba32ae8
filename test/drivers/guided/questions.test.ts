import { expect, it } from 'vitest';
import { contentQuestion } from '../../../src/drivers/guided/questions.ts';

const asked = (file: string, isThere: boolean): string =>
  contentQuestion({
    ...{ goal: 'Sort it', file, isTested: false, failing: '', faults: [] },
    current: isThere ? { title: file, text: 'b\na', isWhole: true } : null,
  });

it('code is asked for as code, also where it is there', () => {
  for (const isThere of [true, false]) expect(asked('sort.py', isThere)).toContain('working code');
});

it('of a text or data that is there nothing is asked to become a program', () => {
  for (const file of ['list.md', 'names.txt', 'stock.csv', 'stock.json']) {
    expect(asked(file, true)).toContain('every line that need not change stays as it is');
    expect(asked(file, true)).not.toContain('code,');
  }
});

it('nor is a new text asked for as code', () => {
  for (const file of ['README.md', 'notes.txt']) expect(asked(file, false)).not.toContain('code,');
  expect(asked('config.json', false)).toContain('working code');
});
