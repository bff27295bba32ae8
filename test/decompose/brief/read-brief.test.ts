import { describe, expect, test } from 'vitest';
import { goalParts } from '../../../src/decompose/brief/goal-parts.ts';
import { readBrief } from '../../../src/decompose/brief/read-brief.ts';
import { numberedBrief, quotedBrief } from '../../../src/decompose/brief/stated-brief.ts';
import type { Brief } from '../../../src/schema/model/brief.ts';
import { dice, fc } from '../../support/dice.ts';

const quoted = (goal: string, said: unknown): Brief => readBrief(quotedBrief(said), goal);
const numbered = (goal: string, said: object): Brief =>
  readBrief(numberedBrief(said), goal, goalParts(goal));

/** What of one example is evidence: its result, in a list; an empty one where it is none. */
const evidence = (brief: Brief): unknown[] =>
  brief.examples.filter(({ literal }) => literal).map(({ gives }) => gives);

const oneExample = (
  goal: string,
  how: string,
  input: string,
  result: string,
  part = 1,
): unknown[] => evidence(numbered(goal, { examples: [{ goal_part: part, how, input, result }] }));

test.each([
  ['question', { kind: 'question' }],
  ['work', { kind: 'work' }],
  ['poem', {}],
  [undefined, {}],
])('the kind %j is taken where it is one', (kind, taken) => {
  for (const read of [quotedBrief, numberedBrief]) {
    const { kind: is } = read({ kind, asks_for: kind });
    expect(is === undefined ? {} : { kind: is }).toEqual(taken);
  }
});

