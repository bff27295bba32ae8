/** Which changed files a proof runs. */
import { describe, expect, it } from 'vitest';
import { changedOfProof } from '../../src/evidence/program-of-proof.ts';

const SCRIPTS = { 'script check': 'node check.mjs && node other.mjs' };
const PACKAGE = JSON.stringify({
  scripts: { check: SCRIPTS['script check'], lint: 'node --check a.mjs' },
});

const TEXTS: { readonly [path: string]: string } = {
  'package.json': PACKAGE,
  Makefile: 'check:\n\t@./check.sh\n',
  'there.mjs': '',
};

/** @param paths of files that were there before and were changed */
const changedBy = (
  cmd: string,
  paths: readonly string[],
  builds: Record<string, string> | null = null,
) =>
  changedOfProof(
    { cmd },
    {
      changed: paths.map((path) => ({ path, before: 'a', after: 'b' })),
      readText: (path) => TEXTS[path] ?? null,
      builds,
      workspace: '/home/ada/work',
      platform: 'linux',
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
    ['bash check.sh', 'check.sh'],
    ['bash -c "node check.js"', 'check.js'],
    ['npx tsx check.ts', 'check.ts'],
    ['uv run python check.py', 'check.py'],
    ['python3 -W ignore check.py', 'check.py'],
    ['node --import tsx check.ts', 'check.ts'],
    ['node "my check.js"', 'my check.js'],
    ['node scripts', 'scripts/index.js'],
    ['go run check.go', 'check.go'],
    ['ruby check.rb', 'check.rb'],
    ['pnpm check', 'check.mjs'],
    ['npm --prefix . run check', 'check.mjs'],
    ['make check', 'check.sh'],
  ])('are found in: %s', (cmd, path) => {
    expect(changedBy(cmd, [path, 'calc.mjs']).programs).toEqual([path]);
  });

  it.each([
    ['a checker', 'node --check check.mjs', 'check.mjs'],
    ['a linter', 'ruff check check.py', 'check.py'],
    ['what a program is given', 'node there.mjs calc.mjs', 'calc.mjs'],
    ['data', 'cmp out.csv wanted.csv', 'out.csv'],
    ['what a module checks', 'python -m mypy app.py', 'app.py'],
    ['what is built', 'go build main.go', 'main.go'],
    ['what is searched', 'grep -q x app.py', 'app.py'],
    ['a text', 'wc README.md', 'README.md'],
    ['tests that a runner finds by their names', 'node --test a.test.mjs', 'a.test.mjs'],
  ])('are not %s', (_what, cmd, path) => {
    expect(changedBy(cmd, [path]).programs).toEqual([]);
  });

  it('come with the settings that said before that it runs something else', () => {
    const settings = (cmd: string, path: string, builds: Record<string, string>) =>
      changedBy(cmd, [path], builds).settings;
    for (const cmd of ['npm run check', 'yarn check', 'node --run check']) {
      const other = { 'script check': 'node strict.mjs' };
      expect(settings(cmd, 'package.json', other), cmd).toEqual(['package.json']);
      expect(settings(cmd, 'package.json', SCRIPTS), cmd).toEqual([]);
      expect(settings(cmd, 'package.json', {}), cmd).toEqual([]);
    }
    expect(settings('gmake check', 'Makefile', { Makefile: 'as it was' })).toEqual(['Makefile']);
    expect(settings('make check', 'Makefile', {})).toEqual([]);
  });
});
