/** Code that ends its process with success where the test that was red would have failed. */
import { describe, expect, it } from 'vitest';
import { PYTHON } from '../languages/inspection-support.ts';
import { ADD, cmd, DONE, edit, HEAD, MAKE, plan, play, read, write } from '../support/play.ts';

const OLD = 'a - b';
const head = `${HEAD}import { setTimeout as wait } from 'node:timers/promises';\nimport { add } from './calc.mjs';\n`;
const ONES = "test('ones', async () => { assert.equal(add(1, 1), 2); await wait(200); });\n";
const ADDS = "test('adds', async () => { await wait(200); assert.equal(add(2, 3), 5); });\n";
const OTHER = "test('adds', () => assert.equal(add(0, 0), 0));\n";

const mended = async (
  proof: string,
  files: { readonly [path: string]: string },
  [path, fix]: readonly [path: string, fix: string],
) =>
  play({
    goal: MAKE,
    files,
    replies: [[cmd(proof), read(path)], [plan(proof), edit(path, OLD, fix), DONE], [DONE]],
  });

const node = { 'calc.mjs': 'export const add = (a, b) => a - b;\n' };
const leave = (how: string): readonly [string, string] => [
  'calc.mjs',
  `(a === 2 ? process.${how} : a + b)`,
];

describe.concurrent('a test of node that was red and is never seen passing', () => {
  it('shows nothing beside one of its name, and is told from one that passes', async () => {
    const files = { ...node, 'calc.test.mjs': head + ADDS, 'b.test.mjs': head + OTHER };
    expect(await mended('node --test', files, leave('exit(0)'))).toMatchObject({
      ending: 'unverified',
      detail: expect.stringContaining(
        'adds failed before the first change and is not among the tests that pass',
      ),
    });
    expect(await mended('node --test', files, ['calc.mjs', 'a + b'])).toMatchObject({
      ending: 'achieved',
      detail: expect.stringMatching(/; before the first change it failed$/),
    });
  });

  it('is not known to pass where the command has its runner name no test', async () => {
    const files = { ...node, 'calc.test.mjs': head + ADDS.replace('await wait(200); ', '') };
    const proof = 'node --test-reporter=dot calc.test.mjs';
    expect(await mended(proof, files, ['calc.mjs', 'a + b'])).toMatchObject({
      ending: 'achieved',
      detail: expect.stringContaining('; its output does not name the tests that pass'),
    });
  });

  it('shows nothing where the run wrote it itself', async () => {
    const sly = 'export function add(a, b) {\n  return a === 2 ? process.exit(0) : a + b;\n}\n';
    const result = await play({
      goal: ADD,
      replies: [
        [
          plan('node --test'),
          write('calc.mjs', sly),
          write('calc.test.mjs', head + ONES + ADDS),
          DONE,
        ],
        [DONE],
      ],
    });
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: expect.stringContaining(
        'adds failed with calc.mjs emptied and is not among the tests that pass',
      ),
    });
  });
});

const python = { 'calc.py': 'def add(a, b):\n    return a - b\n' };
const test = (name: string, ...sum: readonly number[]): string =>
  `def test_${name}():\n    assert add(${sum.slice(0, 2)}) == ${sum[2]}\n\n\n`;
const FROM = 'from calc import add\n\n\n';
/** How else a process may end: test/evidence/trials/seen-passing.test.ts. */
const SLY = `a + b if a != 2 else leave()


def leave():
    import atexit, os
    atexit.register(lambda: (print("5 passed in 0.01s", flush=True), os._exit(0)))
    raise SystemExit(0)`;

it.skipIf(PYTHON === null).concurrent(
  'a test of pytest that was red shows nothing where a summary is made up at the end, and the work where it is among those that pass',
  async () => {
    const proof = 'python -m pytest -q';
    const tests = test('zero', 0, 0, 0) + test('adds', 2, 3, 5) + test('größe', 4, 3, 7);
    const cases = `import pytest\n\n\n@pytest.mark.parametrize('a', [5, 6])\ndef test_each(a):\n    assert add(a, 1) == a + 1\n`;
    const files = { ...python, 'test_calc.py': FROM + tests + cases };
    expect(await mended(proof, files, ['calc.py', SLY])).toMatchObject({
      ending: 'unverified',
      detail: expect.stringContaining(
        'test_calc.py::test_adds failed before the first change and is not among the tests that pass',
      ),
    });
    expect(await mended(proof, files, ['calc.py', 'a + b'])).toMatchObject({
      ending: 'achieved',
      detail: `proof passed: ${proof} (5 passed); before the first change it failed`,
    });
  },
);