describe('an example is literal', () => {
  test.each([
    ['Write add. add(2, 3) gives 5.', 2, 'call', 'add(2, 3)', '5', 5],
    ['add(2, 3) gives 5 and add(0, 0) 0', 1, 'call', 'add(0,0)', '0', 0],
    ['add(2, 3) gives 5 and `add(0, 0)` 0', 1, 'call', 'add(2,3)', '5', 5],
    [
      'Schreibe add, wobei `add(2, 3)` "5" ergibt: `add(2, 3)` = 5.',
      1,
      'call',
      'add(2, 3)',
      '5',
      5,
    ],
    ['add(2, 3)返回5。', 1, 'call', 'add(2, 3)', '5', 5],
    ['add(2, 3) → 5', 1, 'call', 'add(2, 3)', '5', 5],
    ['slug("A b") -> "a-b"', 1, 'call', "slug('A b')", 'a-b', 'a-b'],
    ['`top([1, 2])` is `[2]`', 1, 'call', 'top([1,2])', '[2]', [2]],
    ['calc.neg(2) == -2', 1, 'call', 'neg(2)', '-2', -2],
    ['add(2, 3) gives 5, whatever it is called', 1, 'command', 'add(2, 3)', '5', 5],
    ['hello.py prints Hello, World!', 1, 'command', 'hello.py', 'Hello, World!', 'Hello, World!'],
    ['hello.py prints "Hello".', 1, 'command', 'python hello.py', 'Hello', 'Hello'],
    ['hello.py soll „Hallo Welt“ ausgeben.', 1, 'command', 'hello.py', 'Hallo Welt', 'Hallo Welt'],
    ['运行hello.py应打印「你好」。', 1, 'command', 'hello.py', '你好', '你好'],
    ['python area.py 3 4 -> 12', 1, 'command', 'python area.py 3 4', '12', '12'],
    ['sq.py: "7" gives "49"', 1, 'typed', '7', '49', '49'],
    ['pattern.py prints this?\n=\n==\n', 1, 'command', 'pattern.py', '=\n==', '=\n=='],
    ['pattern.py prints\n```\n=\n\n==\n```', 1, 'command', 'pattern.py', '=\n\n==', '=\n\n=='],
  ])('%s', (goal, part, how, input, result, gives) => {
    expect(oneExample(goal, how, input, result, part)).toEqual([gives]);
  });

  test.each([
    ['the result stands before the input', '5 is what add(2, 3) gives', 'call', 'add(2, 3)', '5'],
    ['another value stands first', 'add(2, 3) on Python 3 gives 5', 'call', 'add(2, 3)', '5'],
    ['it must not come out', 'add(2, 3) must not give 6', 'call', 'add(2, 3)', '6'],
    ['it must not, in German', 'add(2, 3) darf nicht 6 ergeben', 'call', 'add(2, 3)', '6'],
    ['it must not, in Japanese', 'add(2, 3) は 6 になってはいけない', 'call', 'add(2, 3)', '6'],
    ['it must not, in Chinese', 'add(2, 3)不返回6。', 'call', 'add(2, 3)', '6'],
    ['it must not, in Arabic', 'add(2, 3) لا يعطي 6', 'call', 'add(2, 3)', '6'],
    ['it does not, in short', "add(2, 3) isn't 6", 'call', 'add(2, 3)', '6'],
    ['it is the other side of a sign', 'add(2, 3) ≠ 6', 'call', 'add(2, 3)', '6'],
    ['it only bounds the result', 'add(2, 3) < 6', 'call', 'add(2, 3)', '6'],
    ['the sentence goes on with it', 'add(2, 3) gives 6 or 7', 'call', 'add(2, 3)', '6'],
    ['another call stands between', 'add(2, 3) and add(1, 1) give 5', 'call', 'add(2, 3)', '5'],
    ['it is a piece of a number', 'add(2, 3) gives 57', 'call', 'add(2, 3)', '5'],
    ['it is a piece of a decimal', 'add(2, 3) gives 5.7', 'call', 'add(2, 3)', '5'],
    ['the arguments are others', 'add(2, 3) gives 5', 'call', 'add(2, 4)', '5'],
    ['it is another function', 'readd(2, 3) gives 5', 'call', 'add(2, 3)', '5'],
    [
      'it is a piece of the output',
      'hello.py prints Hello, World!',
      'command',
      'hello.py',
      'World!',
    ],
    ['the output goes on', 'area.py prints 12 litres', 'command', 'area.py', '12'],
    ['more stands behind the marks', 'a.py prints "Sum:" and the sum', 'command', 'a.py', 'Sum:'],
    [
      'more stands before the marks',
      'a.py prints the sum behind "Sum:"',
      'command',
      'a.py',
      'Sum:',
    ],
    ['it is a piece of what is in marks', 'a.py prints "Sum: 5"', 'command', 'a.py', '5'],
    ['it is the first of two texts', 'a.py prints "a" and "b"', 'command', 'a.py', 'a'],
    ['a line of the block is missing', 'a.py prints this\n1\n2\n3', 'command', 'a.py', '1\n2'],
    ['the first line is missing', 'a.py prints this\n1\n2\n3', 'command', 'a.py', '2\n3'],
    ['one line of the block is all', 'a.py prints this\n1\n2\n3', 'command', 'a.py', '3'],
    ['the file is another one', 'my-a.py prints "x"', 'command', 'a.py', 'x'],
    ['what is typed is a piece of a number', '17 gives "49"', 'typed', '7', '49'],
  ])('only where it stands whole: %s', (_why, goal, how, input, result) => {
    expect(oneExample(goal, how, input, result)).toEqual([]);
  });

  test('a call is a name and literal values, and nothing else is called', () => {
    const goal = 'add(os.getpid(), 1) gives 5';
    expect(
      numbered(goal, {
        examples: [{ goal_part: 1, how: 'call', input: goal.slice(0, 19), result: '5' }],
      }).examples,
    ).toEqual([]);
  });
});

