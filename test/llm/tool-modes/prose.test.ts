import { describe, expect, it } from 'vitest';
import { readsAsSentences } from '../../../src/llm/tool-modes/prose.ts';

describe('Sentences alone', () => {
  it.each([
    ['a word', 'Sure.'],
    ['a sentence', 'All 12 tests pass now.'],
    [
      'several lines that are wrapped',
      'Two faults were fixed: the sign in add() and\nthe rounding of totals.',
    ],
    [
      'what was done, with a list',
      'I changed the file.\n\n- the sign of add\n- the rounding\n\nAll tests pass!',
    ],
    [
      'numbered steps',
      'To do this, follow these steps:\n\n1. Open the file\n2. Write the function',
    ],
    ['marks of emphasis', '**The task is done.**'],
    ['a question', 'Which file do you mean?'],
    [
      'names of code in back quotes',
      'The function `add` takes `a` and `b`.\nIt returns their sum.',
    ],
    ['another script', '所有测试都通过了。'],
    ['Windows line ends', 'It works.\r\n\r\nIt was tested.\r\n'],
  ])('are %s', (_, text) => {
    expect(readsAsSentences(text)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['an import', 'import os'],
    ['a call', 'print("Hello, World!")'],
    ['a call without parentheses', 'puts "Hello!"'],
    ['a command with bare words', 'echo Hello, World!'],
    ['an assignment', 'TEXT = "It works."'],
    ['one with a type', 'Text: str = "It works."'],
    ['a comment alone', '# It works.'],
    ['another comment', '// It works.'],
    ['a docstring', '"""It works.\n\nVery well.\n"""'],
    ['a function', 'def add(a, b):\n    """Adds. Well."""\n    return a + b'],
    ['a class', 'class Till:\n    pass'],
    ['a test in Python', 'import pytest\n\ndef test_a():\n    assert "No." == a()'],
    ['JavaScript', "export const say = () => 'It works.';\n\nconsole.log(say());"],
    ['CSS', 'H1 {\n  color: red;\n}'],
    ['HTML', '<p>It works.</p>'],
    ['SQL', 'SELECT * FROM a;\nINSERT INTO b VALUES (1);'],
    ['TOML', '[project]\nname = "it"'],
    ['YAML', 'on: push\njobs:\n  build: it'],
    ['JSON', '{\n  "text": "It works."\n}'],
    ['a list alone', '- first\n- second'],
    ['talk with code behind it', 'Here is the code:\n\nimport os\nprint(os.sep)'],
  ])('are not %s', (_, text) => {
    expect(readsAsSentences(text)).toBe(false);
  });
});
