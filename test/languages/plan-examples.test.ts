/** What a model is shown of the form of a plan, and that a plan like it is taken as any other. */
import { describe, expect, it } from 'vitest';
import { planExamples } from '../../src/languages/plan-examples.ts';
import {
  answerOf,
  planContext,
  planOf,
  proofOf,
  targetsOf,
  write,
} from '../support/plan-context.ts';

const installed = new Set(['python', 'pytest', 'node']);

/** With the examples that are shown for this goal. */
const shown = (goal: string, more = {}) =>
  planContext(goal, { examples: planExamples(installed, goal), ...more });

describe('the examples of a plan', () => {
  it('are the same whatever a goal of one language is about', () => {
    const all = ['say hi', 'Count the words of every file in texts/', 'Zähle die Wörter'];
    expect(new Set(all.map((goal) => planExamples(installed, goal).text)).size).toBe(1);
  });

  it.each([
    ['Write total.js that adds up a column', 'word_count.mjs', 'node --test'],
    ['Write total.py that adds up a column', 'word_count.py', 'python -m pytest -q'],
    ['Write a sum in Go', 'word_count.py', 'python -m pytest -q'],
  ])('speak the language of the goal: %s', (goal, file, cmd) => {
    const { text } = planExamples(installed, goal);
    expect(text).toContain(file);
    expect(text).toContain(`"cmd":"${cmd}"`);
  });

  it('hold plans as they are read', () => {
    for (const goal of ['say hi', 'say hi in JavaScript']) {
      const plans = planExamples(installed, goal)
        .text.split('\n')
        .filter((one) => one[0] === '{');
      expect(plans).toHaveLength(2);
      const read = plans.map((plan, at) =>
        planOf(plan, planContext(at === 0 ? 'hi' : 'with tests')),
      );
      expect(read.map((plan) => typeof plan)).toEqual(['object', 'object']);
    }
  });
});

describe('a plan that is like an example', () => {
  it.each([
    'Zähle die Wörter eines Textes',
    'Escribe un programa que cuente las palabras de una frase',
    '写一个统计单词数的程序',
    'Greet the user',
  ])('is taken at the first try: %s', (goal) => {
    const purpose = 'asks for a text and prints its number of words';
    const answer = answerOf([write('word_count.py', purpose)], { cmd: 'python word_count.py' });
    expect(targetsOf(answer, shown(goal))).toEqual(['word_count.py']);
  });

  it('does not type what the example has typed', () => {
    const verify = { cmd: 'python a.py', stdin: 'one two' };
    const answer = answerOf([write('a.py')], verify);
    expect(proofOf(answer, shown('Greet the user'))).toEqual({ cmd: 'python a.py' });
  });
});
