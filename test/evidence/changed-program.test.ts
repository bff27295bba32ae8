/** A proof whose own program the run changed. */
import { describe, expect, it } from 'vitest';
import { playInMemory } from '../support/evaluated.ts';
import { CALC, DONE, edit, MEND, plan, type play, TEST, write } from '../support/play.ts';
import { GREEN, judged, NONE, PROGRAM, RED } from './judge-support.ts';

const CHECK = "import { add } from './calc.mjs';\nif (add(2, 3) !== 5) throw new Error('no');\n";
const SUM_TEXT = 'export const add = (a, b) => a + b;\n';
const PROOF = 'node check.mjs';
const CHEAT = edit('check.mjs', '!== 5', '!== -1');
const files: Readonly<Record<string, string>> = { 'calc.mjs': CALC, 'check.mjs': CHECK };

describe('a proof that the model chose, and whose program the run changed', () => {
  it('shows nothing, and the model is told so once', async () => {
    const heard: string[] = [];
    const { ending, verdict } = await claimed([plan(PROOF), CHEAT, DONE], files, (text) =>
      heard.push(text),
    );
    expect(ending).toBe('unverified');
    const words = `${PROOF} passes, but this run changed check.mjs, which it runs: tests would show the work`;
    expect(verdict).toBe(words);
    expect(heard.at(-1)?.split('this run changed check.mjs, which it runs')).toHaveLength(2);
  });

  it('is none where only names are new in the file of tests that it is told to run', async () => {
    const texts = {
      'calc.mjs': 'export const add = (a, b) => a + b;\n',
      'test/calc.mjs': TEST.replace('./calc', '../calc'),
    };
    const renames = [
      edit('calc.mjs', 'add', 'sum'),
      edit('test/calc.mjs', '{ add }', '{ sum }'),
      edit('test/calc.mjs', 'add(2', 'sum(2'),
    ];
    const { detail } = await playInMemory({
      goal: 'Rename add to sum',
      files: texts,
      replies: [[plan('node --test test/calc.mjs'), ...renames, DONE], [DONE], [DONE]],
    });
    expect(detail).toMatch(/but test\/calc\.mjs passes only with sum for add$/);
  });

  it('shows nothing by a word of the goal that it prints', async () => {
    const changedOfProof = { programs: ['check.mjs'], named: [], settings: [], isNew: false };
    const stated = { ...PROGRAM, isNew: false, newCode: [], stated: 'right', changedOfProof };
    expect(await judged(stated, { put_back: RED, before: RED })).toMatchObject({ isProved: false });
    expect(await judged(stated, { put_back: GREEN, before: RED })).toMatchObject({
      isProved: true,
    });
  });

  it('shows the work where it passes as it was before, too', async () => {
    const { ending } = await claimed([plan(PROOF), edit('check.mjs', '!== 5', '< 5'), MEND, DONE]);
    expect(ending).toBe('achieved');
  });

  it('shows nothing where a script says that it runs something else, and asks for no tests', async () => {
    const heard: string[] = [];
    const { ending, state } = await playInMemory({
      goal: 'npm run build fails: repair it',
      files: {
        'package.json': '{"scripts":{"build":"node biuld.mjs"}}',
        'build.mjs': 'console.log(1)\n',
      },
      replies: [[plan('npm run build'), edit('package.json', 'biuld', 'build'), DONE]],
      hears: (text) => heard.push(text),
    });
    expect(ending).toBe('unverified');
    expect(state.verdict?.words).toBe(
      'npm run build passes, but this run changed package.json, which it runs',
    );
    expect(heard).toHaveLength(1);
  });
});

describe('a proof by a program of which nothing is known, and that names what was changed', () => {
  const named = { programs: [], named: ['a.py'], settings: [], isNew: false };
  const work = { before: 'failing', isNew: false, newCode: [], changedOfProof: named } as const;
  it.each([
    ['only looks at it', GREEN, GREEN, true],
    ['runs it', GREEN, RED, false],
    ['may run it', GREEN, NONE, false],
    ['runs what needs it', RED, RED, true],
  ])(
    'shows the work unless it may be its program: it %s',
    async (_what, blank, failing, isProved) => {
      const answers = { 'blank a.py': blank, 'failing a.py': failing, put_back: RED };
      const verdict = await judged({ ...PROGRAM, ...work }, answers);
      expect(verdict.isProved).toBe(isProved);
    },
  );
});

describe('a proof by a script that was not there before', () => {
  it('did not fail before', async () => {
    const brings = write('package.json', '{"scripts":{"check":"node calc.mjs"}}');
    const wrong = edit('calc.mjs', 'a - b', 'a * b');
    const { ending, verdict } = await claimed([plan('npm run check'), brings, wrong, DONE]);
    expect(ending).toBe('unverified');
    expect(verdict).toContain('no example in the goal shows what it must print');
  });
});

describe('a proof that only needs what the run made', () => {
  it.each([
    ['sum.pl', 'print 99;\n', 'unverified'],
    ['words.txt', 'one\n', 'achieved'],
  ])('does not show what is in it, unless it is data: %s', async (path, text, wanted) => {
    const reads = `import { readFileSync } from 'node:fs';\nreadFileSync('${path}');\n`;
    const { ending } = await claimed([plan(PROOF), write(path, text), DONE], {
      'check.mjs': reads,
    });
    expect(ending).toBe(wanted);
  });
});

describe('a script of tests that was not there before', () => {
  it('is no objection to the tests, and shows nothing by itself', async () => {
    const heard: string[] = [];
    const { ending, state } = await playInMemory({
      goal: 'Add an npm script test that runs the tests',
      files: { 'calc.mjs': SUM_TEXT, 'calc.test.mjs': TEST, 'package.json': '{"name":"x"}' },
      replies: [
        [
          plan('npm test'),
          edit('package.json', '"x"', '"x","scripts":{"test":"node --test"}'),
          DONE,
        ],
      ],
      hears: (text) => heard.push(text),
    });
    expect(ending).toBe('unverified');
    expect(state.verdict?.words).toBe(
      'npm test passes, but nothing shows that its tests would notice a fault',
    );
    expect(heard).toHaveLength(1);
  });
});

async function claimed(
  replies: Parameters<typeof play>[0]['replies'][number],
  given = files,
  hears = (_: string): void => {},
) {
  const { ending, state } = await playInMemory({
    goal: 'do what is right',
    files: given,
    replies: [replies],
    hears,
  });
  return { ending, verdict: state.verdict?.words };
}
