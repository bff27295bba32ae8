/** What becomes of the proof that a plan names before anything was written or read. */
import { describe, expect, it } from 'vitest';
import { believedInput, believedPrints } from '../../src/decompose/proof-prints.ts';
import {
  answerOf,
  edit,
  planContext,
  planOf,
  proofOf,
  read,
  run,
  targetsOf,
  write,
} from '../support/plan-context.ts';

describe('what a proof must print', () => {
  it.each([
    ['155 sticks', 'for 5 it should print 155 sticks'],
    ['HELLO  world', 'Write a hello world script'],
    ['2', 'print 1, 2 and 3'],
    ['-1', 'it prints -1 where nothing is found'],
    ['Total: 40', 'a last line "Total: 40"'],
  ])('is believed where the goal says it: %j', (prints, goal) => {
    expect(believedPrints(prints, goal, [])).toBe(prints);
  });

  it.each([
    ['1000', 'Add up the column of data.csv'],
    ['2', 'the version is 2.7.20, and 12 of them'],
    ['order_total', 'Sum the orders'],
    ['hello', 'say hellos'],
    ['', 'anything'],
    ['.', 'a sentence'],
    ['passed', 'Sum the orders'],
  ])('is dropped where nobody said it: %j', (prints, goal) => {
    const stands = prints === '.' ? '' : believedPrints(prints, goal, []);
    expect(stands).toBe('');
  });

  it.each([
    ['python -m pytest -q', 'passed', 'passed'],
    ['python -m unittest', 'OK', 'OK'],
    ['node --test', 'ℹ pass', 'ℹ pass'],
    ['node --test', '# pass', '# pass'],
    // Another runner's word, and a number of tests that nobody can know.
    ['node --test', 'passed', undefined],
    ['python -m pytest -q', '3 passed', undefined],
  ])('may be what the runner of %s says: %s', (cmd, prints, kept) => {
    const ending = cmd.startsWith('node') ? 'queue.test.mjs' : 'test_queue.py';
    const steps = [write(ending === 'test_queue.py' ? 'queue.py' : 'queue.mjs'), write(ending)];
    const proof = proofOf(answerOf(steps, { cmd, prints }), planContext('A queue with tests'));
    expect(proof).toEqual({ cmd, ...(kept ? { prints: kept } : {}) });
  });

  it('goes alone: the proof stays', () => {
    const answer = answerOf([write('sum.py')], { cmd: 'python sum.py', prints: '1000' });
    expect(proofOf(answer, planContext('Add up data.csv'))).toEqual({ cmd: 'python sum.py' });
  });

  it('is not what the goal tells in a sentence: that comes on lines of its own', () => {
    const goal =
      'coins.py pays 85: 1 x 50, then 1 x 20, then 3 x 5. It greets with "one, then two"';
    expect(believedPrints('1 x 50, then 1 x 20, then 3 x 5', goal, [])).toBe('');
    expect(believedPrints('1 x 50', goal, [])).toBe('1 x 50');
    expect(believedPrints('one, then two', goal, [])).toBe('one, then two');
  });

  it('and what is typed is not the word for nothing, unless the goal has it typed', () => {
    expect(believedInput('None', 'Greet the user', 'one two')).toBe('');
    expect(believedInput('n/a', 'Greet the user', 'one two')).toBe('');
    expect(believedInput('none', 'type none to end it', 'one two')).toBe('none');
    expect(believedInput('one two', 'Greet the user', 'one two')).toBe('');
    expect(believedInput('one two', 'type one two', 'one two')).toBe('one two');
    expect(believedInput('None of them\n', 'Greet the user', 'one two')).toBe('None of them\n');
  });
});

