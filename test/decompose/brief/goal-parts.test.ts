import { expect, test } from 'vitest';
import { goalParts } from '../../../src/decompose/brief/goal-parts.ts';

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
