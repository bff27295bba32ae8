import { expect, test } from 'vitest';
import { standsText } from '../../src/evidence/answer.ts';
import { factsInAnswer, holdsParts } from '../../src/evidence/facts-in-answer.ts';
import type { AnswerStands } from '../../src/schema/evidence.ts';

const port = { what: '8080', where: 'config.yml:3' };

test.each<[AnswerStands, string]>([
  [{ found: [], unread: [] }, 'nothing was changed'],
  [
    { found: [], unread: [], nothingRead: true },
    'nothing was changed; nothing was read or printed in this run',
  ],
  [
    { found: [port], unread: [] },
    'nothing was changed; found in what was read, and not checked beyond that: 8080 in config.yml:3',
  ],
  [
    { found: [port, { what: 'Ann', where: 'ls' }], unread: ['12', 'Bob'] },
    'nothing was changed; found in what was read, and not checked beyond that: 8080 in config.yml:3, Ann in ls; found nowhere in what was read: 12 and Bob',
  ],
])('where an answer stands is said in one sentence: %j', (stands, text) => {
  expect(standsText(stands)).toBe(text);
});

const SOURCE = `class Lexer:
  def next(self, limit: int = None):
    if not (?::-default): return self.config.yml, 'a.py'
`;

test.each<[string, boolean]>([
  ['Lexer.next', true],
  ['Lexer::next', true],
  ['limit=None', true],
  [':-default', true],
  ['Lexer.config', false],
  ['Lexer.close', false],
  ['limit=True', false],
  ['self.yml', false],
  ['a/Lexer.py', false],
  ['limit None', false],
  ['Lexer', false],
])('a text holds the parts of %s: %s', (name, holds) => {
  expect(holdsParts(SOURCE, name)).toBe(holds);
});

test.each(['\n', '\n  ', '\r', '\u201c', '\u201e', '\u00ab', '\u300c'])(
  'an answer of nothing but %j is read once',
  (unit) => {
    expect(factsInAnswer(unit.repeat(200_000))).toEqual({ figures: [], names: [] });
  },
);

test('quoted text is a name, the innermost where quotation marks are nested', () => {
  expect(
    factsInAnswer('1. \u201ca b\u201d and \u201cc \u201cd e\u201d\u201d\n\n 2) \u00abf g\u00bb'),
  ).toEqual({
    figures: [],
    names: ['a b', 'd e', 'f g'],
  });
});
