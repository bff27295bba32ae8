import { expect, test } from 'vitest';
import { quotedPassage } from '../../../src/decompose/brief/passage.ts';

const LISTING =
  'Make pattern.py.\n\n===\n======\n=========\n\nKeep "data.csv" and don\'t touch „a b“.';

const passage = (quote: string): string | null => {
  const span = quotedPassage(LISTING, quote);
  return span && LISTING.slice(span.start, span.end);
};

test.each([
  ['a line', 'Make pattern.py.', 'Make pattern.py.'],
  ['white space aside', ' Make\n pattern.py. ', 'Make pattern.py.'],
  ['a block of lines', '===\n======\n=========', '===\n======\n========='],
  ['the whole goal', LISTING, LISTING],
  ['a text in marks', 'data.csv', 'data.csv'],
  ['with its marks', '"data.csv"', '"data.csv"'],
  ['in marks of another script', 'a b', 'a b'],
])('%s is a passage', (_what, quote, found) => {
  expect(passage(quote)).toBe(found);
});

test.each([
  ['what does not stand there', 'Make pattern.js.'],
  ['a piece of a line', 'pattern.py.'],
  ['two of three lines of a block', '===\n======'],
  ['the last two of them', '======\n========='],
  ['lines that do not follow each other', 'Make pattern.py.\n==='],
  ['what stands between two texts in marks', "and don't touch"],
  ['a piece of a text in marks', 'data'],
  ['nothing', '  '],
])('%s is none', (_what, quote) => {
  expect(passage(quote)).toBeNull();
});
