import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { examineFile } from '../../../src/languages/files/examine-file.ts';
import { type Folder, folderOf, NO_PROGRAMS, PYTHON } from '../inspection-support.ts';

let folder: Folder | null = null;
afterEach(() => {
  folder?.dispose();
  folder = null;
});

function problemsOf(
  path: string,
  files: { readonly [path: string]: string },
): Promise<readonly string[]> {
  folder = folderOf(files);
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

/** Each parses; what else is wrong with it shows when it is run. */
const PARSES: readonly (readonly [name: string, path: string, text: string])[] = [
  ['a game', 'game.py', GAME],
  ['an empty package file', '__init__.py', ''],
  [
    'a function that only passes, a to-do comment, an import of what is nowhere, a text that holds a fence',
    'a.py',
    'def play():\n    pass\n\n\n# TODO: add the rest\nimport nowhere_at_all\nprint(nope)\nprint("""\n```\ncode\n```\n""")\n',
  ],
];

describe.skipIf(!PYTHON)('A python file that parses', () => {
  it.each(PARSES)('has no problem: %s', async (_name, path, text) => {
    expect(await problemsOf(path, { [path]: text })).toEqual([]);
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
    ['that is empty', 'a.py', { 'a.py': ' \n' }, /^the file is empty/],
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
    expect(game.defines).toEqual(['Score', 'GameError', 'ask()', 'play()']);
    const core = await examineFile('mathx/core.py', folder.deps);
    expect(core.defines).toEqual(['add()', 'half()']);
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
    folder = folderOf({ 'ü.py': 'def größe(länge="日本😀"):\n    return länge\n' });
    expect((await examineFile('ü.py', folder.deps)).defines).toEqual(['größe()']);
  });

  it('takes what the file itself calls input for no question', async () => {
    folder = folderOf({ 'a.py': 'def input(text):\n    return text\n\nprint(input("who? "))\n' });
    expect((await examineFile('a.py', folder.deps)).prompts).toBeUndefined();
  });
});
