/** What a model may do instead of the work, and how the engine sees through it. */
import { describe, expect, it } from 'vitest';
import { endOf } from '../../src/run/finish.ts';
import { playInMemory } from '../support/evaluated.ts';
import {
  ALONE,
  BOTH,
  CALC,
  call,
  cmd,
  DONE,
  edit,
  given,
  HEAD,
  MAKE,
  MEND,
  plan,
  play,
  read,
  TEST,
  TWO,
  write,
} from '../support/play.ts';

it('tests that were seen red and a proof that covers only one of them (p47)', async () => {
  const result = await playInMemory({
    goal: 'The tests fail. Fix all bugs',
    files: TWO,
    replies: [[cmd(BOTH), read('calc.mjs'), read('twice.mjs')], [plan(ALONE), MEND, DONE], [DONE]],
  });
  expect(result).toMatchObject({ ending: 'unverified' });
  expect(result.detail).toBe(`${BOTH} failed in this run and still does: doubles`);
});

/** Nor to new settings of the tests (p14), nor to tests of the kind alone (p42): test/evidence. */
describe.concurrent('green that is not owed to the work', () => {
  const files = {
    'id.mjs': "import pad from 'left-pad';\nexport const id = (n) => pad(n, 3, '0');\n",
    'id.test.mjs': `${HEAD}import { id } from './id.mjs';\ntest('pads', () => assert.equal(id(7), '007'));\n`,
  };
  const settings = '{ "type": "module", "main": "index.js" }';
  const proof = 'node id.test.mjs';
  it.each([
    [
      'the run wrote itself (p49)',
      [
        write('node_modules/left-pad/package.json', settings),
        write('node_modules/left-pad/index.js', "export default () => '007';\n"),
      ],
    ],
    [
      'a command of the run wrote',
      [
        write(
          'make.mjs',
          `import { mkdirSync, writeFileSync } from 'node:fs';\nmkdirSync('node_modules/left-pad', { recursive: true });\nwriteFileSync('node_modules/left-pad/package.json', '${settings}');\nwriteFileSync('node_modules/left-pad/index.js', "export default () => '007';");\n`,
        ),
        cmd('node make.mjs'),
      ],
    ],
  ])('but to a dependency that %s', async (_, brings) => {
    const result = await play({
      ...{ goal: MAKE, files },
      replies: [[cmd(proof)], [plan(proof), ...brings, DONE], [DONE]],
    });
    expect(result).toMatchObject({ ending: 'unverified' });
    expect(result.detail).toContain('node_modules/left-pad/index.js');
  });
});

describe.concurrent('a part of the goal that was refused', () => {
  const CALCULATOR = {
    goal: 'Write a calculator with tests and install left-pad',
    replies: [
      [
        plan(ALONE, 'write the calculator', 'install left-pad'),
        write('calc.mjs', CALC.replace('-', '+')),
        write('calc.test.mjs', TEST),
        cmd(ALONE),
        DONE,
      ],
      [cmd('npm install left-pad')],
      [DONE],
    ],
  };

  it('and never done waits for the permission (A1)', async () => {
    const result = await playInMemory(CALCULATOR);
    expect(result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(result.detail).toContain('npm install left-pad');
  });

  it('and never done after a no is not verified, and named', async () => {
    const ask = () => Promise.resolve({ kind: 'no', why: '' } as const);
    const result = await playInMemory(CALCULATOR, {}, { ask });
    expect(result).toMatchObject({
      ending: 'unverified',
      detail:
        "not done: 1.2 install left-pad (npm install left-pad was refused); the model's reason: it is done",
    });
  });

  it('and was got round in its subtask is waited for, once the model has said so twice', async () => {
    const result = await playInMemory({
      goal: MAKE,
      files: given,
      replies: [
        [cmd(ALONE), read('calc.mjs')],
        [plan(ALONE), cmd('npm install left-pad')],
        [MEND, DONE],
        [DONE],
        [DONE],
      ],
    });
    expect(result).toMatchObject({ ending: 'paused', why: 'waiting_for_person' });
    expect(result.state.permissions?.open).toMatchObject([{ target: 'npm install left-pad' }]);
  });
});

describe.concurrent('a doubt that work can mend', () => {
  const HOLLOW = `${HEAD}import { twice } from './twice.mjs';\ntest('is there', () => assert.equal(typeof twice(2), 'number'));\n`;
  const begun = [
    plan('node twice.test.mjs'),
    write('twice.mjs', 'export const twice = (a) => 2 * a;\n'),
    write('twice.test.mjs', HOLLOW),
    DONE,
  ];
  const goal = 'Write twice.mjs with a function twice and tests for it';

  it('is told once, and the run goes on to its right end', async () => {
    const result = await playInMemory({
      goal,
      replies: [
        begun,
        [edit('twice.test.mjs', "typeof twice(2), 'number'", 'twice(2), 4'), DONE],
        [DONE],
      ],
    });
    expect(result).toMatchObject({ ending: 'achieved' });
    expect(result.state.free.doubtTold).toMatchObject({ answer: 'it is done' });
  });

  it('may be a named file that was not changed', async () => {
    const result = await playInMemory({
      goal: 'Make the tests pass and document add in README.md',
      files: { ...given, 'README.md': '# Mine\n' },
      replies: [
        [cmd(ALONE), read('calc.mjs')],
        [plan(ALONE), MEND, DONE],
        [read('README.md'), edit('README.md', '# Mine\n', '# Mine\n\nadd(a, b)\n'), DONE],
        [DONE],
      ],
    });
    expect(result).toMatchObject({ ending: 'achieved' });
    expect(result.state.free.doubtTold?.words).toContain('README.md was not changed');
  });

  const LOOKED = 'grep -q twice twice.mjs';
  const looked = [plan(LOOKED), write('twice.mjs', 'export const twice = (a) => 2 * a;\n'), DONE];

  it('is told once only, and where the model lets it stand its reason is beside it at the end', async () => {
    const why = call('mark_subtask_complete', { success: true, reason: 'That is all of it.' });
    const { detail, ending, state } = await playInMemory({
      goal: 'Write twice.mjs',
      replies: [looked, [why]],
    });
    expect(ending).toBe('unverified');
    expect(state.conversation.filter(({ cause }) => cause === 'doubt')).toHaveLength(1);
    expect(detail).toBe(
      `${LOOKED} only reads what this run wrote; the model's reason: That is all of it.`,
    );
  });

  it('that was another one is not answered by it', () => {
    const told = { words: 'the tests pass even when a.mjs does nothing', answer: 'It is all.' };
    const end = (words: string) =>
      endOf({ ending: 'achieved', detail: '' }, {
        verdict: { isProved: false, words },
        free: { doubtTold: told },
        report: null,
      } as never);
    expect(end(told.words).detail).toBe(`${told.words}; the model's reason: It is all.`);
    expect(end('b.mjs was not changed')).toEqual({
      ...{ ending: 'unverified', detail: 'b.mjs was not changed' },
    });
  });

  it('may be answered with a text', async () => {
    const replies = [looked, 'The proof stays as it is.'];
    const result = await playInMemory({ goal: 'Write twice.mjs', replies });
    expect(result).toMatchObject({ ending: 'unverified', summary: 'The proof stays as it is.' });
    // It stands at the end as the model's word, and is not said a second time.
    expect(result.detail).not.toContain('The proof stays');
  });
});
