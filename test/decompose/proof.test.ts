/** What becomes of the proof that a plan names before anything was written or read. */
import { describe, expect, it } from 'vitest';
import {
  answerOf,
  edit,
  planContext,
  planOf,
  proofOf,
  read,
  run,
  type Step,
  targetsOf,
  write,
} from '../support/plan-context.ts';

it('a proof is its command and what is typed: what it prints was only guessed', () => {
  const answer = answerOf([write('a.py')], { cmd: 'python a.py', prints: '1000', stdin: '5' });
  expect(proofOf(answer, planContext('g'))).toEqual({ cmd: 'python a.py', stdin: '5' });
});

describe('a plan whose only step is its proof', () => {
  it.each(['python -m pytest -q', 'node count.mjs'])('is a plan: %s', (cmd) => {
    const context = planContext('Run it', {}, { 'count.mjs': '', 'test_a.py': '' });
    expect(targetsOf(answerOf([run(cmd)], { cmd }), context)).toEqual([cmd]);
  });

  const cmd = 'python -m pytest -q';
  const brief = (kind: 'question' | 'work') => ({
    brief: { kind, examples: [], keep: [], removes: [] },
  });

  it('has no proof where only an answer is wanted: what it shows is the answer', () => {
    const context = planContext('Say which tests fail', brief('question'), { 'test_a.py': '' });
    expect(planOf(answerOf([run(cmd)], { cmd }), context)).toBe(
      'verify.cmd: the goal only asks for an answer, so it must be empty. What is to be run is a subtask.',
    );
    const plan = planOf(answerOf([run(cmd)], { cmd }), { ...context, isLastTry: true });
    expect(plan).toMatchObject({ answer_only: true });
    expect(plan).not.toHaveProperty('proof');
  });

  it('is an answer where it names no proof, unless work is wanted', () => {
    const context = planContext('Run the tests', {}, { 'test_a.py': '' });
    expect(planOf(answerOf([run(cmd)]), context)).toMatchObject({ answer_only: true });
    const work = planOf(answerOf([run(cmd)]), { ...context, ...brief('work') });
    expect(work).not.toHaveProperty('answer_only');
    // Where what is to be run is not there, that is no answer.
    const none = planOf(answerOf([run('node none.mjs')]), planContext('Say hello'));
    expect(none).not.toHaveProperty('answer_only');
  });

  it('and that only looks is asked for the work where work is wanted, once', () => {
    const look = answerOf([read('test_a.py')]);
    const context = planContext('Sort test_a.py', brief('work'), { 'test_a.py': '' });
    expect(planOf(look, context)).toBe(
      'The plan only looks. The goal asks for work: plan the step that does it.',
    );
    expect(targetsOf(look, { ...context, isLastTry: true })).toEqual(['test_a.py']);
  });

  it('and that only looks is an answer where the model has said one, whatever the brief says', () => {
    const look = answerOf([read('test_a.py')]);
    const work = planContext('Who wrote test_a.py', brief('work'), { 'test_a.py': '' });
    const context = { ...work, saidSentence: true };
    expect(planOf(look, context)).toMatchObject({ answer_only: true });
    expect(planOf(answerOf([read('test_a.py')], { cmd }), context)).toBe(
      'verify.cmd: the goal only asks for an answer, so it must be empty. What is to be run is a subtask.',
    );
    // Work is work: the sentence may have been a promise.
    expect(planOf(answerOf([write('b.py')]), context)).not.toHaveProperty('answer_only');
  });
});

describe('a proof that shows nothing is told so, and left out in the end', () => {
  const without = (program: string, installed = ['python', 'pytest', 'node']) => ({
    missingProgram: (cmd: string) => (cmd.includes(program) ? [program] : null),
    installed: new Set(installed),
  });
  const stock = { 'stock.csv': 'name,boxes\nOle,3\n' };

  it.each<[string, readonly Step[], string, Parameters<typeof planContext>, string]>([
    ['none', [write('a.py')], '', ['g'], ' is empty: name the command that runs a.py.'],
    [
      'none, of tests',
      [write('a.py'), write('test_a.py')],
      '',
      ['g'],
      ': it is empty. Use python -m pytest -q.',
    ],
    ['one that may not be run', [write('a.py')], 'rm a', ['g'], ': rm a is not allowed here.'],
    [
      'a program that is not here',
      [write('queue.py'), write('test_queue.py')],
      'ruff check .',
      ['g', without('ruff')],
      ': ruff is not installed here. Use python -m pytest -q.',
    ],
    [
      'a program that is not here, and nothing for it',
      [write('a.py')],
      'ruff check .',
      ['g', without('ruff')],
      ': ruff is not installed here.',
    ],
    [
      'a runner that is not here',
      [write('a.py'), write('test_a.py')],
      'python -m pytest -q',
      ['g', without('pytest', ['python'])],
      ': pytest is not installed here. Use python -m unittest.',
    ],
  ])('%s', (_, steps, cmd, [goal, more, files], fault) => {
    const answer = answerOf(steps, { cmd });
    const context = planContext(goal, more, files);
    expect(planOf(answer, context)).toBe(`verify.cmd${fault}`);
    const last = { ...context, isLastTry: true };
    expect(proofOf(answer, last)).toBe(null);
    expect(targetsOf(answer, last)).toEqual(steps.map(({ file }) => file));
  });

  it('and of a program without a proof nothing is asked where nothing here can run it', () => {
    for (const file of ['a.py', 'a.mjs'])
      expect(
        targetsOf(answerOf([write(file)]), planContext('g', { installed: new Set() })),
      ).toEqual([file]);
  });

  it('and a step whose program is not here is told, and left out in the end', () => {
    const answer = answerOf([edit('stock.csv'), run('ruff check .')]);
    const context = planContext('Lint it', without('ruff'), stock);
    expect(planOf(answer, context)).toBe('ruff is not installed here.');
    expect(targetsOf(answer, { ...context, isLastTry: true })).toEqual(['stock.csv']);
  });
});