describe('a proof that only looks is a check', () => {
  const checksOf = (
    verify: { cmd: string; prints?: string },
    goal: string,
    files = {},
    step = write('out.txt'),
  ) => {
    const plan = planOf(answerOf([step], verify), planContext(goal, {}, files));
    return typeof plan === 'string'
      ? plan
      : [plan.proof ?? null, plan.tasks.flatMap(({ subtasks }) => subtasks)[0]?.checks];
  };
  const exists = { type: 'file_exists', path: 'out.txt' };

  it.each([
    'cat out.txt',
    'type out.txt',
    'head -n 5 ./out.txt',
    'cat out.txt | head',
    'ls -la out.txt',
  ])('%s: the file is there', (cmd) => {
    expect(checksOf({ cmd }, 'Write out.txt')).toEqual([null, [exists]]);
  });

  it('that the file holds what the goal states', () => {
    const goal = 'Write out.txt with the line "Good evening"';
    const text = { type: 'file_contains', path: 'out.txt', text: 'Good evening' };
    const verify = { cmd: 'cat out.txt', prints: 'Good evening' };
    expect(checksOf(verify, goal)).toEqual([null, [exists, text]]);
    expect(checksOf({ ...verify, prints: 'Good night' }, goal)).toEqual([null, [exists]]);
  });

  it('but not what it holds before: that may be what has to go', () => {
    const goal = 'In out.txt: Ingrid becomes Priya';
    const verify = { cmd: 'cat out.txt', prints: 'Ingrid' };
    const files = { 'out.txt': 'Monday: Ingrid\n' };
    expect(checksOf(verify, goal, files, edit('out.txt'))).toEqual([null, [exists]]);
    expect(checksOf({ ...verify, prints: 'Priya' }, goal, files, edit('out.txt'))).toEqual([
      null,
      [exists, { type: 'file_contains', path: 'out.txt', text: 'Priya' }],
    ]);
  });

  it('of the last subtask, where a program makes the file; the program is the proof', () => {
    const steps = [write('make.py'), run('python make.py')];
    const plan = planOf(
      answerOf(steps, { cmd: 'cat out.txt' }),
      planContext('make.py writes out.txt'),
    );
    expect(plan).toMatchObject({ proof: { cmd: 'python make.py' } });
    expect(JSON.stringify(plan)).toContain('"path":"out.txt"');
  });

  it('but no check for a file that was guessed, or lies elsewhere', () => {
    for (const cmd of ['cat result.log', 'cat /etc/hosts', 'type C:\\a.txt', 'cat ../out.txt'])
      expect(checksOf({ cmd }, 'Write out.txt'), cmd).toEqual([null, [exists]]);
  });

  it.each(['ls', 'ls -la .', 'dir'])('%s says nothing', (cmd) => {
    expect(checksOf({ cmd }, 'Write out.txt')).toEqual([null, [exists]]);
  });

  it.each(['cat out.txt && rm out.txt', 'cat a > out.txt'])('%s does more than look', (cmd) => {
    expect(checksOf({ cmd }, 'Write out.txt')).toMatch(/not allowed/);
  });
});

describe('a plan whose only step is its proof', () => {
  it.each(['python -m pytest -q', 'node count.mjs'])('is a plan: %s', (cmd) => {
    const context = planContext('Run it', {}, { 'count.mjs': '' });
    expect(targetsOf(answerOf([run(cmd)], { cmd }), context)).toEqual([cmd]);
  });

  it('has no proof where the goal is a question: what it shows is the answer', () => {
    const cmd = 'python -m pytest -q';
    const context = planContext(
      'Run the tests and say which of them fail',
      {},
      { 'test_a.py': '' },
    );
    expect(targetsOf(answerOf([run(cmd)], { cmd }), context)).toEqual([cmd]);
    expect(planOf(answerOf([run(cmd)], { cmd }), context)).toMatchObject({ answer_only: true });
    expect(proofOf(answerOf([run(cmd)], { cmd }), context)).toBe(null);
    expect(targetsOf(answerOf([read('test_a.py')], { cmd }), context)).toEqual(['test_a.py', cmd]);
    expect(targetsOf(answerOf([read('test_a.py')], { cmd: 'ls' }), context)).toEqual(['test_a.py']);
    // Where what is to be run is not there, that is no answer.
    const none = planOf(answerOf([run('node none.mjs')]), planContext('Say hello'));
    expect(none).not.toHaveProperty('answer_only');
  });
});

describe('a plan that ends with running what it wrote', () => {
  it('has named its proof', () => {
    const answer = answerOf([write('game.py'), run('python game.py')]);
    expect(targetsOf(answer, planContext('A game'))).toEqual(['game.py']);
    expect(proofOf(answer, planContext('A game'))).toEqual({ cmd: 'python game.py' });
  });

  it('but not with another command', () => {
    const answer = answerOf([write('game.py'), run('git status')]);
    expect(targetsOf(answer, planContext('A game'))).toMatch(/verify\.cmd is empty/);
  });
});

describe('a program that is not here', () => {
  const without = (program: string, installed = ['python', 'pytest', 'node']) => ({
    missingProgram: (cmd: string) => (cmd.includes(program) ? [program] : null),
    installed: new Set(installed),
  });
  const goal = 'A queue in queue.py with tests';
  const steps = [write('queue.py'), write('test_queue.py'), run('ruff check .')];

  it('is no step', () => {
    const answer = answerOf(steps, { cmd: 'python -m pytest -q' });
    expect(targetsOf(answer, planContext(goal, without('ruff')))).toEqual([
      'queue.py',
      'test_queue.py',
    ]);
  });

  it('is no proof: the tests are run instead', () => {
    const answer = answerOf(steps.slice(0, 2), { cmd: 'ruff check .' });
    expect(proofOf(answer, planContext(goal, without('ruff')))).toMatchObject({
      cmd: 'python -m pytest -q',
    });
  });

  it('is told where nothing stands in for it', () => {
    const proof = answerOf([write('a.py')], { cmd: 'ruff check .' });
    expect(targetsOf(proof, planContext('Write a.py', without('ruff')))).toMatch(
      /name the command that runs a\.py\. ruff is not installed here/,
    );
    const only = answerOf([run('ruff check .')], { cmd: 'ruff check .' });
    expect(targetsOf(only, planContext('Lint it', without('ruff')))).toMatch(
      /ruff is not installed/,
    );
  });

  it('leaves a plan without a proof where nothing can run its files', () => {
    const answer = answerOf([write('a.py')], { cmd: 'python a.py' });
    const context = planContext('Write a.py', without('python', ['node']));
    expect(targetsOf(answer, context)).toEqual(['a.py']);
    expect(proofOf(answer, context)).toBe(null);
  });
});

