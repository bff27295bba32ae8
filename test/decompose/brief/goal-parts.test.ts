import { expect, test } from 'vitest';
import { goalParts } from '../../../src/decompose/brief/goal-parts.ts';
import { markedTexts } from '../../../src/decompose/brief/quotation-marks.ts';

test.each([
  [
    'Fix add in calc.py. add(2, 3) must give 5.5! Keep data.csv',
    ['Fix add in calc.py.', 'add(2, 3) must give 5.5!', 'Keep data.csv'],
  ],
  ['写一个程序。它打印“你好。再见”！完成', ['写一个程序。', '它打印“你好。再见”！', '完成']],
  ['「こんにちは。」と表示する。おわり', ['「こんにちは。」と表示する。', 'おわり']],
  ['यह लिखो। फिर रुको।', ['यह लिखो।', 'फिर रुको।']],
  ['Print "One. Two." and end.', ['Print "One. Two." and end.']],
  ['Use e.g. five.\n\nThen  stop', ['Use e.g. five.', 'Then  stop']],
  ['Print\n```\na. B\nc\n```', ['Print', '```', 'a. B', 'c', '```']],
])('a goal is cut at lines and at the end marks of any script: %s', (goal, parts) => {
  expect(goalParts(goal)).toEqual(parts);
});

test.each([
  ['opening marks of which none is closed', '«'.repeat(300_000)],
  ['two kinds of them', '‹«'.repeat(150_000)],
  ['end marks', '.'.repeat(300_000)],
])('a long line of %s is one part, at once', (_what, goal) => {
  expect(goalParts(goal)).toEqual([goal]);
});

test('a long line of sentences and quotations is cut at once', () => {
  expect(goalParts('A. "b. C" d. '.repeat(50_000))).toHaveLength(60);
});

test('quotations in a line are found beside marks that nothing closes', () => {
  const text = '«a «b» «c «d «\n«e» “f ‘g’” “”';
  const found = markedTexts(text, { start: 0, end: text.length });
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([
    ...['a «b', 'e', 'f ‘g’', 'g'],
  ]);
});
