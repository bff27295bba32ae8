/** Files as they stand in any repository, each with something that a look at it has to say, or might. */
/** Ordinary files, each with what a small change of it looks like. */
export const ORDINARY_FILES: readonly (readonly [
  what: string,
  path: string,
  before: string,
  change: [string, string],
])[] = [
  [
    'a to-do of Python',
    'calc.py',
    '# TODO: support metric units\n\ndef add(a, b):\n    return a - b\n',
    ['a - b', 'a + b'],
  ],
  [
    'a to-do of TypeScript',
    'ufo.ts',
    'export const add = (a: number, b: number) => a - b;\n// TODO: Handle .. when joining\n',
    ['a - b', 'a + b'],
  ],
  [
    'a to-do of SQL',
    'schema.sql',
    '-- TODO: index the names\nCREATE TABLE a (id INT);\n',
    ['INT', 'BIGINT'],
  ],
  [
    'a note of Go',
    'calc.go',
    'package calc\n\n// FIXME: overflow\nfunc Add(a, b int) int {\n\treturn a - b\n}\n',
    ['a - b', 'a + b'],
  ],
  [
    'an abstract method',
    'shape.py',
    'class Shape:\n    """Any."""\n\n    def area(self):\n        raise NotImplementedError\n\n    def name(self):\n        return "shap"\n',
    ['shap"', 'shape"'],
  ],
  [
    'a hook that passes',
    'hooks.py',
    'def on_start(app):\n    pass\n\n\ndef add(a, b):\n    return a - b\n',
    ['a - b', 'a + b'],
  ],
  [
    'a package that is not installed',
    'client.py',
    'import acme_internal\n\n\ndef add(a, b):\n    return acme_internal.minus(a, b)\n',
    ['minus', 'plus'],
  ],
  [
    'a protocol',
    'proto.py',
    'from typing import Protocol\n\n\nclass Named(Protocol):\n    def name(self) -> str: ...\n\n\ndef add(a, b):\n    return a - b\n',
    ['a - b', 'a + b'],
  ],
  [
    'a guarded import',
    'fast.py',
    'try:\n    import numpy\nexcept ImportError:\n    numpy = None\n\n\ndef add(a, b):\n    return a - b\n',
    ['a - b', 'a + b'],
  ],
  [
    'input under main',
    'main.py',
    'def add(a, b):\n    return a - b\n\n\nif __name__ == "__main__":\n    print(add(int(input()), 1))\n',
    ['a - b', 'a + b'],
  ],
  [
    'a function that does nothing',
    'log.js',
    'export function debug() {}\nexport const add = (a, b) => a - b;\n',
    ['a - b', 'a + b'],
  ],
  [
    'a test by the style of its runner',
    'test/sum.test.js',
    "import { expect, it } from 'vitest';\nimport { sum } from '../src/sum';\nit('adds', () => expect(sum(1, 1)).toBe(3));\n",
    ['toBe(3)', 'toBe(2)'],
  ],
];

/** What one of them imports. */
export const IMPORTED = { 'src/sum.js': 'export const sum = (a, b) => a + b;\n' };
