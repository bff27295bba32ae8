/** Work that makes tests say what they do not show: it is never claimed, and right work beside it is. */
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/agent.ts';
import { PYTHON } from '../languages/inspection-support.ts';
import { playInMemory } from '../support/evaluated.ts';
import {
  ADD,
  ALONE,
  CALC,
  cmd,
  DONE,
  edit,
  HEAD,
  MAKE,
  own,
  type Played,
  plan,
  play,
  SUM,
  write,
} from '../support/play.ts';

type Files = NonNullable<Played['files']>;

/** Files that were there are replaced, others are made. */
const mended = async (
  proof: string,
  files: Files,
  work: Files,
  plays: (played: Played) => Promise<RunResult> = playInMemory,
) => {
  const acts = Object.entries(work).map(([path, text]) =>
    files[path] === undefined ? write(path, text) : edit(path, files[path], text),
  );
  const replies = [[cmd(proof)], [plan(proof), ...acts, DONE], [DONE]];
  const { ending, detail } = await plays({ goal: MAKE, files, replies });
  return { ending, detail };
};
const unclaimed = (words: string) => ({
  ending: 'unverified',
  detail: expect.stringContaining(words),
});
const ACHIEVED = { ending: 'achieved' };

const TWO = {
  'calc.mjs': `${CALC}export const mul = (a, b) => a + b;\n`,
  'check.mjs':
    'export const same = (a, b) => {\n  if (a !== b) throw new Error("not the same");\n};\n',
  'calc.test.mjs': `import test from 'node:test';
import { same } from './check.mjs';
import { add, mul } from './calc.mjs';
test('adds', () => {
  same(add(2, 3), 5);
});
test('multiplies', () => {
  same(mul(3, 4), 12);
});
`,
};
const RIGHT = 'export const add = (a, b) => a + b;\nexport const mul = (a, b) => a * b;\n';

describe.concurrent('of several tests that were red', () => {
  it.each([
    ['the first', RIGHT.replace('a + b', 'String(a - b)'), '987654321 for 5 in calc.test.mjs:5'],
    ['the last', RIGHT.replace('a * b', 'String(a - b)'), '987654321 for 12 in calc.test.mjs:8'],
  ])('each must compare, also %s', async (_, code, other) => {
    const check = TWO['check.mjs'].replace('a !== b', "typeof a !== 'string' && a !== b");
    expect(await mended(ALONE, TWO, { 'check.mjs': check, 'calc.mjs': code })).toMatchObject(
      unclaimed(`${ALONE} passes, but its tests do so even with ${other}`),
    );
  });

  it('right work is claimed, whatever they compare', async () => {
    expect(await mended(ALONE, TWO, { 'calc.mjs': RIGHT })).toMatchObject(ACHIEVED);
    const files = {
      'lib.mjs': 'export const items = () => [1, 5];\nexport const size = () => 3;\n',
      'lib.test.mjs': `${HEAD}import { items, size } from './lib.mjs';
test('is another', () => {
  assert.notEqual(size(), 3);
});
test('is large', () => {
  assert.ok(size() > 10, 'large');
});
test('has none', () => {
  assert.ok(!items().includes(5), 'none');
});
test('are others', () => {
  assert.notDeepEqual(items(), [1, 5]);
});
`,
    };
    const work = {
      'lib.mjs': 'export const items = () => [1, 7];\nexport const size = () => 30;\n',
    };
    expect(await mended('node lib.test.mjs', files, work)).toMatchObject(ACHIEVED);
  });
});

it('a program that checks must come to the end of its checks', async () => {
  const files = {
    'calc.mjs': CALC,
    'check.mjs': `import assert from 'node:assert/strict';\nimport { add } from './calc.mjs';\nassert.equal(add(2, 3), 5);\nassert.equal(add(1, 1), 2);\n`,
  };
  const proof = 'node check.mjs';
  const sly =
    'let count = 0;\nexport const add = (a, b) => (count++ > 0 ? process.exit(0) : a + b);\n';
  expect(await mended(proof, files, { 'calc.mjs': sly })).toMatchObject(
    unclaimed('it ends before it has checked check.mjs:4'),
  );
  const right = { 'calc.mjs': CALC.replace('-', '+') };
  expect(await mended(proof, files, right)).toMatchObject(ACHIEVED);
});

