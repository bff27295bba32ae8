import { describe, expect, it } from 'vitest';
import { lookForInstalled } from '../../src/languages/commands/installed.ts';
import {
  belongsToTests,
  contentOf,
  isCache,
  isCodePath,
  isDataPath,
  isTestPath,
  LANGUAGES,
  languageOf,
  marksPackage,
  packageLinks,
} from '../../src/languages/languages.ts';
import { foundNoTests } from '../../src/languages/testing/test-output.ts';

describe('a test file is what a test runner picks up by its name', () => {
  it.each([
    'test_a.py',
    'a_test.py',
    'tests/test_a.py',
    'pkg/tests/a_test.py',
    'a.test.mjs',
    'a.test.js',
    'a_test.js',
    'a-test.cjs',
    'src/a.spec.ts',
    'src/a.test.tsx',
  ])('%s is one', (path) => {
    expect(isTestPath(path)).toBe(true);
    expect(belongsToTests(path)).toBe(true);
  });

  it.each([
    'conftest.py',
    'latest/a.py',
    'contest/a.py',
    'contest.py',
    'attest_a.py',
    'test.py',
    'a_test.pyc',
    'test_a.txt',
    'test_a.json',
    'latest.js',
    'latest-news.js',
    'testing.js',
    'a.tests.js',
    'test_a',
  ])('%s is none, and nothing of one', (path) => {
    expect(isTestPath(path)).toBe(false);
    expect(belongsToTests(path)).toBe(false);
  });

  it.each(['tests/a.py', 'tests/__init__.py', 'tests/data.csv', 'pkg/test/helpers.js'])(
    '%s is none, but it belongs to tests',
    (path) => {
      expect(isTestPath(path)).toBe(false);
      expect(belongsToTests(path)).toBe(true);
    },
  );

  it.each(['test.js', 'src/test.mjs', 'lib/test.ts', 'test-slugs.js'])(
    '%s belongs to tests, though it may be a program of that name',
    (path) => {
      expect(isTestPath(path)).toBe(false);
      expect(belongsToTests(path)).toBe(true);
    },
  );
});

describe('sentences alone', () => {
  it.each(['a.py', 'a.mjs', 'a.ts', 'a.go', 'a.json', 'a.html', 'deploy/a.SH', 'a.toml'])(
    'are no content of %s',
    (path) => {
      expect(isCodePath(path)).toBe(true);
    },
  );

  it.each(['README.md', 'notes.txt', 'LICENSE', 'a.rst', 'a.csv', 'py'])(
    'may be the content of %s',
    (path) => {
      expect(isCodePath(path)).toBe(false);
    },
  );
});

describe('a file belongs to the first language that owns it', () => {
  it.each([
    ['a.py', 'python'],
    ['A.PY', 'python'],
    ['a.mjs', 'javascript'],
    ['a.d.ts', 'javascript'],
    ['a.json', 'json'],
    ['a.jsonl', 'text'],
    ['notes.txt', 'text'],
    ['Makefile', 'text'],
  ])('%s is of %s', (path, name) => {
    expect(languageOf(path).name).toBe(name);
  });

  it('and each has a name of its own', () => {
    const names = LANGUAGES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('which says what of it is data, a package, a cache', () => {
    expect(['a.json', 'a.csv', 'README.md', 'a.yaml'].every(isDataPath)).toBe(true);
    expect(['a.py', 'a.mjs', 'a.html'].some(isDataPath)).toBe(false);
    expect(marksPackage('a/__init__.py')).toBe(true);
    expect(marksPackage('a/index.js')).toBe(false);
    expect(['node_modules', '__pycache__', '.venv', 'a.pyc'].every(isCache)).toBe(true);
    expect(['src', 'a.py', 'venvs'].some(isCache)).toBe(false);
  });

  it('and whose content may be given as a value', () => {
    expect(contentOf('a.json', { a: 1 })).toBe('{\n  "a": 1\n}\n');
    expect(contentOf('a.py', { a: 1 })).toBeNull();
  });
});

describe('what is installed', () => {
  it('is looked for by names on the search path, each once', () => {
    const asked: string[] = [];
    const installed = lookForInstalled((program) => {
      asked.push(program);
      return ['python3', 'pytest'].includes(program) ? `/usr/bin/${program}` : null;
    });
    expect([...installed].sort()).toEqual(['node', 'pytest', 'python3']);
    expect(new Set(asked).size).toBe(asked.length);
  });
});

describe('a test runner that found nothing', () => {
  it.each([
    ['pytest -q', 'no tests ran in 0.01s\n', 5],
    ['pytest -q', '', 5],
    ['python -m unittest', 'Ran 0 tests in 0.000s\n\nOK\n', 0],
    ['node --test', '# tests 0\n# pass 0\n', 0],
  ])('%s says so: %j', (cmd, output, exitCode) => {
    expect(foundNoTests(cmd, output, exitCode)).toBe(true);
  });

  it.each([
    ['python a.py', '', 5],
    ['pytest -q', '1 failed in 0.1s\n', 1],
    ['pytest -q', '3 passed in 0.1s\n', 0],
    ['pytest -q', '', null],
  ])('%s does not: %j, exit code %s', (cmd, output, exitCode) => {
    expect(foundNoTests(cmd, output, exitCode)).toBe(false);
  });
});

describe('what may be a link to a package of the workspace', () => {
  it('stands in node_modules or in a scope there', () => {
    const folders: { readonly [folder: string]: readonly string[] } = {
      node_modules: ['.bin', '@me', 'left-pad'],
      'node_modules/@me': ['a', 'b'],
    };
    expect(packageLinks((folder) => folders[folder] ?? [])).toEqual([
      'node_modules/@me/a',
      'node_modules/@me/b',
      'node_modules/left-pad',
    ]);
  });

  it('stands in a folder of its own in each package, as pnpm makes them', () => {
    const folders: { readonly [folder: string]: readonly string[] } = {
      '.': ['.agent_context', 'node_modules', 'packages', 'package.json'],
      packages: ['app', 'lib'],
      'packages/app': ['app.js', 'node_modules'],
      'packages/app/node_modules': ['@me'],
      'packages/app/node_modules/@me': ['lib'],
    };
    expect(packageLinks((folder) => folders[folder] ?? [])).toEqual([
      'packages/app/node_modules/@me/lib',
    ]);
  });
});
