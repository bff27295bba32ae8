/** What may be claimed of real Python in real folders; what it is in any language is in test/evidence. */
import { describe, expect, it } from 'vitest';
import { PYTHON } from '../languages/inspection-support.ts';
import { type RealWork, runReally, textIn } from '../support/real-run.ts';

const ADD = 'def add(a, b):\n    return a + b\n';
const BROKEN = 'def add(a, b):\n    return a - b\n';
/** pytest is seen in seen-passing.test.ts: this starts in a quarter of the time. */
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
      files: { 'calc.py': [ADD], 'test_calc.py': [CASE] },
      verify: unittest,
    });
    expect(seen).toMatchObject({
      ending: 'achieved',
      asked: [
        'unchanged',
        'emptied calc.py',
        'constant calc.py',
        'altered with 987654321 for 5 in test_calc.py:8',
      ],
    });
    expect(seen.detail).toContain(
      '(1 passed); checked: the tests of this run fail with calc.py emptied',
    );
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
});
