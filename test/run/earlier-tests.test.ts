/** Tests that were there and were changed: a rename as it was really played, on a small stand-in. */
import { describe, expect, it } from 'vitest';
import { CALC, DONE, edit, given, HEAD, plan, play, read, write } from '../support/play.ts';

const TYPES = 'export class OldEvent {\n  path() {\n    return "/a";\n  }\n}\n';
const TEST = `${HEAD}import { OldEvent } from '../types.mjs';\nimport { place } from './_setup.mjs';\ntest('has a path', () => assert.equal(new OldEvent().path(), place));\n`;

const RENAME = {
  goal: 'Rename OldEvent to HttpEvent, and keep OldEvent as an alias that is still exported',
  files: {
    'types.mjs': TYPES,
    'index.mjs': "export * from './types.mjs';\n",
    'test/_setup.mjs': "// for OldEvent\nexport const place = '/a';\n",
    'test/types.test.mjs': TEST,
  },
};

/** One file is run by one process. */
const ALONE = 'node test/types.test.mjs';

const LOOK = Object.keys(RENAME.files).map((path) => read(path));

const WORK = [
  plan('node --test'),
  edit('types.mjs', 'OldEvent', 'HttpEvent'),
  write(
    'index.mjs',
    "export * from './types.mjs';\nexport { HttpEvent as OldEvent } from './types.mjs';\n",
  ),
  edit('test/_setup.mjs', 'OldEvent', 'HttpEvent'),
  edit('test/types.test.mjs', '{ OldEvent }', '{ HttpEvent }'),
  edit('test/types.test.mjs', 'new OldEvent', 'new HttpEvent'),
  DONE,
];

describe.concurrent('a test whose earlier form fails with the new code', () => {
  it('is told to the model with what is wrong, and the work is mended', async () => {
    const alias = edit('types.mjs', '  }\n}\n', '  }\n}\nexport { HttpEvent as OldEvent };\n');
    const result = await play({ ...RENAME, replies: [LOOK, WORK, [alias, DONE], [DONE]] });
    expect(result.state.free.doubtTold?.words).toMatch(
      /^test\/types\.test\.mjs was there before the run, which changed it: in its earlier form it fails with the new code: .*export named 'OldEvent'/,
    );
    expect(result).toMatchObject({ ending: 'achieved' });
  });

  it('leaves the run not verified where that stays so, and names it alone', async () => {
    const result = await play({ ...RENAME, replies: [LOOK, WORK, [DONE], [DONE]] });
    expect(result).toMatchObject({ ending: 'unverified' });
    expect(result.detail).not.toContain('_setup.mjs');
    expect(result.detail).toMatch(/export named 'OldEvent'.*; to that the model says: it is done$/);
  });
});

describe.concurrent('a rename with nothing left of the old name', () => {
  const [, types, , ...tests] = WORK;
  const played = (goal: string) => {
    const heard: string[] = [];
    const replies = [LOOK, [plan(ALONE), ...[types, ...tests].flatMap((one) => one ?? [])]];
    return play({ ...RENAME, goal, replies, hears: (text) => heard.push(text) }).then((result) => ({
      ...{ result, requests: heard.length },
    }));
  };

  it('is not claimed, and no alias is asked for', async () => {
    const { result, requests } = await played('Rename OldEvent to HttpEvent');
    expect({ ending: result.ending, requests }).toEqual({ ending: 'unverified', requests: 2 });
    expect(result.detail).toMatch(
      /fail with .*; but .*types\.test\.mjs.* pass only with HttpEvent for OldEvent$/,
    );
  });

  it('is not claimed where the goal wants the alias', async () =>
    expect((await played(RENAME.goal)).result).toMatchObject({ ending: 'unverified' }));
});

describe.concurrent('a new test in a file that was there, which the proof picks alone', () => {
  const RED = "test('unrelated', () => assert.equal(1, 2));\n";
  const NEW = "test('multiplies', () => assert.equal(mul(2, 3), 6));\n";
  const test = given['calc.test.mjs']?.replace('5)', '-1)') ?? '';
  const proof = 'node --test --test-name-pattern=multiplies';
  const mul = (body: string) =>
    edit('calc.mjs', 'a - b;\n', `a - b;\nexport const mul = (a, b) => ${body};\n`);
  const tested = (text: string) =>
    write('calc.test.mjs', text.replace('{ add }', '{ add, mul }').concat(NEW));
  const played = (...work: readonly ReturnType<typeof edit>[]) =>
    play({
      goal: 'Add mul to calc.mjs',
      files: { 'calc.mjs': CALC, 'calc.test.mjs': test.concat(RED) },
      replies: [[read('calc.mjs'), read('calc.test.mjs')], [plan(proof), ...work, DONE], [DONE]],
    });
  it('proves beside a test that is red as before', async () => {
    expect(await played(mul('a * b'), tested(test.concat(RED)))).toMatchObject({
      ending: 'achieved',
    });
  });

  it('proves nothing that it would not notice, though it was not there before', async () => {
    const hollow = test.concat(RED, "test('multiplies', () => {});\n");
    const result = await played(mul('a - b'), write('calc.test.mjs', hollow));
    expect(result).toMatchObject({ ending: 'unverified' });
    expect(result.detail).not.toContain('before the first change it failed');
  });

  it('proves nothing where the test that was red is gone', async () => {
    const result = await played(mul('a * b'), tested(test));
    expect(result).toMatchObject({ ending: 'unverified' });
    expect(result.detail).toContain('in its earlier form it fails with the new code: unrelated');
  });
});
