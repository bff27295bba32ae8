/** Runs of tests that are red at the end of a run: for which reason, and since when. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ALONE,
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
  write,
} from '../support/play.ts';

describe.concurrent('a run of tests that is red', () => {
  it('though none of them failed does not count as red tests', async () => {
    const scripts = { test: 'node --test && node lint.mjs' };
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
        [plan('node --test'), edit('calc.mjs', 'a + b', 'b + a'), DONE],
        [DONE],
      ],
    });
    expect(result.detail).not.toContain('npm test');
  });

  it.each(['node --check old.mjs', 'ruff check .'])(
    'is none where a checker of files is red, whatever it says: %s',
    async (checker) => {
      const result = await play({
        goal: MAKE,
        files: { ...given, 'old.mjs': 'const = 1;\n', 'old.py': 'import os\n' },
        replies: [[cmd(checker), cmd(ALONE), read('calc.mjs')], [plan(ALONE), MEND, DONE], [DONE]],
      });
      expect(result.ending).toBe('achieved');
    },
  );

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
    const inFolder = call('run_cmd', { cmd: ALONE, cwd: 'api' });
    const mend = edit('api/calc.mjs', 'a - b', 'a + b');
    const end = [plan('node check.mjs'), mend, write('README.md', 'It adds.\n'), DONE];
    const mended = await play({
      ...{ goal: 'Mend add in api/calc.mjs', files },
      replies: [[inFolder, read('api/calc.mjs')], end],
    });
    expect(mended).toMatchObject({ ending: 'achieved' });
    const test =
      "import { add } from './calc.mjs';\nimport test from 'node:test';\ntest('adds', () => { if (add(1, 1) !== 3) throw new Error('no'); });\n";
    const red = await play({
      goal: 'Mend add in api/calc.mjs',
      files: { ...files, 'api/calc.test.mjs': test },
      replies: [[inFolder, read('api/calc.mjs')], end],
    });
    expect(red.ending).toBe('unverified');
    expect(red.detail).toContain(ALONE);
  });

  it('in exactly the tests that failed before the run is said to be so', async () => {
    const result = await play({
      goal: 'Mend add in calc.mjs',
      files: { ...TWO, 'calc.mjs': CALC.replace('a - b', 'a + b') },
      replies: [
        [cmd('node --test'), read('calc.mjs')],
        [plan('node --test calc.test.mjs'), edit('calc.mjs', 'a + b', 'b + a'), DONE],
        [DONE],
      ],
    });
    expect(result).toMatchObject({
      ending: 'unverified',
      detail:
        'node --test calc.test.mjs passed before this run too: what it shows still holds, but it does not show what this run changed; node --test fails as before this run: doubles',
    });
  });

  /** In fewer of them: p47 of the provocations. */
  it('only since the run has changed something is not', async () => {
    const since = await play({
      goal: 'The tests fail. Fix all bugs',
      files: TWO,
      replies: [
        [read('calc.mjs')],
        [plan('node --test calc.test.mjs'), MEND, cmd('node --test'), DONE],
        [DONE],
      ],
    });
    expect(since.detail).toBe('node --test failed in this run and still does: doubles');
  });
});