test('an example that does not stand there whole still counts, and is no evidence', () => {
  const goal = 'area.py prints 12 litres';
  const said = { examples: [{ goal_part: 1, how: 'command', input: 'area.py', result: '12' }] };
  expect(numbered(goal, said).examples).toEqual([
    { quote: goal, input: { how: 'argv', argv: ['area.py'] }, gives: '12' },
  ]);
  const call = (what: string, result: string) =>
    numbered(what, { examples: [{ goal_part: 1, how: 'call', input: 'add(2, 3)', result }] });
  expect(call('5 is what add(2, 3) gives', '5').examples).toMatchObject([{ gives: 5 }]);
  expect(call('five is what add(2, 3) gives', 'five').examples).toMatchObject([{ gives: 'five' }]);
});

test('two examples that contradict each other are both set aside, and one that is said twice counts once', () => {
  const goal = 'add(1, 1) gives 2\nadd(1, 1) gives 3\nadd(0, 0) gives 0';
  const said = (part: number, input: string, result: string) => ({
    ...{ goal_part: part, how: 'call', input, result },
  });
  const examples = [
    said(1, 'add(1, 1)', '2'),
    said(2, 'add(1,1)', '3'),
    said(3, 'add(0, 0)', '0'),
    said(3, 'add(0,0)', '0'),
  ];
  expect(evidence(numbered(goal, { examples }))).toEqual([0]);
});

test('a file stays, or may go, where the passage holds its name', () => {
  const goal = 'Fix a.py.\nKeep data.csv as it is.\nRemove *.tmp and old/b.txt';
  const keep = [
    { goal_part: 2, path: 'data.csv' },
    { goal_part: 2, path: 'ata.csv' },
    { goal_part: 1, path: 'data.csv' },
  ];
  const removes = [
    { goal_part: 3, path: '*.tmp' },
    { goal_part: 3, path: 'old\\b.txt' },
    { goal_part: 3, path: 'b.txt' },
    { goal_part: 9, path: '*.tmp' },
  ];
  const { keep: kept, removes: removed } = numbered(goal, { keep, removes });
  expect(kept).toEqual([{ path: 'data.csv', quote: 'Keep data.csv as it is.' }]);
  expect(removed.map(({ path }) => path)).toEqual(['*.tmp', 'old/b.txt']);
});

test('of what has another form than was asked for the rest is read', () => {
  const stated = [{ quote: 1 }, 'x', { quote: 'a', keep: 5 }, { quote: 'a', tests: true }];
  const said = { kind: 'plan', stated };
  expect(quoted('Write\na', said)).toEqual({
    examples: [],
    keep: [],
    removes: [],
    tests: { quote: 'a' },
  });
  expect(quoted('x', null)).toEqual({ examples: [], keep: [], removes: [] });
});

/** Words of several scripts, without marks, digits and end marks. */
const word = fc.constantFrom(
  'write',
  'nicht',
  'не',
  '不要',
  'must',
  'soll',
  'data.csv',
  'sum',
  'اكتب',
);
const sentence = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const number = fc.integer({ min: 10, max: 99_999 });
const goals = fc.record({
  before: fc.array(sentence, { minLength: 1, maxLength: 3 }),
  after: fc.array(sentence, { minLength: 1, maxLength: 3 }),
  verb: fc.constantFrom('gives', 'ergibt', '返回', 'يعطي', '=', '->', '→'),
  words: fc.array(word, { minLength: 1, maxLength: 2 }),
  args: fc.tuple(number, number),
  gives: number,
});

