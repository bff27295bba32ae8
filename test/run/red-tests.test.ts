/** Runs of tests that are red at the end of a run: for which reason, and since when. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ALONE,
  BOTH,
  CALC,
  call,
  cmd,
  DONE,
  edit,
  given,
  MAKE,
  MEND,
  plan,
  play,
  read,
  TWO,
} from '../support/play.ts';

describe.concurrent('a run of tests that is red', () => {
  it('though none of them failed does not count as red tests', async () => {
    const scripts = { test: `${ALONE} && node lint.mjs` };
    const result = await play({
      goal: 'Mend add in calc.mjs',
      files: {
        ...given,
        'calc.mjs': CALC.replace('a - b', 'a + b'),
        'package.json': JSON.stringify({ scripts }),
        'lint.mjs': "console.log('\\n     Errors  10 errors');\nprocess.exit(1);\n",
      },
      replies: [
        [cmd('npm test'), read('calc.mjs')],
        [plan(ALONE), edit('calc.mjs', 'a + b', 'b + a'), DONE],
        [DONE],
      ],
    });
    expect(result.detail).not.toContain('npm test');
  });

  it('is none where a checker of files is red, whatever it says', async () => {
    const result = await play({
      goal: MAKE,
      files: { ...given, 'old.mjs': 'const = 1;\n' },
      replies: [
        [cmd('node --check old.mjs'), cmd(ALONE), read('calc.mjs')],
        [plan(ALONE), MEND, DONE],
        [DONE],
      ],
    });
    expect(result.ending).toBe('achieved');
  });

  it('by chance, and green with the files as they were, shows nothing by being green', async ({
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'chance-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const seen = JSON.stringify(join(folder, 'seen'));
    const result = await play({
      goal: 'Mend the test that fails now and then',
      files: {
        'calc.mjs': CALC,
        'calc.test.mjs': [
          "import { existsSync, writeFileSync } from 'node:fs';",
          "import test from 'node:test';",
          `test('adds', () => { if (!existsSync(${seen})) { writeFileSync(${seen}, ''); throw new Error('no'); } });`,
          '',
        ].join('\n'),
      },
      replies: [
        [cmd(ALONE), read('calc.mjs')],
        [plan(ALONE), edit('calc.mjs', 'a - b', 'a  - b'), DONE],
        [DONE],
      ],
    });
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: expect.stringContaining('it passes with the files as they were, too'),
    });
  });

  it('in a folder of its own is tried there, and counts no more once they pass', async () => {
    const files = {
      'api/calc.mjs': CALC,
      'api/calc.test.mjs': given['calc.test.mjs'] ?? '',
      'check.mjs':
        "import { add } from './api/calc.mjs';\nif (add(2, 3) !== 5) throw new Error('no');\n",
    };
    const { ending } = await play({
      ...{ goal: 'Mend add in api/calc.mjs', files },
      replies: [
        [call('run_cmd', { cmd: ALONE, cwd: 'api' }), read('api/calc.mjs')],
        [plan('node check.mjs'), edit('api/calc.mjs', 'a - b', 'a + b'), DONE],
      ],
    });
    expect(ending).toBe('achieved');
  });

  it('in exactly the tests that failed before the run is said to be so', async () => {
    const result = await play({
      goal: 'Mend add in calc.mjs',
      files: { ...TWO, 'calc.mjs': CALC.replace('a - b', 'a + b') },
      replies: [
        [cmd(BOTH), read('calc.mjs')],
        [plan(ALONE), edit('calc.mjs', 'a + b', 'b + a'), DONE],
        [DONE],
      ],
    });
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: `${ALONE} passed before this run too: what it shows still holds, but it does not show what this run changed; ${BOTH} fails as before this run: doubles`,
    });
  });

  /** In fewer of them: p47 of the provocations. */
  it('only since the run has changed something is not', async () => {
    const since = await play({
      goal: 'The tests fail. Fix all bugs',
      files: TWO,
      replies: [[read('calc.mjs')], [plan(ALONE), MEND, cmd(BOTH), DONE], [DONE]],
    });
    expect(since.detail).toBe(`${BOTH} failed in this run and still does: doubles`);
  });
});
