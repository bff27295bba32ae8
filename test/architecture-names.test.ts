/** The counter-examples of the rules on flags and on the program's name (`architecture.test.ts`). */
import { expect, test } from 'vitest';
import { flagsNamed } from './support/architecture/flags.ts';
import { commandsNamed } from './support/architecture/program-names.ts';
import { sourceFile } from './support/architecture/source-file.ts';

const one = (path: string, text: string) => [sourceFile(path, text)];

test.each([
  ['in a sentence', "const hint = 'Choose another one with --model.';"],
  ['at its start', "const hint = '--max-cost cannot be kept.';"],
  ['in a template', 'const more = `agent resume --max-tokens $' + '{limit}`;'],
  ['behind a value', 'const more = `a $' + '{limit} (--max-tokens)`;'],
  ['put together', 'const flags = names.map((name) => `--$' + '{name}`);'],
])('a flag of the command line that is named outside it: %s', (_what, text) => {
  expect(flagsNamed(one('src/steps/a.ts', text))).toHaveLength(1);
  expect(flagsNamed(one('src/cli/a.ts', text))).toEqual([]);
});

test('and lets dashes, patterns and the flags of other programs pass', () => {
  const text = "const mark = '--'; const asks = / --help$/; const rule = '---'; // --model";
  expect(flagsNamed(one('src/steps/a.ts', text))).toEqual([]);
  const other = "const args = ['install', '--no-audit'];";
  expect(flagsNamed(one('src/llm/embedded/install.ts', other))).toEqual([]);
});

test.each([
  ['in a sentence', "const hint = 'Go on: agent resume';"],
  ['in code marks', 'const hint = `Run \\`agent repair\\` first.`;'],
  ['with a flag', 'const hint = "agent --help lists them";'],
  ['before a goal', 'const hint = \'Write: agent "GOAL"\';'],
  ['by another of its names', "const hint = 'Go on: tardigrade-agent chat --resume';"],
  ['before a value', 'const hint = `Go on: agent $' + '{command}`;'],
])('the name of the program before a command: %s', (_what, text) => {
  for (const path of ['src/journal/a.ts', 'src/cli/a.ts', 'src/prompts/a.ts'])
    expect(commandsNamed(one(path, text)), path).toHaveLength(1);
});

test('the name of the program as a word of a command', () => {
  const text = "const words = ['agent', 'undo'];";
  expect(commandsNamed(one('src/cli/a.ts', text))).toHaveLength(1);
});

test('and lets the words of a sentence pass', () => {
  const text = "const said = 'Another agent works here; your agent began the run'; // agent resume";
  expect(commandsNamed(one('src/journal/a.ts', text))).toEqual([]);
});