describe('of a random goal', () => {
  const exampleOf = (args: readonly number[]): string => `mix(${args.join(', ')})`;

  test('the whole line that states an example proves it, and no piece of the goal that is cut elsewhere does', () => {
    fc.assert(
      fc.property(
        goals,
        fc.nat(),
        fc.nat(),
        ({ before, after, words, verb, args, gives }, from, to) => {
          const line = `${words.join(' ')} ${exampleOf(args)} ${verb} ${gives}`;
          const goal = [...before, line, ...after].join('\n');
          const proved = (quote: string) =>
            evidence(quoted(goal, { stated: [{ quote, call: exampleOf(args), gives }] }));
          expect(proved(line)).toEqual([gives]);
          const start = from % goal.length;
          const cut = goal.slice(start, start + 1 + (to % (goal.length - start)));
          if (![line, goal].includes(cut.trim())) expect(proved(cut)).toEqual([]);
        },
      ),
      { numRuns: dice(40, 500) },
    );
  });

  test('quotes that are merged, and results that are shortened or moved, prove nothing', () => {
    fc.assert(
      fc.property(
        goals,
        fc.nat(),
        fc.nat(),
        ({ before, after, words, verb, args, gives }, from, to) => {
          const line = `${words.join(' ')} ${exampleOf(args)} ${verb} ${gives}`;
          const goal = [...before, line, ...after].join('\n');
          const proved = (quote: string, result: string) =>
            evidence(quoted(goal, { stated: [{ quote, call: exampleOf(args), gives: result }] }));
          expect(proved(`${before.at(-1)}\n${line}`, String(gives))).toEqual(
            before.length === 1 && after.length === 0 ? [gives] : [],
          );
          expect(proved(`${line} ${after.at(-1)}`, String(gives))).toEqual([]);
          const digits = String(gives);
          const start = from % digits.length;
          const piece = digits.slice(start, start + 1 + (to % (digits.length - start)));
          if (piece !== digits) expect(proved(line, piece)).toEqual([]);
        },
      ),
      { numRuns: dice(40, 500) },
    );
  });

  test('of a block of lines that a program prints every other piece proves nothing', () => {
    const lines = fc.array(
      fc.array(word, { minLength: 1, maxLength: 3 }).map((all) => all.join(' ')),
      { minLength: 2, maxLength: 6 },
    );
    fc.assert(
      fc.property(lines, fc.nat(), fc.nat(), fc.boolean(), (block, from, to, isFenced) => {
        const shown = isFenced ? ['```', ...block, '```'] : block;
        const goal = ['make a.py so that it prints', ...shown].join('\n');
        const proved = (result: string) =>
          evidence(quoted(goal, { stated: [{ quote: goal, argv: ['a.py'], gives: result }] }));
        const whole = block.join('\n');
        expect(proved(whole)).toEqual([whole]);
        const start = from % whole.length;
        const piece = whole.slice(start, start + 1 + (to % (whole.length - start)));
        if (piece.trim() !== whole) expect(proved(piece)).toEqual([]);
      }),
      { numRuns: dice(40, 500) },
    );
  });
});

test('an example whose input stands in very many places is read in the time of a few', () => {
  const goal = `${'f(1) '.repeat(8000)}-> 2`;
  expect(oneExample(goal, 'call', 'f(1)', '2')).toEqual([]);
  expect(oneExample(`${'f(1) '.repeat(20)}-> 2`, 'call', 'f(1)', '2')).toEqual([2]);
});

describe('a file to keep', () => {
  const goal = 'Add parse_days. CHANGELOG.md must stay as it is. Remove old.md? No.';
  const keeps = (quote: string) => quoted(goal, { stated: [{ quote, keep: 'CHANGELOG.md' }] }).keep;

  test('rests on a sentence, also within a line', () => {
    const quote = 'CHANGELOG.md must stay as it is.';
    expect(keeps(quote)).toEqual([{ path: 'CHANGELOG.md', quote }]);
    expect(keeps(`Add parse_days. ${quote}`)).toHaveLength(1);
  });

  test('rests on no piece of a sentence', () => {
    expect(keeps('CHANGELOG.md must stay')).toEqual([]);
    expect(keeps('parse_days. CHANGELOG.md must stay as it is.')).toEqual([]);
  });

  test('is no permission to remove one', () => {
    const stated = [{ quote: 'Remove old.md?', removes: 'old.md' }];
    expect(quoted(goal, { stated }).removes).toEqual([]);
  });
});
