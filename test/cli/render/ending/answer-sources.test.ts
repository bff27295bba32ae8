import { expect, test } from 'vitest';
import { cautionOf } from '../../../../src/cli/render/ending/answer-sources.ts';

test('beside an answer only files are called unchanged: a command may have changed what is elsewhere', () => {
  const pushed = { found: [], unread: ['origin'] };
  expect(cautionOf(pushed)).toBe(
    'No file here was changed. Found nowhere in what was read: origin.',
  );
});

test('where files changed while nobody watched, none is said to be unchanged', () => {
  expect(cautionOf({ found: [], unread: [], unseen: true })).toBe(
    'No file here was seen to be changed.',
  );
});