describe('tests that are given to a program', () => {
  it.each([
    ['python test_queue.py', ['queue.py', 'test_queue.py'], 'python -m pytest -q'],
    ['node queue.test.mjs', ['queue.mjs', 'queue.test.mjs'], 'node --test'],
  ])('%s: their runner runs them', (cmd, files, run) => {
    const steps = files.map((file) => write(file));
    expect(proofOf(answerOf(steps, { cmd }), planContext('A queue with tests'))).toMatchObject({
      cmd: run,
    });
  });
});

describe('a file that only defines', () => {
  const goal = 'rooms.py with the functions area(a, b) and edge(a, b)';
  const purpose = 'area(a, b) returns a * b, edge(a, b) the sum';
  const bare = { cmd: 'python rooms.py' };

  it('is proved by tests, which are planned where there are none', () => {
    const answer = answerOf([write('rooms.py', purpose)], bare);
    expect(targetsOf(answer, planContext(goal))).toEqual(['rooms.py', 'test_rooms.py']);
    expect(proofOf(answer, planContext(goal))).toMatchObject({ cmd: 'python -m pytest -q' });
  });

  it('whatever Python is called here', () => {
    const answer = answerOf([write('rooms.py', purpose)], bare);
    const context = planContext(goal, { installed: new Set(['python3', 'pytest']) });
    expect(proofOf(answer, context)).toMatchObject({ cmd: 'python3 -m pytest -q' });
  });

  it('or by the program beside it', () => {
    const steps = [write('rooms.py', purpose), write('main.py', 'prints the area')];
    expect(proofOf(answerOf(steps, bare), planContext(goal))).toEqual({ cmd: 'python main.py' });
  });

  it('or by tests that are there, also where the file is', () => {
    const files = { 'rooms.py': 'def area(a, b):\n    return a + b\n', 'test_rooms.py': '' };
    const answer = answerOf([edit('rooms.py')], bare);
    expect(proofOf(answer, planContext('Mend area in rooms.py', {}, files))).toMatchObject({
      cmd: 'python -m pytest -q',
    });
  });

  it.each([
    ['a program', 'A game', 'play(a, b) decides'],
    ['one that prints', goal, 'area(a, b), and prints some'],
    ['one whose purpose names no function', goal, 'all of it'],
  ])('is not %s', (_, said, meant) => {
    const answer = answerOf([write('rooms.py', meant)], bare);
    expect(proofOf(answer, planContext(said))).toEqual(bare);
  });
});

describe('a run of tests where there are none, and none are to come', () => {
  const goal = 'Add a row for Ines with 4 boxes to stock.csv';
  const files = { 'stock.csv': 'name,boxes\nOle,3\n' };
  const verify = { cmd: 'python -m pytest -q', prints: 'passed' };

  it('is no proof: it fails whatever the work is like', () => {
    expect(proofOf(answerOf([edit('stock.csv')], verify), planContext(goal, {}, files))).toBe(null);
  });

  it.each<[string, Record<string, string>, Parameters<typeof answerOf>[0], string]>([
    ['tests are there', { 'test_stock.py': 'def test_a(): pass\n' }, [edit('stock.csv')], goal],
    [
      'a manifest may call anything a test',
      { 'package.json': '{"scripts":{"test":"node check.mjs"}}' },
      [edit('stock.csv')],
      goal,
    ],
    ['the goal may speak of tests', {}, [edit('stock.csv')], `${goal}, and test it`],
    ['tests are planned', {}, [edit('stock.csv'), write('test_stock.py')], `${goal} and test it`],
  ])('stays where %s', (_why, more, steps, asked) => {
    const proof = proofOf(answerOf(steps, verify), planContext(asked, {}, { ...files, ...more }));
    expect(proof).toMatchObject({ cmd: verify.cmd });
  });

  it('is asked about where code is made that could get some', () => {
    const plan = planOf(answerOf([write('add.py')], verify), planContext('Write add.py', {}, {}));
    expect(plan).toContain('No subtask writes the tests');
  });
});

describe('tests nobody asked for', () => {
  const store = [write('src/store.mjs'), write('src/server.mjs'), write('test/server.test.mjs')];
  const verify = { cmd: 'node --test test/' };

  it('stay where several files need what calls them all', () => {
    const answer = answerOf(store, verify);
    const context = planContext('A server that counts its visitors');
    expect(targetsOf(answer, context)).toHaveLength(3);
    expect(proofOf(answer, context)).toMatchObject(verify);
  });

  it('stay beside tests that are there: these are the better proof', () => {
    const files = { 'old.py': '', 'test_old.py': '' };
    const answer = answerOf([write('a.py'), write('test_a.py')], { cmd: 'python -m pytest -q' });
    expect(proofOf(answer, planContext('Greet the user', {}, files))).toMatchObject({
      cmd: 'python -m pytest -q',
    });
  });
});
