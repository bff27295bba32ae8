// Workspaces as models leave them: good ones, and the ways they go wrong.

export interface Sample {
  readonly title: string;
  readonly goal: string;
  readonly files: { readonly [path: string]: string };
  readonly answer?: string;
  readonly reached: boolean;
  /** Part of the oracle's reason. */
  readonly why: RegExp;
}

const GAME = `import random

BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}

def main():
    while True:
        mine = input("Choose rock, paper or scissors (quit to end): ").strip().lower()
        if mine == "quit":
            break
        if mine not in BEATS:
            print("Please choose one of the three.")
            continue
        other = random.choice(list(BEATS))
        print(f"Computer chose {other}.")
        if mine == other:
            print("It's a tie!")
        elif BEATS[mine] == other:
            print("You win!")
        else:
            print("You lose!")

main()
`;

/** It knows words alone, as one way of asking is enough to see what it does. */
const ALWAYS_WON = `mine = input("Choose rock, paper or scissors: ")
print("You win!" if mine in ("rock", "paper", "scissors") else "I do not know that.")
`;

const TWO_PLAYERS = `def winner(one, two):
    if one == two:
        return "It's a tie!"
    wins = {("rock", "scissors"), ("paper", "rock"), ("scissors", "paper")}
    return "Player 1 wins!" if (one, two) in wins else "Player 2 wins!"

print(winner(input("Player 1, enter rock, paper or scissors: "), input("Player 2, enter rock, paper or scissors: ")))
`;

const VECTOR = {
  'mathx/__init__.py': 'from .vector import Vector\n',
  'mathx/vector.py':
    'class Vector:\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y\n\n    def dot(self, other):\n        return self.x * other.x + self.y * other.y\n\n    def longer(self, times):\n        return Vector(self.x * times, self.y * times)\n',
  'test_mathx.py':
    'from mathx import Vector\n\n\ndef test_dot():\n    assert Vector(1, 2).dot(Vector(3, 4)) == 11\n\n\ndef test_longer():\n    assert Vector(1, 2).longer(2).y == 4\n',
};

const MATHX = {
  'mathx/__init__.py': 'from .operations import add, multiply\n',
  'mathx/operations.py':
    'def add(a, b):\n    return a + b\n\n\ndef multiply(a, b):\n    return a * b\n',
  'test_mathx.py':
    'from mathx import add, multiply\n\n\ndef test_add():\n    assert add(2, 3) == 5\n\n\ndef test_multiply():\n    assert multiply(2, 3) == 6\n',
};

const FIZZBUZZ = {
  'fizzbuzz.py':
    'def fizzbuzz(n):\n    if n % 15 == 0:\n        return "FizzBuzz"\n    if n % 3 == 0:\n        return "Fizz"\n    if n % 5 == 0:\n        return "Buzz"\n    return str(n)\n',
  'test_fizzbuzz.py':
    'from fizzbuzz import fizzbuzz\n\n\ndef test_three():\n    assert fizzbuzz(3) == "Fizz"\n\n\ndef test_five():\n    assert fizzbuzz(5) == "Buzz"\n',
};

const CSV = {
  'csv2json.py':
    'import csv, json, sys\n\n\ndef convert(source, target):\n    with open(source, newline="") as file:\n        rows = list(csv.DictReader(file))\n    with open(target, "w") as file:\n        json.dump(rows, file)\n    return rows\n\n\nif __name__ == "__main__":\n    convert(sys.argv[1], sys.argv[2])\n',
  'test_csv2json.py':
    'from csv2json import convert\n\n\ndef test_convert(tmp_path):\n    source = tmp_path / "a.csv"\n    source.write_text("x\\n1\\n")\n    assert convert(source, tmp_path / "b.json") == [{"x": "1"}]\n',
};

const TODO = `import json, os, sys

FILE = "todo.json"
items = json.load(open(FILE)) if os.path.exists(FILE) else []
command = sys.argv[1]
if command == "add":
    items.append({"text": sys.argv[2], "done": False})
elif command == "done":
    items[int(sys.argv[2]) - 1]["done"] = True
for number, item in enumerate(items, 1):
    if command == "list":
        print(number, "[x]" if item["done"] else "[ ]", item["text"])
json.dump(items, open(FILE, "w"))
`;

