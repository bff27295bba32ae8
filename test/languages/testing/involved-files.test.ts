import { describe, expect, it, test } from 'vitest';
import { languageOf } from '../../../src/languages/languages.ts';
import { involvedFiles, linesNamedIn } from '../../../src/languages/testing/involved-files.ts';

const FILES: { readonly [path: string]: string } = {
  'app.py': "from helper import total\nimport shop.prices\nprint(total(open('data/rows.csv')))\n",
  'helper.py': 'from . import nothing\n\ndef total(rows):\n    return 0\n',
  'shop/__init__.py': '',
  'shop/prices.py': 'from .rates import RATE\n',
  'shop/rates.py': 'RATE = 2\n',
  'data/rows.csv': 'name,price\n',
  'test_app.py': 'import app\n\ndef test_total():\n    assert app.total([]) == 1\n',
  'unrelated.py': 'x = 1\n',
  'main.mjs': "import { a } from './lib/a.mjs';\nconst rows = read('rows.json');\n",
  'lib/a.mjs': 'export const a = 1;\n',
  'rows.json': '[]\n',
  'notes.txt': 'nothing\n',
};
test('a module of TypeScript is found by each way to name it', () => {
  const text = "import { a } from './util';\nimport { b } from './tools.js';\n";
  expect(languageOf('src/app.ts').imports?.('src/app.ts', text)).toEqual(
    expect.arrayContaining(['src/util.ts', 'src/util/index.ts', 'src/tools.ts']),
  );
});

const workspace = {
  files: Object.keys(FILES).sort(),
  readText: (path: string) => FILES[path] ?? null,
};
const involved = (cmd: string, output: string) =>
  involvedFiles({ cmd, output }, workspace).map(({ path, how }) => `${how} ${path}`);

describe('The files that a failure may come from', () => {
  it('begin with the last one that the traceback names, then what was run, then what these use', () => {
    const output =
      'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in <module>\n' +
      '  File "/srv/helper.py", line 4, in total\nKeyError: 1\n';
    expect(involved('python app.py', output)).toEqual([
      'said helper.py',
      'said app.py',
      'used data/rows.csv',
      'used shop/prices.py',
      'used shop/rates.py',
    ]);
  });

  it('are the tests and what they import, where only a test runner was started', () => {
    expect(involved('python -m pytest -q', '1 failed in 0.1s')).toEqual([
      'run test_app.py',
      'used app.py',
      'used data/rows.csv',
      'used helper.py',
      'used shop/prices.py',
      'used shop/rates.py',
    ]);
  });

  it('are found by the places that JavaScript imports, and by the names in its texts', () => {
    expect(involved('node main.mjs', 'TypeError: x is not a function')).toEqual([
      'run main.mjs',
      'used lib/a.mjs',
      'used rows.json',
    ]);
  });

  it('are not those whose names only stand within others', () => {
    expect(involved('python other_app.py', 'myapp.py and app.pyc')).toEqual([]);
  });

  it('are named with the separators of Windows as well', () => {
    expect(involved('python x', 'File "C:\\work\\shop\\rates.py", line 1')).toEqual([
      'said shop/rates.py',
    ]);
  });

  it('are at most ten', () => {
    const files = Array.from({ length: 40 }, (_, n) => `f${n}.py`);
    const many = { files, readText: () => '' };
    expect(involvedFiles({ cmd: 'x', output: files.join(' ') }, many)).toHaveLength(10);
  });
});

it('The lines that an output names of a file', () => {
  const output = 'File "/w/app.py", line 12\napp.py:7: AssertionError\nother.py:9: no\napp.py said';
  expect(linesNamedIn(output, 'app.py')).toEqual([12, 7]);
});