describe('what a plan may not work on', () => {
  const files = { 'calc.py': 'x\n', 'test_calc.py': 'y\n', 'data.csv': '1\n' };
  const proof = { cmd: 'python -m pytest -q' };
  const steps = [edit('calc.py'), edit('test_calc.py')];
  const keep = [{ path: 'data.csv', quote: 'data.csv bleibt' }];
  const brief = { examples: [], keep: [], removes: [] };

  it('is a file that the goal says must stay: it is refused to the end', () => {
    const context = planContext('g', { brief: { ...brief, keep }, isLastTry: true }, files);
    for (const step of [edit('data.csv'), write('./data.csv')])
      expect(planOf(answerOf([edit('calc.py'), step], proof), context)).toBe(
        `${step.file} must stay as it is: the goal says so.`,
      );
    expect(targetsOf(answerOf([read('data.csv'), edit('calc.py')], proof), context)).toHaveLength(
      2,
    );
  });

  it('is not a file that is still to be made, or that the run made, whatever the brief says', () => {
    const context = planContext('g', { brief: { ...brief, keep } }, { 'calc.py': 'x\n' });
    const step = [edit('calc.py'), write('data.csv')];
    const check = { cmd: 'python calc.py' };
    expect(targetsOf(answerOf(step, check), context)).toEqual(['calc.py', 'data.csv']);
    const made = planContext(
      'g',
      { brief: { ...brief, keep }, finishedFiles: ['data.csv'] },
      files,
    );
    expect(targetsOf(answerOf([edit('calc.py'), edit('data.csv')], check), made)).toHaveLength(2);
  });

  it('are tests that were there and fail: it is told once', () => {
    const context = planContext('g', { testsFail: true }, files);
    expect(planOf(answerOf(steps, proof), context)).toBe(
      'test_calc.py was there and says what is right: plan the work on what it tests.',
    );
    expect(targetsOf(answerOf(steps, proof), { ...context, isLastTry: true })).toHaveLength(2);
  });

  it('are failing tests that a goal which asks for tests does not name', () => {
    const asked = { ...brief, tests: { quote: 'Einige Tests schlagen fehl' } };
    const context = planContext('g', { testsFail: true, brief: asked }, files);
    expect(planOf(answerOf(steps, proof), context)).toMatch('test_calc.py was there');
  });

  it('are no tests that pass, that the run made, or that a goal which asks for tests names', () => {
    const asked = { ...brief, tests: { quote: 'mit Tests' } };
    for (const [goal, more] of [
      ['g', {}],
      ['g', { testsFail: true, finishedFiles: ['test_calc.py'] }],
      ['g', { brief: asked }],
      ['mit Tests in test_calc.py', { testsFail: true, brief: asked }],
    ] as const)
      expect(targetsOf(answerOf(steps, proof), planContext(goal, more, files))).toHaveLength(2);
  });
});

describe('a proof that looks for tests where a text is written', () => {
  const cmd = 'python -m pytest -q';
  const plan = (...steps: Step[]) => answerOf(steps, { cmd });
  const texts = planContext('Describe regen.csv in README.md', {}, { 'README.md': '' });

  it('is asked for anew where there are no tests, and then left out, since it would fail in any case', () => {
    expect(planOf(plan(write('README.md')), texts)).toMatch(/^verify.cmd: there are no tests here/);
    const last = planOf(plan(write('README.md')), { ...texts, isLastTry: true });
    expect(last).not.toHaveProperty('proof');
    expect(last).toHaveProperty('tasks');
  });

  it.each([
    ['tests are there', [write('README.md')], { 'test_a.py': '' }],
    ['the plan writes code', [write('README.md'), edit('a.py')], { 'a.py': '' }],
    ['a command may make them', [run('python make.py'), write('README.md')], {}],
  ])('stays where %s', (_, steps, files) => {
    const context = planContext('Describe it in README.md', {}, files);
    expect(planOf(plan(...steps), { ...context, isLastTry: true })).toMatchObject({
      proof: { cmd },
    });
  });
});
