// The goals of the walkthroughs, each with the work of a model that knows how to do it.
import type { PlannedWork } from './models.ts';

export interface Walkthrough extends PlannedWork {
  readonly goal: string;
}

export const HELLO: Walkthrough = {
  goal: 'Write hello_world.py: python hello_world.py prints "Hello, World!"',
  subtasks: [
    { action: 'write_file', file: 'hello_world.py', purpose: 'prints Hello, World!' },
    { action: 'run_cmd', cmd: 'python hello_world.py', purpose: 'shows that it prints' },
  ],
  verify: { cmd: 'python hello_world.py', prints: 'Hello, World!' },
  files: { 'hello_world.py': ['print("Hello, World!")\n'] },
};

/** The same without Python. */
export const HELLO_NODE: Walkthrough = {
  goal: 'Write hello.mjs: node hello.mjs prints "Hello"',
  subtasks: [
    { action: 'write_file', file: 'hello.mjs', purpose: 'prints Hello' },
    { action: 'run_cmd', cmd: 'node hello.mjs', purpose: 'shows that it prints' },
  ],
  verify: { cmd: 'node ./hello.mjs', prints: 'Hello' },
  files: { 'hello.mjs': ["console.log('Hello');\n"] },
};

/** With a second file: something is still asked for once the first is written. */
export const HELLO_AND_USAGE: Walkthrough = {
  ...HELLO_NODE,
  subtasks: [
    ...HELLO_NODE.subtasks,
    { action: 'write_file', file: 'usage.txt', purpose: 'says how it is run' },
  ],
  files: { ...HELLO_NODE.files, 'usage.txt': ['node hello.mjs\n'] },
};

export const GAME: Walkthrough = {
  goal: 'Create a rock-paper-scissors game',
  subtasks: [
    {
      action: 'write_file',
      file: 'rock_paper_scissors.py',
      purpose: 'asks for a move and answers',
    },
  ],
  verify: {
    cmd: 'python rock_paper_scissors.py',
    prints: 'You chose rock',
    stdin: 'rock\nquit\n',
  },
  files: {
    'rock_paper_scissors.py': [
      `import random

BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}


def judge(player, computer):
    if player == computer:
        return "It is a tie!"
    return "You win!" if BEATS[player] == computer else "You lose!"


def main():
    while True:
        move = input("Your move (rock, paper, scissors, quit): ").strip().lower()
        if move == "quit":
            print("Goodbye!")
            break
        if move not in BEATS:
            print("I do not know that move.")
            continue
        computer = random.choice(sorted(BEATS))
        print(f"You chose {move}, I chose {computer}. {judge(move, computer)}")


if __name__ == "__main__":
    main()
`,
    ],
  },
};

export const MATHX: Walkthrough = {
  goal: 'Create a mathx package with tests',
  subtasks: [
    { action: 'write_file', file: 'mathx/core.py', purpose: 'add, multiply and factorial' },
    { action: 'write_file', file: 'mathx/__init__.py', purpose: 'exports the functions' },
    { action: 'write_file', file: 'tests/test_mathx.py', purpose: 'tests of all three functions' },
    { action: 'run_cmd', cmd: 'ruff check .', purpose: 'shows that the code is clean' },
  ],
  verify: { cmd: 'python -m pytest -q', prints: 'passed' },
  files: {
    'mathx/core.py': [
      `def add(a, b):
    return a + b


def multiply(a, b):
    return a * b


def factorial(n):
    if n < 0:
        raise ValueError("n must not be negative")
    result = 1
    for factor in range(2, n + 1):
        result *= factor
    return result
`,
    ],
    'mathx/__init__.py': [
      `from mathx.core import add, factorial, multiply

__all__ = ["add", "factorial", "multiply"]
`,
    ],
    'tests/test_mathx.py': [
      `import pytest

from mathx import add, factorial, multiply


def test_add():
    assert add(2, 3) == 5


def test_multiply():
    assert multiply(4, 5) == 20


def test_factorial():
    assert factorial(5) == 120
    with pytest.raises(ValueError):
        factorial(-1)
`,
    ],
  },
};

export const FOLDER: Walkthrough = {
  goal: 'What is in this folder?',
  subtasks: [{ action: 'list_dir', file: '.', purpose: 'tell what is in it' }],
  answer: 'There are two files: apples.txt and pears.txt.',
};