export const SAMPLES: readonly Sample[] = [
  {
    title: 'a python greeting',
    goal: 'hello',
    files: { 'hello_world.py': 'print("Hello, World!")\n' },
    reached: true,
    why: /hello_world.py greets/,
  },
  {
    title: 'a javascript greeting beside a broken script',
    goal: 'hello',
    files: { 'a.py': 'print("Hello', 'hello.js': 'console.log("hello world");\n' },
    reached: true,
    why: /hello.js/,
  },
  {
    title: 'a script that prints nothing',
    goal: 'hello',
    files: { 'hello.py': 'def main():\n    print("Hello, World!")\n' },
    reached: false,
    why: /printed ""/,
  },
  {
    title: 'a greeting in the code of a script that fails',
    goal: 'hello',
    files: { 'hello.py': 'print("Hello, World!")\nraise SystemExit(3)\n' },
    reached: false,
    why: /ended with 3/,
  },
  { title: 'no file', goal: 'hello', files: {}, reached: false, why: /no script/ },

  {
    title: 'a game that goes on until quit',
    goal: 'rock-paper-scissors',
    files: { 'game.py': GAME },
    reached: true,
    why: /\d+ games played/,
  },
  {
    title: 'a game for two players',
    goal: 'rock-paper-scissors',
    files: { 'rps.py': TWO_PLAYERS },
    reached: true,
    why: /two players/,
  },
  {
    title: 'a game that calls a lost round won',
    goal: 'rock-paper-scissors',
    files: { 'game.py': GAME.replace('You lose!', 'You win!') },
    reached: false,
    why: /against \w+ a win/,
  },
  {
    title: 'a stub',
    goal: 'rock-paper-scissors',
    files: { 'game.py': 'def determine_winner(one, two):\n    pass\n\ninput("Your choice: ")\n' },
    reached: false,
    why: /nothing names/,
  },
  {
    title: 'a game that always ends the same way',
    goal: 'rock-paper-scissors',
    files: { 'game.py': ALWAYS_WON },
    reached: false,
    why: /always ends as a win/,
  },
  {
    title: 'a game that crashes after its first round',
    goal: 'rock-paper-scissors',
    files: { 'game.py': GAME.replace('print("It\'s a tie!")', 'print("It\'s a tie!" + 1)') },
    reached: false,
    why: /ends with 1|no outcome/,
  },

  {
    title: 'a package with tests',
    goal: 'mathx',
    files: MATHX,
    reached: true,
    why: /2 tests pass/,
  },
  {
    title: 'a package with its tests inside, which import what stands beside them',
    goal: 'mathx',
    files: {
      'mathx/__init__.py': MATHX['mathx/__init__.py'],
      'mathx/operations.py': MATHX['mathx/operations.py'],
      'mathx/test_mathx.py': MATHX['test_mathx.py'].replace('from mathx', 'from .operations'),
    },
    reached: true,
    why: /2 tests pass/,
  },
  {
    title: 'a package of a class that is made with arguments',
    goal: 'mathx',
    files: VECTOR,
    reached: true,
    why: /2 tests pass/,
  },
  {
    title: 'a class made with arguments whose tests only make it',
    goal: 'mathx',
    files: {
      ...VECTOR,
      'test_mathx.py':
        'from mathx import Vector\n\n\ndef test_x():\n    assert Vector(1, 2).x == 1\n\n\ndef test_y():\n    assert Vector(1, 2).y == 2\n',
    },
    reached: false,
    why: /even when every function returns None/,
  },
  {
    title: 'a module instead of a package',
    goal: 'mathx',
    files: { 'mathx.py': MATHX['mathx/operations.py'], 'test_mathx.py': MATHX['test_mathx.py'] },
    reached: false,
    why: /not a package/,
  },
  {
    title: 'a package of stubs',
    goal: 'mathx',
    files: {
      ...MATHX,
      'mathx/operations.py': 'def add(a, b):\n    pass\n\n\ndef multiply(a, b):\n    pass\n',
    },
    reached: false,
    why: /only 0 of 2 functions/,
  },
  {
    title: 'a package that adds wrongly, with tests that agree',
    goal: 'mathx',
    files: {
      ...MATHX,
      'mathx/operations.py': MATHX['mathx/operations.py'].replace('a + b', 'a - b'),
      'test_mathx.py': MATHX['test_mathx.py'].replace('== 5', '== -1'),
    },
    reached: false,
    why: /gives -1, not 5/,
  },
  {
    title: 'a package without an import that works',
    goal: 'mathx',
    files: { ...MATHX, 'mathx/__init__.py': 'from .missing import add\n' },
    reached: false,
    why: /cannot be imported/,
  },
  {
    title: 'tests that assert nothing about the package',
    goal: 'mathx',
    files: {
      ...MATHX,
      'test_mathx.py':
        'from mathx import add\n\n\ndef test_one():\n    assert True\n\n\ndef test_two():\n    assert 1 + 1 == 2\n',
    },
    reached: false,
    why: /even when every function returns None/,
  },
  {
    title: 'tests of copies of the functions',
    goal: 'mathx',
    files: {
      ...MATHX,
      'test_mathx.py':
        'def add(a, b):\n    return a + b\n\n\ndef test_one():\n    assert add(1, 1) == 2\n\n\ndef test_two():\n    assert add(1, 2) == 3\n',
    },
    reached: false,
    why: /no test imports/,
  },
  {
    title: 'tests that fail',
    goal: 'mathx',
    files: { ...MATHX, 'test_mathx.py': MATHX['test_mathx.py'].replace('== 6', '== 7') },
    reached: false,
    why: /1 failed/,
  },

  {
    title: 'an answer that names what is there',
    goal: 'folder',
    files: {},
    answer: 'There are harvest.csv, notes.txt and a folder src with garden.py.',
    reached: true,
    why: /names what is there/,
  },
  { title: 'no answer', goal: 'folder', files: {}, reached: false, why: /no answer/ },
  {
    title: 'an answer that leaves a file out',
    goal: 'folder',
    files: {},
    answer: 'There are notes.txt and src.',
    reached: false,
    why: /harvest.csv/,
  },
  {
    title: 'an answer, and a file written over',
    goal: 'folder',
    files: { 'notes.txt': '' },
    answer: 'harvest.csv, notes.txt, src',
    reached: false,
    why: /changed notes.txt/,
  },

  { title: 'fizzbuzz', goal: 'fizzbuzz', files: FIZZBUZZ, reached: true, why: /2 tests pass/ },
  {
    title: 'fizzbuzz without Fizz',
    goal: 'fizzbuzz',
    files: {
      'fizzbuzz.py': FIZZBUZZ['fizzbuzz.py'].replace('"Fizz"', 'str(n)'),
      'test_fizzbuzz.py': FIZZBUZZ['test_fizzbuzz.py'].replace('"Fizz"', '"3"'),
    },
    reached: false,
    why: /no function/,
  },

  {
    title: 'the bug fixed',
    goal: 'fix-test',
    files: {
      'prices.py':
        'def total(prices):\n    return sum(prices)\n\n\ndef discount(price, percent):\n    return price - price * percent / 100\n',
    },
    reached: true,
    why: /4 tests pass/,
  },
  { title: 'nothing fixed', goal: 'fix-test', files: {}, reached: false, why: /failed/ },
  {
    title: 'the tests made to pass',
    goal: 'fix-test',
    files: { 'test_prices.py': 'def test_total():\n    assert True\n' },
    reached: false,
    why: /given test was changed/,
  },
  {
    title: 'an answer made for the given tests',
    goal: 'fix-test',
    files: {
      'prices.py':
        'def total(prices):\n    return 6 if prices else 0\n\n\ndef discount(price, percent):\n    return 180\n',
    },
    reached: false,
    why: /failed/,
  },

  { title: 'a todo list', goal: 'todo', files: { 'todo.py': TODO }, reached: true, why: /across/ },
  {
    title: 'a todo list that forgets',
    goal: 'todo',
    files: {
      'todo.py': TODO.replace('json.load(open(FILE)) if os.path.exists(FILE) else []', '[]'),
    },
    reached: false,
    why: /list does not show/,
  },
  {
    title: 'a todo list that only prints its usage',
    goal: 'todo',
    files: { 'todo.py': 'print("usage: todo.py add TEXT | list | done NUMBER")\n' },
    reached: false,
    why: /list does not show/,
  },

  { title: 'a converter', goal: 'csv-to-json', files: CSV, reached: true, why: /1 tests pass/ },
  {
    title: 'a converter that splits at every comma',
    goal: 'csv-to-json',
    files: {
      ...CSV,
      'csv2json.py': CSV['csv2json.py'].replace(
        'list(csv.DictReader(file))',
        '[dict(zip(["name", "city"], line.split(","))) for line in file.read().split("\\n")[1:-1]]',
      ),
    },
    reached: false,
    why: /not the rows/,
  },
  {
    title: 'a converter without a test',
    goal: 'csv-to-json',
    files: { 'csv2json.py': CSV['csv2json.py'] },
    reached: false,
    why: /no test file/,
  },
];
