/** A proof whose own program the run changed. */
import { describe, expect, it } from 'vitest';
import { CALC, call, DONE, edit, MEND, plan, play, TEST, write } from '../support/play.ts';
import { GREEN, judged, NONE, PROGRAM, RED } from './judge-support.ts';

const CHECK = "import { add } from './calc.mjs';\nif (add(2, 3) !== 5) throw new Error('no');\n";
const SUM_TEXT = 'export const add = (a, b) => a + b;\n';
const PROOF = 'node check.mjs';
const CHEAT = edit('check.mjs', '!== 5', '!== -1');
const files: Readonly<Record<string, string>> = { 'calc.mjs': CALC, 'check.mjs': CHECK };

describe('a proof that the model chose, and whose program the run changed', () => {
  it.each([PROOF, 'npm run check'])('shows nothing: %s', async (proof) => {
    const scripts = { 'package.json': JSON.stringify({ scripts: { check: `true && ${PROOF}` } }) };
    const { ending, verdict } = await claimed([plan(proof), CHEAT, DONE], { ...files, ...scripts });
    expect(ending).toBe('unverified');
    expect(verdict).toBe(
      `${proof} passes, but this run changed check.mjs, which it runs: tests would show the work`,
    );
  });

  it('shows nothing by a word of the goal that it prints', async () => {
    const word = call('set_plan', {
      tasks: [{ description: 'the work', subtasks: [{ do: 'do the work' }] }],
      proof: { cmd: PROOF, prints: 'right' },
    });
    const hollow = edit('check.mjs', 'throw', "console.log('right');\nif (false) throw");
    const { ending } = await claimed([word, hollow, DONE]);
    expect(ending).toBe('unverified');
  });

  it('shows the work where it passes as it was before, too', async () => {
    const { ending } = await claimed([plan(PROOF), edit('check.mjs', '!== 5', '< 5'), MEND, DONE]);
    expect(ending).toBe('achieved');
  });

  it('shows the work where only what it runs was changed', async () => {
    const { ending } = await claimed([plan(PROOF), MEND, DONE]);
    expect(ending).toBe('achieved');
  });

  it('shows the work where it compiles what was changed, and runs something else', async () => {
    const script = 'node check.mjs calc.mjs';
    const { ending } = await claimed([plan('npm run check'), MEND, DONE], {
      ...files,
      'package.json': JSON.stringify({ scripts: { check: `true calc.mjs && ${script}` } }),
    });
    expect(ending).toBe('achieved');
  });

  it('shows nothing where a script says that it runs something else, and asks for no tests', async () => {
    const heard: string[] = [];
    const { ending, state } = await play({
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

  it('is told to the model once, whose tests then show the work', async () => {
    const heard: string[] = [];
    const crash = { 'calc.mjs': `${CALC}console.log(add(1, 2).toFixed(unknown));\n` };
    const other = plan('node --test');
    const { ending } = await play({
      goal: 'do what is right',
      files: crash,
      replies: [
        [plan('node calc.mjs'), MEND, edit('calc.mjs', 'unknown', '2'), DONE],
        [
          { ...other, args: { ...other.args, why: 'tests say more' } },
          write('calc.test.mjs', TEST),
          DONE,
        ],
      ],
      hears: (text) => heard.push(text),
    });
    expect(heard.at(-1)).toContain('this run changed calc.mjs, which it runs');
    expect(ending).toBe('achieved');
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

describe('a proof by a script or a makefile that was not there before', () => {
  const npm = { ...files, 'package.json': '{"scripts":{"start":"node calc.mjs"}}' };
  it.each([
    ['npm run check', edit('package.json', '"start":', '"check":"node calc.mjs","start":'), npm],
    ['npm run check', write('package.json', '{"scripts":{"check":"node calc.mjs"}}'), files],
  ])('did not fail before: %s', async (proof, brings, given) => {
    const wrong = edit('calc.mjs', 'a - b', 'a * b');
    const { ending, verdict } = await claimed([plan(proof), brings, wrong, DONE], given);
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
    const { ending, state } = await play({
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

async function claimed(replies: Parameters<typeof play>[0]['replies'][number], given = files) {
  const { ending, state } = await play({
    goal: 'do what is right',
    files: given,
    replies: [replies],
  });
  return { ending, verdict: state.verdict?.words };
}
