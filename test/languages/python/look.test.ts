import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { examineFile } from '../../../src/languages/files/examine-file.ts';
import { type Folder, folderOf, NO_PROGRAMS, PYTHON } from '../look-support.ts';

let folder: Folder | null = null;
afterEach(() => {
  folder?.dispose();
  folder = null;
});

function problemsOf(
  path: string,
  files: { readonly [path: string]: string },
  planned: readonly string[] = [],
): Promise<readonly string[]> {
  folder = folderOf(files, { planned });
  return examineFile(path, folder.deps).then((facts) => facts.problems);
}

const MATHX =
  'def add(a, b):\n    return a + b\n\n\ndef half(a, digits=2):\n    return round(a / 2, digits)\n';

const GAME = `import random

CHOICES = ['rock', 'paper', 'scissors']


class Score:
    """Counts."""

    def __init__(self, best=3):
        self.best = best
        self.won: dict[str, int] = {}

    def add(self, who: str) -> None:
        self.won[who] = self.won.get(who, 0) + 1


class GameError(Exception):
    pass


def ask(prompt="? "):
    while (answer := input(f"Choose {', '.join(CHOICES)}{prompt}").lower()) not in CHOICES:
        print("TODO list: not implemented", end="\\n")
    return answer


def play():
    score = Score()
    try:
        mine, yours = random.choice(CHOICES), ask()
    except EOFError as error:
        raise GameError("no input") from error
    wins = {one: [two for two in CHOICES if two != one] for one in CHOICES}
    score.add("you" if mine in wins[yours] else "me")
    print(*(f"{who}: {n}" for who, n in score.won.items()), sep="\\n")
    def inner():
        nonlocal mine
        mine = "x"
    inner()


if __name__ == "__main__":
    play()
`;

describe.skipIf(!PYTHON)('A python file that is right', () => {
  const right: { readonly [name: string]: { readonly [path: string]: string } } = {
    'a game': { 'game.py': GAME },
    'an empty package file': { '__init__.py': '' },
    'a package file that only imports': {
      'm/__init__.py': 'from .core import add\n',
      'm/core.py': MATHX,
    },
    'an abstract class': {
      'shapes.py':
        'from abc import ABC, abstractmethod\n\nclass Shape(ABC):\n    @abstractmethod\n    def area(self): ...\n\nclass Square(Shape):\n    def __init__(self, a): self.a = a\n    def area(self): return self.a ** 2\n',
    },
    'a base class whose method is overridden': {
      'shapes.py':
        'class Shape:\n    def area(self):\n        raise NotImplementedError\n\nclass Square(Shape):\n    def area(self):\n        return 1\n',
    },
    'a handler that silences its base': {
      'server.py':
        'from http.server import BaseHTTPRequestHandler\n\nclass Handler(BaseHTTPRequestHandler):\n    def log_message(self, *args):\n        pass\n\nprint(Handler)\n',
    },
    'globals set in functions': {
      'a.py': 'def set_up():\n    global box\n    box = 1\n\nset_up()\nprint(box)\n',
    },
    'results that are kept by a side effect': {
      'a.py':
        'done = []\n\ndef add(x):\n    done.append(x)\n    return x\n\ndef show(x):\n    print(x)\n    return x\n\ndef check(x):\n    if x < 0:\n        raise ValueError(x)\n    return x\n\nadd(1)\nshow(done)\ncheck(2)\n',
    },
    'names behind a star': { 'a.py': 'from math import *\nprint(sqrt(2))\n' },
    'an optional import': {
      'a.py':
        'try:\n    import nowhere_at_all\nexcept ImportError:\n    nowhere_at_all = None\nprint(nowhere_at_all)\n',
    },
    'match, walrus, lambda, decorators': {
      'a.py':
        'import functools\n\n@functools.cache\ndef f(x):\n    match x:\n        case {"a": value, **rest}:\n            return value, rest\n        case [first, *others]:\n            return first, others\n    return (lambda y: y + x)(1)\n\nprint(f(1), __file__, [i for i in range(3) if (k := i)], k)\n',
    },
    'pytest tests of a package': {
      'mathx/core.py': MATHX,
      'mathx/__init__.py': 'from .core import add, half\n',
      'test_mathx.py':
        'from mathx import add, core\nfrom mathx.core import half\nimport mathx\n\ndef test_add():\n    assert add(1, 2) == 3\n    assert mathx.add(1, 1) == 2 and core.half(2) == half(2)\n',
    },
    'unittest tests': {
      'mathx.py': MATHX,
      'test_mathx.py':
        'import unittest\nimport mathx\n\nclass Checks(unittest.TestCase):\n    def setUp(self):\n        pass\n    def test_add(self):\n        self.assertEqual(mathx.add(1, 2), 3)\n\nif __name__ == "__main__":\n    unittest.main()\n',
    },
    'tests that start the program': {
      'hello.py': 'print("hello")\n',
      'test_hello.py':
        'import subprocess, sys\n\ndef test_hello():\n    assert b"hello" in subprocess.check_output([sys.executable, "hello.py"])\n',
    },
    'tests below a folder of a src layout': {
      'src/calc.py': MATHX,
      'tests/test_calc.py': 'from calc import add\n\ndef test_add():\n    assert add(1, 1) == 2\n',
    },
    'a module beside its user': {
      'app/main.py': 'from helper import add\nprint(add(1, 2))\n',
      'app/helper.py': MATHX,
    },
    'comments that describe code': {
      'a.py':
        '# Write the result here: one line a word.\n# Add all numbers\nprint(1)  # the rest\n"""\n# TODO: in a text\n"""\n',
    },
    'a text that holds a fence': { 'a.py': 'print("""\n```\ncode\n```\n""")\n' },
    'an entry point of a package': {
      'app/__init__.py': '',
      'app/cli.py': 'def main():\n    print("hello")\n',
    },
  };
  for (const [name, files] of Object.entries(right))
    it(`has no problem: ${name}`, async () => {
      for (const path of Object.keys(files)) {
        expect([path, ...(await problemsOf(path, files))]).toEqual([path]);
        folder?.dispose();
      }
    });

  it('may import a file that the plan still has to write', async () => {
    const files = {
      'main.py': 'from utils.text import shout\nimport store\nprint(shout("a"), store.load())\n',
    };
    expect(await problemsOf('main.py', files, ['utils/text.py', 'store.py'])).toEqual([]);
  });
});

