/** Which changed files a proof runs. */
import { describe, expect, it, test } from 'vitest';
import { canRun, changedOfProof, isKnownTestRun } from '../../src/evidence/program-of-proof.ts';

const scripts = (all: { readonly [name: string]: string }): string =>
  JSON.stringify({ scripts: all });
const CHECK = { check: 'node check.mjs && node other.mjs' };

const TEXTS: { readonly [path: string]: string } = {
  'package.json': scripts({
    ...CHECK,
    lint: 'node --check a.mjs',
    given: 'true calc.mjs && node there.mjs calc.mjs',
  }),
  Makefile: 'check:\n\t@./check.sh\n',
  'there.mjs': '',
  'sub/package.json': scripts({ part: 'node part.mjs' }),
};
type Texts = { readonly [path: string]: string | null };

/** @param paths of files that were there before and were changed */
const changedBy = (
  cmd: string,
  paths: readonly string[],
  { texts = TEXTS, before = texts }: { readonly texts?: Texts; readonly before?: Texts } = {},
) =>
  changedOfProof(
    { cmd },
    {
      changed: paths.map((path) => ({ path, before: 'a', after: 'b' })),
      files: [...new Set([...Object.keys(texts), ...Object.keys(before), ...paths])],
      readText: (path) => texts[path] ?? null,
      textBefore: (path) => before[path] ?? null,
      isAsked: (path) => path === 'asked.toml',
      workspace: '/home/ada/work',
      platform: 'linux',
    },
  );

it('of a checker, what may tell it what is a fault is its settings', () => {
  const texts = { 'calc.py': "open('rates.toml')\n" };
  const changed = ['ruff.toml', 'calc.py', 'rates.toml', 'asked.toml', 'README.md', '.eslintrc.js'];
  const settings = ['ruff.toml', '.eslintrc.js'];
  expect(changedBy('ruff check .', changed, { texts }).settings).toEqual(settings);
  expect(changedBy('python calc.py', changed, { texts }).settings).toEqual([]);
});

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
    ['bash check.sh', 'check.sh'],
    ['bash -c "node check.js"', 'check.js'],
    ['uv run python check.py', 'check.py'],
    ['python3 -W ignore check.py', 'check.py'],
    ['node --import tsx check.ts', 'check.ts'],
    ['node "my check.js"', 'my check.js'],
    ['node scripts', 'scripts/index.js'],
    ['go run check.go', 'check.go'],
    ['node x/../check.mjs', 'check.mjs'],
    ['cd sub && node check.mjs', 'sub/check.mjs'],
    ['node check.mjs | grep -q OK', 'check.mjs'],
    ['npm --prefix sub run part', 'sub/part.mjs'],
    ['env A=1 sh -c "cd sub && node check.mjs"', 'sub/check.mjs'],
    ['python3.12 check.py', 'check.py'],
    ['go run .', 'main.go'],
    ['pytest checks.py', 'checks.py'],
    ['pnpm check', 'check.mjs'],
    ['npm --prefix . run check', 'check.mjs'],
    ['make check', 'check.sh'],
  ])('are found in: %s', (cmd, path) => {
    expect(changedBy(cmd, [path, 'calc.mjs'])).toMatchObject({ programs: [path], named: [] });
  });

  it.each([
    ['npx tsx check.ts', 'check.ts'],
    ['ruby check.rb', 'check.rb'],
    ['concurrently "node check.mjs"', 'check.mjs'],
  ])('may be what a program names of which nothing is known: %s', (cmd, path) => {
    expect(changedBy(cmd, [path, 'calc.mjs'])).toMatchObject({ programs: [], named: [path] });
  });

  it('are, of several that are built together, those that do something', () => {
    const texts = { 'check.go': 'package main\n\nfunc main() {\n}\n', 'calc.go': 'package main\n' };
    expect(changedBy('go run calc.go check.go', Object.keys(texts), { texts }).programs).toEqual([
      'check.go',
    ]);
  });

  it.each([
    ['a checker', 'node --check check.mjs', 'check.mjs'],
    ['a linter', 'ruff check check.py', 'check.py'],
    ['a linter as a module', 'python3 -m ruff check check.py', 'check.py'],
    ['what python3 checks', 'python3 -m mypy app.py', 'app.py'],
    ['what a script of python3 is given', 'python3 there.mjs app.py', 'app.py'],
    ['what a program is given', 'node there.mjs calc.mjs', 'calc.mjs'],
    ['what a line of a script is given', 'npm run given', 'calc.mjs'],
    ['data', 'cmp out.csv wanted.csv', 'out.csv'],
    ['what a module checks', 'python -m mypy app.py', 'app.py'],
    ['what is built', 'go build main.go', 'main.go'],
    ['what is searched', 'grep -q x app.py', 'app.py'],
    ['a text', 'wc README.md', 'README.md'],
    ['tests that a runner finds by their names', 'node --test a.test.mjs', 'a.test.mjs'],
  ])('are not %s', (_what, cmd, path) => {
    expect(changedBy(cmd, [path])).toMatchObject({ programs: [], named: [] });
  });

  it('come with the settings that said before that it runs something else', () => {
    const settings = (cmd: string, path: string, before: string | null) =>
      changedBy(cmd, [path], { before: { ...TEXTS, [path]: before } }).settings;
    for (const cmd of ['npm run check', 'yarn check', 'node --run check']) {
      const other = scripts({ check: 'node strict.mjs' });
      expect(settings(cmd, 'package.json', other), cmd).toEqual(['package.json']);
      expect(settings(cmd, 'package.json', scripts(CHECK)), cmd).toEqual([]);
    }
    expect(settings('gmake check', 'Makefile', 'check:\n\ttrue\n')).toEqual(['Makefile']);
    expect(settings('cmake check', 'Makefile', 'check:\n\ttrue\n')).toEqual([]);
  });

  it('come with settings that an unchanged line stands for', () => {
    const texts = { 'package.json': scripts({ ...CHECK, all: 'npm run check' }) };
    const before = { 'package.json': scripts({ all: 'npm run check' }) };
    const found = changedBy('npm run all', ['package.json', 'other.mjs'], { texts, before });
    expect(found).toEqual({
      programs: ['other.mjs'],
      named: [],
      settings: ['package.json'],
      isNew: false,
    });
  });

  it('come with settings that the whole workspace holds', () => {
    const texts = { 'sub/package.json': scripts(CHECK), Makefile: 'include a.mk', 'a.mk': 'c:\n' };
    const before = { ...texts, 'sub/package.json': scripts({ check: '' }), 'a.mk': 'b:\n' };
    const settings = (cmd: string) =>
      changedBy(cmd, Object.keys(texts), { texts, before }).settings;
    expect(settings('npm --prefix sub run check')).toEqual(['sub/package.json']);
    expect(settings('make c')).toEqual(['a.mk']);
  });
});

