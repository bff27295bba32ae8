/** A language whose functions nobody here can empty: its new lines are altered, and its new tests. */
import { describe, expect, it } from 'vitest';
import type { AlterableLine, PlacedAlteration } from '../../../src/evidence/alterable.ts';
import type { Evidence, TrialAnswer, TrialQuestion } from '../../../src/evidence/evidence.ts';
import { playInMemory } from '../../support/evaluated.ts';
import { DONE, edit, plan } from '../../support/play.ts';
import { GREEN, judged, NONE, PROGRAM, RED, ran } from '../judge-support.ts';

const at = (path: string, line: number): PlacedAlteration => ({
  path,
  line,
  at: 0,
  from: '<',
  to: '>=',
});
const sure = (line: number): AlterableLine => ({
  alternatives: [at('a.c', line)],
  isGuess: false,
});
const CODE = [1, 2, 3, 4, 5].map(sure);
/** Nothing is named where they fail. */
const TESTS = [1, 2].map((line) => ({
  path: 'test/a.c',
  ...{ lines: [line], moved: 0, alternatives: [at('test/a.c', line)], wasLoaded: false },
}));
const OTHERS = [at('test/a.c', 3)];
const WORK: Evidence = {
  ...{ ...PROGRAM, proof: { cmd: 'make test' }, printed: '', isNew: false, before: 'passed' },
  ...{ code: [], newCode: [], alterable: CODE },
  expectedIn: () => ({ compared: TESTS, others: OTHERS, last: null }),
};

const NAMED = ran(false, { output: 'test/a.c:1: failed' });

/** Of each question: whether the tests pass. @param passes for alterations: `a.c:1`, or `old a.c:1` */
const seen = (
  passes: readonly string[] = [],
  more: Partial<Evidence> = {},
  other: (question: TrialQuestion) => TrialAnswer | undefined = () => undefined,
) =>
  judged({ ...WORK, ...more }, (_name, question) => {
    const answer = other(question);
    if (answer !== undefined) return answer;
    // A comparison says what it expects.
    const isBoth = (paths: readonly string[]): boolean =>
      paths.includes('a.c') && paths.includes('test/a.c');
    if (question.what === 'altered' && isBoth(question.changes.map(({ path }) => path)))
      return ran(false, { output: 'another' });
    if (question.what === 'altered')
      return question.changes.every(({ path, line }) => passes.includes(`${path}:${line}`))
        ? GREEN
        : NAMED;
    if (question.what === 'altered_old_tests')
      return passes.includes(`not old ${question.change.path}:${question.change.line}`)
        ? RED
        : GREEN;
    if (question.what === 'blank' || question.what === 'broken') return RED;
    return GREEN;
  });

