/** What a model is shown of the form of a plan, and that a plan like it is taken as any other. */
import { describe, expect, it } from 'vitest';
import { planExamples } from '../../src/languages/plan-examples.ts';
import { answerOf, planContext, planOf, targetsOf, write } from '../support/plan-context.ts';

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
    ['Write total.js that adds up a column', 'tip.mjs', 'node --test'],
    ['Write total.py that adds up a column', 'tip.py', 'python -m pytest -q'],
    ['Write a sum in Go', 'tip.py', 'python -m pytest -q'],
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
    'Create a tip calculator',
    'Schreibe einen Trinkgeldrechner',
    'Escribe un programa que calcule la propina',
    '写一个计算小费的程序',
  ])('is taken at the first try: %s', (goal) => {
    const purpose = 'asks for a bill and prints ten percent of it';
    const answer = answerOf([write('tip.py', purpose)], { cmd: 'python tip.py' });
    expect(targetsOf(answer, shown(goal))).toEqual(['tip.py']);
  });
});