test('a run of tests may be one of files that a language knows only by the lines that it stands for', () => {
  const isKnown = (cmd: string, makefile: string): boolean =>
    isKnownTestRun(
      { cmd },
      {
        files: ['sub/Makefile'],
        readText: (path) => (path === 'sub/Makefile' ? makefile : null),
        platform: 'linux',
      },
    );
  const lines = 'test: build\n\t@cd src && pytest -q\n';
  expect(['make -C sub test', 'pytest'].map((cmd) => isKnown(cmd, lines))).toEqual([true, true]);
  expect([
    isKnown('make -C sub test', 'test:\n\t./check\n'),
    isKnown('make -C sub build', lines),
  ]).toEqual([false, false]);
});

test('a red run counts as long as its files are there, also from a folder that its command names', () => {
  const files = ['sub/a.test.mjs'];
  const can = (cmd: string, cwd = ''): boolean =>
    canRun({ cmd, cwd }, files, (path) => files.includes(path));
  expect(can('node --test a.test.mjs')).toBe(false);
  expect(can('node --test a.test.mjs', 'sub')).toBe(true);
  for (const cmd of ['npm --prefix sub test -- a.test.mjs', 'npx vitest run --root=sub a.test.mjs'])
    expect(can(cmd), cmd).toBe(true);
});

describe('a command that stands for lines', () => {
  it.each([
    ['npm run check', 'package.json', scripts({ lint: 'node a.mjs' })],
    ['pnpm check', 'package.json', null],
    ['node --run check', 'package.json', null],
    ['make check', 'Makefile', null],
  ])('is new where there were none before: %s', (cmd, path, before) => {
    const found = changedBy(cmd, [path], { before: { ...TEXTS, [path]: before } });
    expect(found).toEqual({ programs: [], named: [], settings: [], isNew: true });
    expect(changedBy(cmd, [path]).isNew).toBe(false);
  });

  it('is none where a program is given a word', () => {
    const before = { ...TEXTS, 'package.json': null };
    for (const cmd of ['node there.mjs check', 'python3 there.py check'])
      expect(changedBy(cmd, ['package.json'], { before }).isNew, cmd).toBe(false);
  });
});