describe('a line for which only some alterations build', () => {
  const GUESSES = ['0', '""', 'null'] as const;
  const guessed = (line: number): AlterableLine => {
    const [first, ...more] = GUESSES.map((to) => ({ ...at('a.c', line), from: 'f()', to }));
    return { alternatives: [first as PlacedAlteration, ...more], isGuess: true };
  };
  const tried = async (builds: string, noticed: boolean) => {
    const asked: string[] = [];
    const verdict = await seen([], { alterable: [1, 2].map(guessed) }, (question) => {
      if (question.what === 'altered_old_tests') {
        asked.push(question.change.to);
        return question.change.to === builds ? GREEN : RED;
      }
      const isCode = question.what === 'altered' && question.changes[0]?.path === 'a.c';
      if (isCode && question.changes.length > 1) return undefined;
      return isCode ? (noticed ? NAMED : GREEN) : undefined;
    });
    return { asked, verdict };
  };
  it('speaks by the first that builds, which is tried first in the next line', async () => {
    const { asked, verdict } = await tried('""', true);
    expect(asked).toEqual(['0', '""', '""']);
    expect(verdict).toMatchObject({ isProved: true });
    expect(verdict.words).toMatch('fail with "" for f() in a.c:1 and with "" for f() in a.c:2');
  });
  it('speaks against tests that do not notice that one', async () =>
    expect((await tried('""', false)).verdict).toMatchObject({
      isProved: false,
      mend: 'tests_notice_nothing',
    }));
  it('speaks against tests that fail with it in the same way whatever they expect', async () => {
    const tests = (question: TrialQuestion): TrialAnswer | undefined =>
      question.what === 'altered' && question.changes[0]?.path === 'a.c'
        ? ran(false, { output: 'Segmentation fault' })
        : undefined;
    const verdict = await seen([], { alterable: [guessed(1)] }, tests);
    expect(verdict).toMatchObject({ isProved: false, mend: 'tests_notice_nothing' });
    expect(verdict.words).toMatch('in the same way whatever the tests of this run expect');
  });
  it('is not noticed by a crash behind a comparison that holds', async () => {
    const tests = (question: TrialQuestion): TrialAnswer | undefined =>
      question.what === 'altered' && question.changes[0]?.path === 'a.c'
        ? ran(false, {
            output: question.changes.length === 1 ? 'invalid pointer' : 'test/a.c:1: failed',
          })
        : undefined;
    expect(await seen([], { alterable: [guessed(1)] }, tests)).toMatchObject({
      isProved: false,
      mend: 'tests_notice_nothing',
    });
  });
  it('speaks by another alteration where tests fail with a constant in the same way', async () => {
    const [crash, part] = [
      { ...at('a.c', 1), from: 'f()', to: 'null' },
      { ...at('a.c', 1), from: '.sorted()', to: '', mayDoNothing: true as const },
    ];
    const alterable = [{ alternatives: [crash, part] as const, isGuess: true }];
    const tests = (question: TrialQuestion): TrialAnswer | undefined =>
      question.what === 'altered' && question.changes[0] === crash
        ? ran(false, { output: 'NullPointerException' })
        : undefined;
    const verdict = await seen([], { alterable }, tests);
    expect(verdict).toMatchObject({ isProved: true });
    expect(verdict.words).toMatch('fail without .sorted() in a.c:1');
    expect(await seen(['a.c:1'], { alterable }, tests)).toMatchObject({ isProved: false });
  });
  it('is not noticed by tests that cannot be built without what is left out', async () => {
    const omission = { ...at('a.c', 1), from: 'int f(void);', to: '' };
    const unbuilt = ran(false, { output: 'cc test/a.c\nmake: [test] Error 1' });
    const tests = (question: TrialQuestion): TrialAnswer | undefined =>
      (question.what === 'altered' && question.changes[0] === omission) ||
      (question.what === 'broken' && question.path === 'test/a.c')
        ? unbuilt
        : undefined;
    const alterable = [{ alternatives: [omission] as const, isGuess: true }];
    expect(await seen([], { alterable }, tests)).toMatchObject({ isProved: false });
  });
  it('decides where as much else is noticed as not', async () => {
    const alterable = [...[1, 2].map(sure), guessed(3)];
    expect(await seen(['a.c:1'], { alterable })).toMatchObject({ isProved: true });
    expect(await seen(['a.c:1', 'a.c:3'], { alterable })).toMatchObject({ isProved: false });
  });
  it('says nothing where none builds', async () =>
    expect((await tried('no such constant', true)).verdict).not.toHaveProperty('mend'));
});

describe('a run of tests that passed before', () => {
  it('shows the work if its tests notice alterations of its code, and of what they expect', async () => {
    const verdict = await seen();
    expect(verdict).toMatchObject({ isProved: true });
    expect(verdict.words).toBe(
      'proof passed: make test; checked: the tests of this run fail with >= for < in a.c:1, with >= for < in a.c:2 and with >= for < in a.c:3',
    );
  });
  it('shows it with some that nobody notices, if most are', async () =>
    expect(await seen(['a.c:1', 'a.c:3'])).toMatchObject({ isProved: true }));
  it('shows it with one statement left out that is noticed, where the others do not build', async () => {
    const code = [1, 2].map(
      (line): AlterableLine => ({
        alternatives: [{ ...at('a.c', line), from: 'f();', to: '' }],
        isGuess: true,
      }),
    );
    const verdict = await seen(['not old a.c:1'], { alterable: code });
    expect(verdict).toMatchObject({ isProved: true });
    expect(verdict.words).toMatch('fail without f(); in a.c:2');
  });
  it.each([
    ['nothing is noticed', ['a.c:1', 'a.c:2', 'a.c:3']],
    ['no more is noticed than not', ['a.c:1', 'a.c:3', 'not old a.c:5']],
    ['the tests expect nothing', ['test/a.c:1', 'test/a.c:2', 'test/a.c:3']],
  ])('shows nothing, and more tests can help, if %s', async (_what, passes) =>
    expect(await seen(passes)).toMatchObject({ isProved: false, mend: 'tests_notice_nothing' }),
  );
  it.each([
    [
      'what fails does not build, or the tests that were there notice it',
      [1, 2, 3, 4, 5].map((line) => `not old a.c:${line}`),
      {},
    ],
    ['one alteration alone is noticed', [2, 3, 4, 5].map((line) => `not old a.c:${line}`), {}],
    ['no code can be altered, or no test is new', [], { alterable: [] }],
    ['the model is one that repeats its mistakes in its tests', [], { ownTestsProve: false }],
  ])('shows nothing as before, if %s', async (_what, passes, more) => {
    const verdict = await seen(passes, more);
    expect(verdict.words).toMatch(/^make test passed before this run too/);
    expect(verdict).not.toHaveProperty('mend');
  });
  it('shows nothing, and asks for no tests, if it passes with nothing in the code: what it runs is built elsewhere', async () => {
    const all = [1, 2, 3, 4, 5].map((line) => `a.c:${line}`);
    const verdict = await seen(all, {}, ({ what }) => (what === 'blank' ? GREEN : undefined));
    expect(verdict.words).toMatch(/^make test passed before this run too/);
    expect(verdict).not.toHaveProperty('mend');
  });
  it('shows nothing if what the tests expect is noticed only because it does not build', async () => {
    const insertion = { ...at('test/a.c', 1), from: '(', to: '(!' };
    const expectedIn = () => ({ compared: [], others: [insertion, ...OTHERS], last: null });
    const unbuilt = ran(false, { output: 'cc test/a.c\nmake: [test] Error 1' });
    const tests = (isBuilt: boolean) =>
      seen(['test/a.c:3'], { expectedIn }, (question) =>
        (question.what === 'altered' && question.changes[0] === insertion && !isBuilt) ||
        (question.what === 'broken' && question.path === 'test/a.c')
          ? unbuilt
          : undefined,
      );
    expect(await tests(false)).toMatchObject({ isProved: false, mend: 'tests_notice_nothing' });
    expect(await tests(true)).toMatchObject({ isProved: true });
  });
  it('shows nothing if the tests read how the code is written', async () =>
    expect(await seen([], {}, ({ what }) => (what === 'respaced' ? RED : undefined))).toMatchObject(
      { isProved: false, words: expect.stringContaining('depend on how the code is written') },
    ));
  it.each(['altered', 'respaced'])('tells that there was no time: %s', async (which) => {
    const { isProved, words } = await seen([], {}, ({ what }) =>
      what === which ? NONE : undefined,
    );
    expect(isProved).toBe(false);
    expect(words).toMatch(
      /it is not known whether the tests of this run notice its code: no time$/,
    );
  });
});

