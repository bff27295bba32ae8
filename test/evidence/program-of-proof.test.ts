/** Which changed files a proof runs. */
import { describe, expect, it } from 'vitest';
import { changedPrograms } from '../../src/evidence/program-of-proof.ts';

const SCRIPTS = { 'script check': 'node check.mjs && node other.mjs' };
const PACKAGE = JSON.stringify({
  scripts: { check: SCRIPTS['script check'], lint: 'node --check a.mjs' },
});

/** @param paths of files that were there before and were changed */
const changedBy = (
  cmd: string,
  paths: readonly string[],
  builds: Record<string, string> | null = null,
) =>
  changedPrograms(
    { cmd },
    {
      changed: paths.map((path) => ({ path, before: 'a', after: 'b' })),
      readText: (path) =>
        path === 'package.json' ? PACKAGE : path === 'Makefile' ? 'check:\n' : null,
      builds,
      workspace: '/home/ada/work',
    },
  );

describe('the programs of a proof that the run changed', () => {
  it.each([
    ['node check.mjs', 'check.mjs'],
    ['node ./scripts/check', 'scripts/check.mjs'],
    ['node scripts\\check.mjs', 'scripts/check.mjs'],
    ['node /home/ada/work/check.mjs', 'check.mjs'],
    ['"./check.sh" -v', 'check.sh'],
    ['python -m tools.check', 'tools/check.py'],
    ['npm run check', 'other.mjs'],
    ['node --test check.mjs', 'check.mjs'],
    ['pytest checks.py', 'checks.py'],
  ])('are found in: %s', (cmd, path) => {
    expect(changedBy(cmd, [path, 'calc.mjs'])).toEqual([path]);
  });

  it.each([
    ['a checker', 'node --check check.mjs', 'check.mjs'],
    ['a linter', 'ruff check check.py', 'check.py'],
    ['what a program is given', 'node check.mjs data.csv', 'data.csv'],
    ['tests that a runner finds by their names', 'node --test a.test.mjs', 'a.test.mjs'],
  ])('are not %s', (_what, cmd, path) => {
    expect(changedBy(cmd, [path])).toEqual([]);
  });

  it('are also the settings that say what it runs, where they said something else before', () => {
    const check = (was: Record<string, string>) =>
      changedBy('npm run check', ['package.json'], was);
    expect(check({ 'script check': 'node strict.mjs' })).toEqual(['package.json']);
    expect(check(SCRIPTS)).toEqual([]);
    expect(check({})).toEqual([]);
    expect(changedBy('make check', ['Makefile'], { Makefile: 'as it was' })).toEqual(['Makefile']);
    expect(changedBy('make check', ['Makefile'], {})).toEqual([]);
  });
});
