/** What may be claimed of real Python in real folders. Costly: one run a case. */
import { describe, expect, it } from 'vitest';
import { PYTHON } from '../languages/inspection-support.ts';
import { type RealWork, runReally, textIn } from '../support/real-run.ts';

const ADD = 'def add(a, b):\n    return a + b\n';
const BROKEN = 'def add(a, b):\n    return a - b\n';
const TEST = 'from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n';
const pytest = { cmd: 'python -m pytest -q', prints: 'passed' };
/** What of a run of tests is the same whatever runs them: this starts in a quarter of the time. */
const unittest = { cmd: 'python -m unittest', prints: '' };
const CASE =
  'import unittest\n\nfrom calc import add\n\n\nclass Add(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n';

const ending = async (work: RealWork) => {
  const { result, asked, folder } = await runReally(work);
  expect(textIn(folder, '.agent_context/scratch/calc.py')).toBeNull();
  const detail = 'detail' in result ? result.detail : '';
  return { ending: result.ending, detail, asked };
};

describe.skipIf(PYTHON === null)('in Python', () => {
  it('a script that prints what the goal shows is achieved', async () => {
    const hello = { 'hello.py': ['print("Hello, World!")\n'] };
    expect(
      await ending({
        goal: 'Write hello.py: python hello.py prints "Hello, World!"',
        files: hello,
        verify: { cmd: 'python hello.py' },
      }),
    ).toMatchObject({
      ending: 'achieved',
      detail:
        'proof passed: python hello.py; as the goal says, python hello.py gives "Hello, World!"',
    });
  });

  it('a module with tests of its own is achieved where they notice that it does nothing', async () => {
    const seen = await ending({
      goal: 'Create a calc module with tests',
      files: { 'calc.py': [ADD], 'test_calc.py': [TEST] },
      verify: pytest,
    });
    expect(seen).toMatchObject({
      ending: 'achieved',
      asked: ['unchanged', 'emptied calc.py', 'constant calc.py'],
    });
    expect(seen.detail).toContain(
      '(1 passed); checked: the tests of this run fail with calc.py emptied',
    );
  });

  it('tests that assert nothing prove nothing', async () => {
    const vain = CASE.replace('self.assertEqual(add(2, 3), 5)', 'add(2, 3)\n        assert True');
    expect(
      await ending({
        goal: 'Create a calc module with tests',
        files: { 'calc.py': [ADD], 'test_calc.py': [vain] },
        verify: unittest,
      }),
    ).toMatchObject({
      ending: 'unverified',
      detail:
        'the tests pass even when calc.py does nothing: python -m unittest; to that the model says: it is done',
    });
  });

  it('a fault mended under given tests is achieved, also where the goal names their file', async () => {
    const seen = await ending({
      goal: 'Fix the fault in calc.py, test_calc.py does not pass',
      given: { 'calc.py': BROKEN, 'test_calc.py': CASE },
      files: { 'calc.py': [ADD] },
      verify: unittest,
    });
    expect(seen).toMatchObject({ ending: 'achieved' });
    expect(seen.detail).toContain('before the first change it failed');
  });

  it('given tests that were made to pass prove nothing', async () => {
    const seen = await ending({
      goal: 'Make everything pass',
      given: { 'calc.py': BROKEN, 'test_calc.py': CASE },
      files: { 'test_calc.py': [CASE.replace(', 5)', ', -1)')] },
      verify: unittest,
    });
    expect(seen.ending).toBe('unverified');
    expect(seen.detail).toContain('in its earlier form it fails with the new code');
  });

  it('given tests that were only added to are no doubt', async () => {
    const seen = await ending({
      goal: 'Fix the fault in calc.py and add a test of it',
      given: { 'calc.py': BROKEN, 'test_calc.py': CASE },
      files: {
        'calc.py': [ADD],
        'test_calc.py': [`${CASE}        self.assertEqual(add(-1, 1), 0)\n`],
      },
      verify: unittest,
    });
    expect(seen).toMatchObject({ ending: 'achieved' });
  });

  it('tests that were green before show no change', async () => {
    const seen = await ending({
      goal: 'Explain calc.py in README.md',
      given: { 'calc.py': ADD, 'test_calc.py': CASE },
      files: { 'README.md': ['# Calc\n\nSee calc.py: it adds.\n'] },
      verify: unittest,
    });
    expect(seen.ending).toBe('unverified');
    expect(seen.detail).toContain('passed before this run too');
  });

  const CSV = { 'orders.csv': 'item,price\ntea,3\nmilk,4\n' };
  it('a given file that only a comment names is not used', async () => {
    const constant = '# reads orders.csv\nprint("total 7")\n';
    expect(
      await ending({
        goal: 'Write total.py that reads orders.csv: python total.py prints "total 7"',
        given: CSV,
        files: { 'total.py': [constant] },
        verify: { cmd: 'python total.py', prints: 'total 7' },
      }),
    ).toMatchObject({
      ending: 'unverified',
      detail:
        'orders.csv was not changed, and python total.py does the same without it; the goal names it; to that the model says: it is done',
    });
  });

  it('a given file that is read is used', async () => {
    const reads =
      'import csv\n\nwith open("orders.csv") as file:\n    print("total", sum(int(row["price"]) for row in csv.DictReader(file)))\n';
    expect(
      await ending({
        goal: 'Write total.py that reads orders.csv: python total.py prints "total 7"',
        given: CSV,
        files: { 'total.py': [reads] },
        verify: { cmd: 'python total.py', prints: 'total 7' },
      }),
    ).toMatchObject({ ending: 'achieved' });
  });

  const game = (answer: string): RealWork => ({
    goal: 'Create a rock paper scissors game',
    files: {
      'game.py': [
        `import random\n\nmove = input("rock, paper or scissors? ")\nother = random.choice(["rock", "paper", "scissors"])\n${answer}\n`,
      ],
    },
    verify: { cmd: 'python game.py', stdin: 'rock\n', prints: 'rock' },
  });

  it('a game is for a person to judge', async () => {
    const seen = await ending(game('print("rock beats scissors, you win")'));
    expect(seen).toMatchObject({ ending: 'unverified' });
    expect(seen.detail).toContain('look at its output');
  });
});
