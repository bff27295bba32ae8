/** The script that looks at Python has tests in Python; here they are run, and its text is held. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import SCRIPT from '../../../src/languages/python/look.py';
import { PYTHON } from '../look-support.ts';

/** A command line of Windows takes no more, quotes and escapes included. */
const LONGEST_ARGUMENT = 32_000;

describe('the look as a script', () => {
  it.skipIf(PYTHON === null)(
    `passes its own tests in Python${PYTHON === null ? ': skipped, no python answers here' : ''}`,
    () => {
      const ran = spawnSync(PYTHON ?? '', ['-B', '-m', 'unittest', 'test_look.py'], {
        cwd: import.meta.dirname,
        encoding: 'utf8',
      });
      expect(ran.stderr).toMatch(/^Ran \d\d tests? in /m);
      expect(ran.stderr).toMatch(/^OK$/m);
      expect(ran.status).toBe(0);
    },
  );

  it('fits into one argument of a command', () => {
    const quoted = SCRIPT.replace(/["\\]/g, '\\$&');
    expect(quoted.length).toBeLessThan(LONGEST_ARGUMENT);
    expect(SCRIPT).toContain('PROBE-LOOK:');
    expect(SCRIPT).not.toMatch(/\t|\r/);
  });
});