describe.skipIf(!PYTHON)('A python file with a fault', () => {
  const faults: readonly (readonly [
    string,
    string,
    { readonly [path: string]: string },
    RegExp,
  ])[] = [
    [
      'that does not parse',
      'a.py',
      { 'a.py': 'x = 1\ndef f(:\n    pass\n' },
      /^line 2: does not parse, .*def f\(:/,
    ],
    ['cut in a string', 'a.py', { 'a.py': 'print("""abc\n' }, /^line 1: does not parse/],
    [
      'with return outside a function',
      'a.py',
      { 'a.py': 'x = 1\nreturn x\n' },
      /^line 2: does not parse, 'return' outside/,
    ],
    ['wrapped in a fence', 'a.py', { 'a.py': '```python\nprint(1)\n```\n' }, /^line 1: a ``` mark/],
    [
      'with prose before it',
      'a.py',
      { 'a.py': 'Here is the code:\n```python\nprint(1)\n```\n' },
      /^line 2: a ``` mark/,
    ],
    [
      'with a function that only passes',
      'a.py',
      { 'a.py': 'def play():\n    """Plays."""\n    pass\n\nplay()\n' },
      /^line 1: the function play only holds pass/,
    ],
    [
      'with a function that is an ellipsis',
      'a.py',
      { 'a.py': 'def play():\n    ...\n\nplay()\n' },
      /^line 1: the function play only holds \.\.\./,
    ],
    [
      'with a method that is not implemented',
      'a.py',
      {
        'a.py':
          'class Game:\n    def play(self):\n        raise NotImplementedError("later")\n\nGame().play()\n',
      },
      /^line 2: the function play only raises/,
    ],
    [
      'with a to-do comment',
      'a.py',
      { 'a.py': 'x = 1\n# TODO: add the rest\nprint(x)\n' },
      /^line 2: the comment "TODO: add the rest"/,
    ],
    [
      'with a place left for code',
      'a.py',
      { 'a.py': 'def f(x):\n    # ... den Rest hier\n    return x\n\nprint(f(1))\n' },
      /^line 2: the comment/,
    ],
    ['with only comments', 'a.py', { 'a.py': '# a game\n' }, /^line 1: the file holds no code/],
    ['with only imports', 'a.py', { 'a.py': 'import random\n' }, /^line 1: the file holds no code/],
    ['that is empty', 'a.py', { 'a.py': ' \n' }, /^the file is empty/],
    [
      'with an undefined name of the standard library',
      'a.py',
      { 'a.py': 'def f():\n    return random.choice([1])\n\nprint(f())\n' },
      /^line 2: random is not defined: add: import random/,
    ],
    [
      'with an undefined name of a file here',
      'main.py',
      { 'main.py': 'print(add(1, 2))\n', 'mathx.py': MATHX },
      /^line 1: add is not defined: add: from mathx import add/,
    ],
    [
      'with an undefined name in a class',
      'a.py',
      { 'a.py': 'class A:\n    def f(self):\n        return nothing_here\n\nprint(A().f())\n' },
      /^line 3: nothing_here is not defined/,
    ],
    [
      'that imports a name its module lacks',
      'main.py',
      { 'main.py': 'from mathx import multiply\nprint(multiply(1, 2))\n', 'mathx.py': MATHX },
      /^line 1: mathx\.py does not define multiply \(it defines: add, half\)/,
    ],
    [
      'that uses an attribute its module lacks',
      'main.py',
      { 'main.py': 'import mathx as m\nprint(m.multiply(1, 2))\n', 'mathx.py': MATHX },
      /^line 2: mathx\.py does not define multiply/,
    ],
    [
      'that imports a module which is nowhere',
      'main.py',
      { 'main.py': 'import math_utils_nowhere\nprint(math_utils_nowhere)\n' },
      /^line 1: math_utils_nowhere is neither a file here nor installed/,
    ],
    [
      'that imports a missing part of a package',
      'main.py',
      {
        'main.py': 'from m.other import add\nprint(add(1, 2))\n',
        'm/__init__.py': '',
        'm/core.py': MATHX,
      },
      /^line 1: there is no module m\.other/,
    ],
    [
      'that imports a module of another folder',
      'test_app.py',
      {
        'test_app.py': 'from store import add\n\ndef test_a():\n    assert add(1, 1) == 2\n',
        'app/store.py': MATHX,
      },
      /^line 1: there is no module store, but there is app\/store\.py: import it as app\.store/,
    ],
    [
      'that imports itself',
      'hello.py',
      {
        'hello.py':
          'from hello import greet\n\ndef greet2():\n    return greet()\n\nprint(greet2())\n',
      },
      /^line 1: the file imports itself/,
    ],
    [
      'that is a package and imports its functions from itself',
      'm/__init__.py',
      { 'm/__init__.py': 'from m import add, shapes\n', 'm/shapes.py': MATHX },
      /^line 1: the package imports add from itself: write the code here$/,
    ],
    [
      'that hides a module of python',
      'random.py',
      { 'random.py': 'import random\nprint(random.choice([1]))\n' },
      /^line 1: the name of this file hides/,
    ],
    [
      'with a relative import outside a package',
      'main.py',
      { 'main.py': 'from .mathx import add\nprint(add(1, 1))\n', 'mathx.py': MATHX },
      /^line 1: this file is not in a package/,
    ],
    [
      'whose main is never called',
      'a.py',
      { 'a.py': 'def main():\n    print("hello")\n' },
      /^line 1: main is never called/,
    ],
    [
      'of tests without tests',
      'test_a.py',
      { 'test_a.py': 'def check():\n    assert True\n' },
      /^line 1: the file holds no tests/,
    ],
    [
      'of tests without asserts',
      'test_mathx.py',
      {
        'test_mathx.py': 'from mathx import add\n\ndef test_add():\n    print(add(1, 2))\n',
        'mathx.py': MATHX,
      },
      /^line 3: no test asserts/,
    ],
    [
      'of tests that define what they test',
      'test_mathx.py',
      {
        'test_mathx.py':
          'def add(a, b):\n    return a + b\n\ndef test_add():\n    assert add(1, 2) == 3\n',
        'mathx.py': MATHX,
      },
      /^line 1: add is defined here again: remove it and add: from mathx import add/,
    ],
    [
      'of tests that import nothing from here',
      'test_mathx.py',
      { 'test_mathx.py': 'def test_add():\n    assert 1 + 2 == 3\n', 'mathx.py': MATHX },
      /^line 1: the tests import nothing from this folder: add an import from mathx/,
    ],
  ];
  for (const [name, path, files, wanted] of faults)
    it(`${name} says where and what to do`, async () => {
      expect((await problemsOf(path, files))[0]).toMatch(wanted);
    });
});

describe.skipIf(!PYTHON)('The look itself', () => {
  it('starts one process, runs nothing of the file and writes nothing', async () => {
    folder = folderOf({
      'json.py': 'raise SystemExit(3)\n',
      'a.py': 'open("made.txt", "w").write("x")\nimport json\nprint(json)\n',
    });
    await examineFile('a.py', folder.deps);
    expect(folder.runs).toHaveLength(1);
    expect(readdirSync(folder.deps.workspace).sort()).toEqual(['a.py', 'json.py']);
  });

  it('tells what the file offers and asks', async () => {
    folder = folderOf({ 'game.py': GAME, 'mathx/core.py': MATHX });
    const game = await examineFile('game.py', folder.deps);
    expect(game.prompts).toEqual(['Choose ……']);
    expect(game.defines).toEqual([
      'Score(best=3) with .add(who)',
      'GameError()',
      "ask(prompt='? ')",
      'play()',
    ]);
    const core = await examineFile('mathx/core.py', folder.deps);
    expect(core.defines).toEqual(['add(a, b)', 'half(a, digits=2)']);
  });

  it('without python only looks at the text', async () => {
    folder = folderOf({ 'a.py': 'def f(:\n', 'b.py': '```python\nx\n```' }, NO_PROGRAMS);
    expect((await examineFile('a.py', folder.deps)).problems).toEqual([]);
    expect((await examineFile('b.py', folder.deps)).problems).toHaveLength(1);
    expect(folder.runs).toHaveLength(0);
  });

  it('says nothing when the checker itself fails', async () => {
    folder = folderOf(
      { 'a.py': 'print(1)\n' },
      { program: () => Promise.resolve('/nowhere/python') },
    );
    expect((await examineFile('a.py', folder.deps)).problems).toEqual([]);
  });

  it('reads names and texts beyond ASCII', async () => {
    folder = folderOf({ 'ü.py': 'größe = "日本😀"\nprint(größe, länge)\n' });
    expect((await examineFile('ü.py', folder.deps)).problems).toEqual([
      'line 2: länge is not defined: define or import it',
    ]);
  });
});
