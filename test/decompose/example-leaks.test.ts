/** What a model was only shown comes back in its plans: it is refused, with the reason. */
import { describe, expect, it } from 'vitest';
import { PROGRAMS, READ, TESTED } from '../../src/languages/example-topics.ts';
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
const shown = (goal: string, more = {}, files = {}) =>
  planContext(goal, { examples: planExamples(installed, goal), ...more }, files);

describe('the examples of a plan', () => {
  const all = [...PROGRAMS, ...TESTED, ...READ];

  it.each(all.map(({ goal }) => goal))('are never about what the goal is about: %s', (goal) => {
    const { texts, files } = planExamples(installed, goal);
    const own = all.find((topic) => topic.goal === goal);
    expect(texts).not.toContain(own?.purpose === 'find the answer' ? goal : own?.purpose);
    expect(texts).not.toContain(goal);
    expect(files.length).toBe(4);
  });

  it.each([
    ['Count the words of every file in texts/', 'word_count'],
    ['Write a parser for dates like 3 May 1990', 'date_parser'],
    ['What do my notes say about Ada?', 'notes'],
  ])('leave out what shares a noun with the goal: %s', (goal, stem) => {
    expect(planExamples(installed, goal).files.join(' ')).not.toContain(stem);
    expect(planExamples(installed, 'say hi').files.join(' ')).toContain(stem);
  });

  it('are the same whenever they are asked for', () => {
    const goal = 'Count words, colors, moons, bills, dates, squares and the tests of a compass';
    expect(planExamples(installed, goal)).toEqual(planExamples(installed, goal));
    expect(planExamples(installed, goal).text).not.toBe('');
  });

  it.each([
    ['Write total.js that adds up a column', 'moon_phase.mjs|word_count.mjs', 'node --test'],
    ['Write total.py that adds up a column', 'word_count.py', 'python -m pytest -q'],
    ['Write a sum in Go', 'word_count.py', 'python -m pytest -q'],
  ])('speak the language of the goal: %s', (goal, file, cmd) => {
    const { text } = planExamples(installed, goal);
    expect(text).toMatch(new RegExp(file));
    expect(text).toContain(`"cmd":"${cmd}"`);
  });

  it('hold plans as they are read', () => {
    for (const goal of ['say hi', 'say hi in JavaScript', ...all.map((topic) => topic.goal)]) {
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

describe('a plan that copies its example', () => {
  const goal = 'Greet the user';

  it.each(['word_count.py', 'src/word_count.py', 'Word_Count.js', 'date_parser.py', 'notes.txt'])(
    'is refused for its file: %s',
    (file) => {
      expect(targetsOf(answerOf([write(file)], { cmd: 'python a.py' }), shown(goal))).toBe(
        `${file} belongs to the example. Name a file of this goal.`,
      );
    },
  );

  it('is refused for four words in a row, whatever its file is called', () => {
    const purpose = 'Asks for a text, and prints how long it is';
    const answer = answerOf([write('a.py', purpose)], { cmd: 'python a.py' });
    expect(targetsOf(answer, shown(goal))).toBe(
      '"asks for a text" belongs to the example. Say what this goal needs.',
    );
  });

  it('is taken with its words at the last try, and never with its file', () => {
    const purpose = 'asks for a text and prints its number of words';
    const answer = answerOf([write('a.py', purpose)], { cmd: 'python a.py' });
    expect(targetsOf(answer, shown(goal, { isLastTry: true }))).toEqual(['a.py']);
    const file = answerOf([write('word_count.py')], { cmd: 'python word_count.py' });
    expect(targetsOf(file, shown(goal, { isLastTry: true }))).toMatch(/belongs to the example/);
  });

  it('may say what its goal says, and name what the goal names or what is there', () => {
    const said = 'A program that asks for a text and greets with it, in word_count.py';
    const context = { ...planContext(said), examples: planExamples(installed, goal) };
    const answer = answerOf([write('word_count.py', 'asks for a text and greets')], {
      cmd: 'python word_count.py',
    });
    expect(targetsOf(answer, context)).toEqual(['word_count.py']);
    const there = answerOf([write('notes.txt', 'the greeting')]);
    expect(targetsOf(there, shown(goal, {}, { 'notes.txt': 'hi' }))).toEqual(['notes.txt']);
  });

  it('does not type what the example has typed', () => {
    const verify = { cmd: 'python a.py', stdin: 'one two' };
    expect(proofOf(answerOf([write('a.py')], verify), shown(goal))).toEqual({ cmd: 'python a.py' });
  });

  it('is not taken for one where three words are alike', () => {
    const answer = answerOf([write('a.py', 'asks for a name, greets')], { cmd: 'python a.py' });
    expect(targetsOf(answer, shown(goal))).toEqual(['a.py']);
  });
});
