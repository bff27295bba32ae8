import { expect, test } from 'vitest';
import { findSources, sourcesText } from '../../src/evidence/answer.ts';
import { factsInAnswer, holdsParts } from '../../src/evidence/facts-in-answer.ts';
import { runSync } from '../../src/lib/interruptible.ts';
import type { AnswerSources } from '../../src/schema/evidence.ts';
import type { JournalRecord } from '../../src/schema/records.ts';

const port = { what: '8080', where: 'config.yml:3' };

test.each<[AnswerSources, string]>([
  [{ found: [], unread: [] }, 'no file here was changed'],
  [{ found: [], unread: [], unseen: true }, 'no file here was seen to be changed'],
  [
    { found: [], unread: [], nothingRead: true },
    'no file here was changed; nothing was read or printed in this run',
  ],
  [
    { found: [port], unread: [] },
    'no file here was changed; found in what was read, and not checked beyond that: 8080 in config.yml:3',
  ],
  [
    { found: [port, { what: 'Ann', where: 'ls' }], unread: ['12', 'Bob'] },
    'no file here was changed; found in what was read, and not checked beyond that: 8080 in config.yml:3, Ann in ls; found nowhere in what was read: 12 and Bob',
  ],
])('where an answer stands is said in one sentence: %j', (stands, text) => {
  expect(sourcesText(stands)).toBe(text);
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
    expect(factsInAnswer(unit.repeat(130_000))).toEqual({ figures: [], names: [] });
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

/** Where an answer stands after one call of a server, or one command. */
function stands(answer: string, result: string, args: object | null = null): AnswerSources {
  const world = { readText: () => null };
  const context = { state: { goal: 'How many are left?', commandChanges: { files: {} } } };
  const run = { world, context } as unknown as Parameters<typeof findSources>[0];
  const does = args === null ? 'runs_commands' : 'calls_server';
  const finished = { type: 'action_finished', id: 'r', tool: 'issues', target: 'wc -l', does };
  const records = [
    { type: 'action_intended', id: 'r', args: args ?? {} },
    { ...finished, touches: args ? 'network' : 'reads', status: 'ok', result, facts: {} },
  ] as unknown as readonly JournalRecord[];
  return runSync(findSources(run, () => records, answer));
}

test.each<[string, object, string | null]>([
  ['There are 152 open issues.', { page: 5 }, '152'],
  ['There are 152 open issues.', { page: 15, per: 'op' }, '152'],
  ['There are 1 152 open issues.', { page: 100, per: '15' }, '152'],
  ['There are 152.5 open issues.', { page: 152 }, null],
  ['Issue 152 of 1152.152 is closed.', { issue: 152 }, null],
  ['Issue 152 is closed.', { query: 'Issue 152' }, null],
])('what a server says is kept whole, without what it was asked: %s %j', (result, args, found) => {
  const { found: places, unread } = stands('152', result, args);
  const what = { what: '152', where: 'what issues showed', line: result };
  expect({ found: places, unread }).toEqual(
    found === null ? { found: [], unread: ['152'] } : { found: [what], unread: [] },
  );
});

test('the line is quoted as the server sent it', () => {
  const { found } = stands('There are 25 left.', 'shop\nIn shop: 25 left', { name: 'shop' });
  expect(found).toEqual([{ what: '25', where: 'what issues showed', line: 'In shop: 25 left' }]);
});

test('what a tool says above the lines of a file counts last, and not as a line of that file', () => {
  const file = ['const port = 80;', '', 'listen(port, 3);', 'retries(1);', ''].join('\n');
  const world = { readText: () => file };
  const run = { world, context: { state: { goal: 'Which?', commandChanges: { files: {} } } } };
  const read = (result: string) => ({
    ...{ type: 'action_finished', id: 'r', tool: 'read_file', target: 'a.js', does: 'reads_files' },
    ...{ touches: 'reads', status: 'ok', result, facts: {} },
  });
  const heading = '[lines 1 to 3 of 2790]';
  const records = [read(`${heading}\nconst port = 80;\n`), read('listen(port, 3);\nretries(1);')];
  const from = run as unknown as Parameters<typeof findSources>[0];
  const answer = 'Port 80, exit code 1, of 2790 lines, and 4.';
  expect(runSync(findSources(from, () => records as unknown as JournalRecord[], answer))).toEqual({
    found: [
      { what: '80', where: 'a.js:1', line: 'const port = 80;' },
      { what: '1', where: 'a.js:4', line: 'retries(1);' },
      { what: '2790', where: 'what read_file showed', line: heading },
    ],
    unread: ['4'],
  });
});

test('a long text is searched for many figures and names in the time of one', () => {
  const figures = Array.from({ length: 200 }, (_, index) => `${900_000 + index}`);
  const names = figures.map((figure) => `a_${figure}`);
  const text = `${'1 22 a_b c\n'.repeat(10_000)}900007\n`;
  const { found } = stands([...figures, ...names].join(' and '), text);
  expect(found).toEqual([{ what: '900007', where: '`wc -l`', line: '900007' }]);
});

test.each<[string, string, string]>([
  ['about 3.142', '3142', '3.142'],
  ['the state is `ok`', 'broken', 'ok'],
])('%j is not found in %j', (answer, result, fact) => {
  expect(stands(answer, result)).toMatchObject({ found: [], unread: [fact] });
});

test.each<[string, string]>([
  ['3,142 rows', '3142'],
  ['1.234.567 rows', '1234567'],
  ['the state is `ok`', 'state: OK'],
])('%j is found in %j', (answer, result) => {
  expect(stands(answer, result).unread).toEqual([]);
});