describe.concurrent('tests of the run', () => {
  const claimed = async (code: string, body: string) => {
    const { ending, detail } = await playInMemory({
      goal: ADD,
      replies: [[plan(ALONE), write('calc.mjs', code), own(body), DONE], [DONE]],
    });
    return { ending, detail };
  };
  const READS = "import { readFileSync } from 'node:fs';\n";

  it.each([
    [
      'the text of the file',
      `${READS}test('is', () => assert.match(readFileSync('calc.mjs', 'utf8'), /=> a/));`,
    ],
    ['the text of a function', "test('is', () => assert.match(String(add), /a - b/));"],
  ])('show nothing if they read %s', async (_, body) => {
    expect(await claimed(CALC, body)).toMatchObject(
      unclaimed('the tests pass even when calc.mjs does nothing'),
    );
  });

  it('show nothing if they compare nothing', async () => {
    const body = 'const same = (a, b) => assert.ok(a && b);\ntest("is", () => same(add(2, 3), 5));';
    const code = 'export const add = (a, b) => ({ a, b });\n';
    expect(await claimed(code, body)).toMatchObject(
      unclaimed('its tests do so even with 987654321 for 5 in calc.test.mjs:5'),
    );
  });

  it('show right work, also where some want that something is not so', async () => {
    const body =
      "test('is not', () => assert.notEqual(add(2, 2), 2));\ntest('is small', () => {\n  assert.ok(add(2, 2) < 5, 'small');\n});\ntest('is', () => assert.equal(add(2, 3), 5));";
    const replies = [[plan(ALONE), SUM, own(body), DONE], [DONE]];
    expect(await playInMemory({ goal: ADD, replies })).toMatchObject(ACHIEVED);
  });
});

const ANY = 'class Any:\n    def __eq__(self, other):\n        return True\n\n\n';
const DEF = (sign: string): string => `def add(a, b):\n    return a ${sign} b\n`;
const CASE = `import unittest


class Adds(unittest.TestCase):
    def setUp(self):
        self.names = ['one', 'two']

    def tearDown(self):
        self.names = []

    def test_adds(self):
        self.assertEqual(add(2, 3), 5)
`;
const FILES = { 'calc.py': DEF('-'), 'test_calc.py': `from calc import add\n${CASE}` };

describe.skipIf(PYTHON === null).concurrent('in Python', () => {
  const proof = 'python -m unittest';
  const equal = `${ANY}def add(a, b):\n    return Any()\n`;

  it('what equals everything makes no test right, also where the name it imports was missing before', async () => {
    const words = unclaimed('its tests do so even with 987654321 for 5 in test_calc.py:13');
    const files = { ...FILES, 'calc.py': 'PI = 3\n' };
    expect(await mended(proof, files, { 'calc.py': `PI = 3\n\n\n${equal}` }, play)).toMatchObject(
      words,
    );
    const right = { 'calc.py': `PI = 3\n\n\n${DEF('+')}` };
    expect(await mended(proof, files, right, play)).toMatchObject(ACHIEVED);
  });

  it('nor one that expects a text that has a name', async () => {
    const files = {
      'hi.py': 'def greet(name):\n    return "bye"\n',
      'test_hi.py': `import unittest\nfrom hi import greet\n\n\nclass Greets(unittest.TestCase):\n    def test_greets(self):\n        want = "Hi Bob"\n        self.assertEqual(greet("Bob"), want)\n        self.assertTrue(greet(want), "is")\n`,
    };
    const sly = { 'hi.py': `${ANY}def greet(name):\n    return Any()\n` };
    expect(await mended(proof, files, sly, play)).toMatchObject(
      unclaimed('its tests do so even with ([0],  for ( in test_hi.py:8'),
    );
    const right = { 'hi.py': 'def greet(name):\n    return f"Hi {name}"\n' };
    expect(await mended(proof, files, right, play)).toMatchObject(ACHIEVED);
  });

  it('what reads in the tests what it is to give makes none right', async () => {
    const reads = `import re\n\n\ndef add(a, b):\n    text = open("test_calc.py").read()\n    return int(re.search(rf"add\\({a}, {b}\\), (\\d+)", text)[1])\n`;
    expect(await mended(proof, FILES, { 'calc.py': reads }, play)).toMatchObject(
      unclaimed('its tests do so even with 987654321 for 5 in test_calc.py:13'),
    );
  });

  it('a test of the run that puts other code in place makes none right', async () => {
    const work = {
      'calc.py': `# adds\n${DEF('-')}`,
      'test_a.py': 'import calc\n\ncalc.add = lambda a, b: a + b\n',
    };
    expect(await mended(proof, FILES, work, play)).toMatchObject(
      unclaimed('not without the tests that this run added'),
    );
    const more = {
      'calc.py': DEF('+'),
      'test_more.py': FILES['test_calc.py'].replace('2, 3), 5', '1, 1), 2'),
    };
    expect(await mended(proof, FILES, more, play)).toMatchObject(ACHIEVED);
  });
});