it('a new project, in which no other test shows that an alteration builds, shows it by having none to run', async () => {
  const none = { kind: 'none', why: 'there were no tests to run', hasNoTests: true } as const;
  const found = (answer: typeof none | typeof RED) =>
    seen([], { before: null, isNew: true, newCode: ['a.c'] }, ({ what }) =>
      what === 'altered_old_tests' ? answer : undefined,
    );
  expect(await found(none)).toMatchObject({ isProved: true });
  const { isProved, words } = await found(RED);
  expect({ isProved, words }).toEqual({
    isProved: false,
    words: expect.stringMatching(
      /^make test runs, but no example in the goal shows what it must print/,
    ),
  });
});

it('a proof that picks no test of before shows the work as one that was absent', async () => {
  const none = { kind: 'none', why: 'there were no tests to run', hasNoTests: true } as const;
  const found = (answer: TrialAnswer) =>
    seen([], { before: null, newCode: ['a.c'] }, ({ what }) =>
      what === 'before' ? answer : undefined,
    );
  expect(await found(none)).toMatchObject({ isProved: true });
  expect((await found(NONE)).words).toMatch(
    'whether it did so before this run is not known: no time',
  );
});

/** A stand-in for a compiler: tests are blocks in the file of their code. */
const RUNNER = `import { readFileSync } from 'node:fs';
const text = readFileSync('calc.zig', 'utf8');
const [code, ...tests] = text.split(/^test "[^"]*" /m);
try {
  for (const test of tests) new Function(code + 'const is = (a, b) => { if (a !== b) throw new Error(a + " is not " + b); };' + test)();
} catch (error) {
  console.log(String(error));
  process.exit(1);
}
`;
const OLD = 'const add = (a, b) => a + b;\ntest "adds" { is(add(1, 2), 3); }\n';
const CLAMP = `const clamp = (value, low, high) => {
  if (value < low) return low;
  if (value > high) return high;
  return value;
};
`;
const REAL =
  'test "clamps" {\n  is(clamp(5, 1, 3), 3);\n  is(clamp(0, 1, 3), 1);\n  is(clamp(2, 1, 3), 2);\n}\n';
const HOLLOW = 'test "clamps" {\n  clamp(5, 1, 3);\n  is(clamp.length, 3);\n}\n';
const TEXTUAL =
  'test "clamps" {\n  is(/if .value < low. return low;\\n  if .value > high. return high;/.test(clamp), true);\n  is(3, 3);\n  is(4, 4);\n}\n';

it.each([
  [
    'are real',
    REAL,
    'achieved',
    /the tests of this run fail with >= for < in calc\.zig:3 and with/,
  ],
  ['check nothing', HOLLOW, 'unverified', /passed before this run too/],
  ['read the text of the code', TEXTUAL, 'unverified', /depend on how the code is written/],
])('tests in the file of their code that %s', async (_what, tests, ending, words) => {
  const result = await playInMemory({
    goal: 'Add clamp(value, low, high), with tests',
    files: { 'run.mjs': RUNNER, 'calc.zig': OLD },
    replies: [
      [
        plan('node run.mjs'),
        edit('calc.zig', OLD, `${OLD.split('\n')[0]}\n${CLAMP}${OLD.split('\n')[1]}\n${tests}`),
        DONE,
      ],
      [DONE],
    ],
  });
  expect(result.detail).toMatch(words);
  expect(result.ending).toBe(ending);
});
