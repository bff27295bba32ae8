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

test.skipIf(!has.pytest || process.platform === 'win32')(
  'pytest from a fork says what it says as a program, and is ended where it does not end',
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'tardigrade-forked-'));
    try {
      lay(cwd, FILES);
      const python = await findPython();
      if (!('program' in python)) throw new Error(python.missing);
      const how = { cwd, env: { WHERE: 'here' } };
      const [forked, real] = await Promise.all([
        PROGRAMS.python(ARGS, how),
        programs(python.program).python(ARGS, how),
      ]);
      const plain = (text: string) => text.replace(/in \d+\.\d+s/g, 'in time');
      expect(plain(forked.output)).toBe(plain(real.output));
      expect(forked.output).toMatch(/assert -1 == 5[\s\S]*1 failed, 1 passed/);
      expect([forked.exitCode, real.exitCode]).toEqual([1, 1]);
      lay(cwd, { 'test_calc.py': 'def test_it():\n    while True:\n        pass\n' });
      const endless = await PROGRAMS.python(ARGS, { cwd, timeoutMs: 300 });
      expect(endless).toMatchObject({ exitCode: null, timedOut: true });
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  },
);
