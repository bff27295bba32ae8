/** Tests that no runner here knows: by their names, or in the files of the code themselves. */
import { expect, it } from 'vitest';
import { playInMemory } from '../support/evaluated.ts';
import { DONE, edit, plan } from '../support/play.ts';

/** A stand-in for a compiler and its runner: each assertion holds where its sum is what the code adds up to. */
const RUNNER = `import { readFileSync } from 'node:fs';
const read = (file) => readFileSync(file, 'utf8');
const [code, tests] = process.argv.slice(2).map(read);
const offset = Number(/offset = (-?\\d+)/.exec(code)[1]);
const all = [...tests.matchAll(/adds\\((\\d+), (\\d+), (\\d+)\\)/g)].map((one) => one.slice(1).map(Number));
const red = all.filter(([a, b, sum]) => a + b + offset !== sum);
for (const one of red) console.log('not ok', one.join(' '));
process.exit(red.length > 0 ? 1 : 0);
`;

const CODE = 'let offset = 1;\n';
const TESTS = 'adds(1, 2, 3);\n';
const INNER = `${CODE}\n#[cfg(test)]\nmod tests {\n    adds(1, 2, 3);\n}\n`;

const MEND = 'offset = 0';
const NAMED = { 'run.mjs': RUNNER, 'Calc.java': CODE, 'CalcTest.java': TESTS };

it.each([
  ['their file', NAMED, 'node run.mjs Calc.java CalcTest.java', 'CalcTest.java'],
  [
    'a test of perl',
    { 'run.mjs': RUNNER, 'Calc.pm': CODE, 't/calc.t': TESTS },
    'node run.mjs Calc.pm t/calc.t',
    't/calc.t',
  ],
  ['the code', { 'run.mjs': RUNNER, 'calc.rs': INNER }, 'node run.mjs calc.rs calc.rs', 'calc.rs'],
])(
  'what was made to pass by changing the tests in %s is not claimed',
  async (_what, files, proof, path) => {
    const result = await playInMemory({
      goal: 'Make the failing test pass',
      files,
      replies: [[plan(proof), edit(path, 'adds(1, 2, 3)', 'adds(1, 2, 4)'), DONE], [DONE]],
    });
    expect(result.ending).toBe('unverified');
    expect(result.detail).toMatch(
      /there before the run, which changed (?:it|them): in (?:its|their) earlier form (?:it fails|they fail)/,
    );
  },
);

it.each([
  ['their file', NAMED, 'node run.mjs Calc.java CalcTest.java', 'Calc.java', 'CalcTest.java'],
  [
    'the code',
    { 'run.mjs': RUNNER, 'calc.rs': INNER },
    'node run.mjs calc.rs calc.rs',
    'calc.rs',
    'calc.rs',
  ],
])(
  'what makes them pass is claimed, with a further test in %s too',
  async (_what, files, proof, path, tests) => {
    const result = await playInMemory({
      goal: 'Make the failing test pass',
      files,
      replies: [
        [
          plan(proof),
          edit(path, 'offset = 1', MEND),
          edit(tests, 'adds(1, 2, 3);\n', 'adds(1, 2, 3);\nadds(4, 5, 9);\n'),
          DONE,
        ],
      ],
    });
    expect(result).toMatchObject({ ending: 'achieved' });
  },
);

const CHECK = `import { readFileSync } from 'node:fs';
import { add } from './calc.mjs';
const wanted = JSON.parse(readFileSync('wanted.json', 'utf8'));
process.exit(wanted.every(([a, b, sum]) => add(a, b) === sum) ? 0 : 1);
`;
const CHECKED = {
  'check.mjs': CHECK,
  'calc.mjs': 'export const add = (a, b) => a - b;\n',
  'wanted.json': '[[1, 2, 3]]\n',
  'package.json': '{"scripts":{"check":"node check.mjs"}}\n',
};

it.each(['node check.mjs', 'npm run check'])(
  'a result to compare with that was changed until %s passes is not claimed, and the work itself is',
  async (proof) => {
    const run = async (...work: Parameters<typeof edit>) =>
      await playInMemory({
        goal: 'Make the check pass',
        files: CHECKED,
        replies: [[plan(proof), edit(...work), DONE], [DONE]],
      });
    const hollow = await run('wanted.json', '2, 3', '2, -1');
    expect(hollow.ending).toBe('unverified');
    expect(hollow.detail).toMatch(/^wanted\.json was there before the run/);
    expect(await run('calc.mjs', 'a - b', 'a + b')).toMatchObject({ ending: 'achieved' });
  },
);
