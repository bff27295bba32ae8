import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lay } from '../../eval/evaluate.ts';
import { findPython, programs } from '../../eval/programs.ts';
import { has, PROGRAMS } from './python.ts';

const ARGS = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'];

const FILES = {
  'calc.py':
    'import os\n\n\ndef add(a, b):\n    print(os.environ["WHERE"], os.getcwd())\n    return a - b\n',
  'test_calc.py':
    'from calc import add\n\n\ndef test_nothing():\n    assert add(1, 0) == 1\n\n\ndef test_add():\n    assert add(2, 3) == 5\n',
};

const cannotFork = !has.pytest || process.platform === 'win32';

test.skipIf(cannotFork)(
  'a program from a fork reads its input, says where it failed, and ends as one that is started',
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'tardigrade-forked-'));
    try {
      const program =
        'import os, sys\nfrom near import word\n\nprint(word, input(), os.getcwd(), sys.argv[1:], __name__)\nsys.exit(int(input()))\n';
      lay(cwd, { 'near.py': 'word = "near"\n', 'program.py': program });
      const found = await findPython();
      if (!('program' in found)) throw new Error(found.missing);
      const { python } = programs(found.program);
      for (const [args, stdin] of [
        [['program.py', 'a', 'b'], 'one\n3\n'],
        [['-c', program], ''],
      ] as const) {
        const [forked, real] = await Promise.all([
          PROGRAMS.python(args, { cwd, stdin }),
          python(args, { cwd, stdin }),
        ]);
        expect([forked.exitCode, forked.stdout]).toEqual([real.exitCode, real.stdout]);
        expect(forked.output.split('\n').at(-2)).toBe(real.output.split('\n').at(-2));
      }
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  },
);

test.skipIf(cannotFork)(
  'pytest from a fork says what failed, and is ended where it does not end',
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'tardigrade-forked-'));
    try {
      lay(cwd, FILES);
      const how = { cwd, env: { WHERE: 'here' } };
      const forked = await PROGRAMS.python(ARGS, how);
      expect(forked.output).toMatch(/assert -1 == 5[\s\S]*1 failed, 1 passed/);
      expect(forked.exitCode).toBe(1);
      lay(cwd, { 'test_calc.py': 'def test_it():\n    while True:\n        pass\n' });
      const endless = await PROGRAMS.python(ARGS, { cwd, timeoutMs: 100 });
      expect(endless).toMatchObject({ exitCode: null, timedOut: true });
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  },
);
