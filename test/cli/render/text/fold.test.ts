import { expect, test } from 'vitest';
import { fill, foldToWidth, printFolded } from '../../../../src/cli/render/text/fold.ts';
import { fc } from '../../../support/dice.ts';
import { memorySink } from '../../support.ts';

test('a line is folded between words, and goes on where its words begin', () => {
  expect(foldToWidth('Error: The model is not installed here.', 30)).toBe(
    ['Error: The model is not', '  installed here.'].join('\n'),
  );
  expect(foldToWidth('Last error  one sees something that is longer', 36)).toBe(
    ['Last error  one sees something that', '            is longer'].join('\n'),
  );
  expect(foldToWidth('short\n\n  and short', 20)).toBe('short\n\n  and short');
});

test('a name that leaves no room beside it stands above its words', () => {
  const line = '  --effort <level>             how much the model may think: low, medium, high';
  expect(foldToWidth(line, 79)).toBe(line);
  expect(foldToWidth(line, 60).split('\n')).toEqual([
    '  --effort <level>             how much the model may think:',
    '                               low, medium, high',
  ]);
  expect(foldToWidth(line, 39).split('\n')).toEqual([
    '  --effort <level>',
    '      how much the model may think:',
    '      low, medium, high',
  ]);
});

test.each([
  'agent resume 2 --workspace my/folder --allow make --max-rounds 12',
  "agent resume --allow 'git commit *' --max-time 10m",
  'agent run "make it shorter and faster"',
  'agent setup ollama --model qwen2.5-coder:1.5b',
  'agent mcp approve files --yes',
  'agent --model anthropic/claude "goal"',
  '`ollama pull qwen2.5-coder:1.5b`',
])('no line end gets into %s', (command) => {
  for (const width of [20, 39, 79]) {
    expect(foldToWidth(`Paused: it wants to go on. Next: ${command}`, width)).toContain(command);
    expect(foldToWidth(`It waits (${command}), then more words follow it here.`, width)).toContain(
      command,
    );
  }
});

test('a sentence about a command is folded like any other', () => {
  const lines = foldToWidth('Next: agent undo asks before it changes any file here.', 24).split(
    '\n',
  );
  expect(lines).toEqual(['Next: agent undo asks', '  before it changes any', '  file here.']);
});

test('what is longer than a line is not cut, and a command of that length has a line of its own', () => {
  const word = 'x'.repeat(50);
  expect(foldToWidth(`in ${word} it is`, 30)).toBe(`in ${word}\n  it is`);
  const command = `agent resume --workspace ${word}`;
  expect(foldToWidth(`Go on: ${command}`, 30)).toBe(`Go on:\n  ${command}`);
});

test('colours take no cells', () => {
  expect(foldToWidth('\u001b[2mGoal       \u001b[0mwrite it', 19)).toBe(
    '\u001b[2mGoal       \u001b[0mwrite it',
  );
});

test('nothing is lost by folding', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 5, max: 60 }),
      fc.integer({ min: 0, max: 4 }),
      (text, width, hang) => {
        const lines = fill(text, width, hang);
        expect(lines.join(' ').replace(/\s+/g, '')).toBe(text.replace(/\s+/g, ''));
      },
    ),
    { numRuns: 50 },
  );
});

test('only a terminal gets folded lines', () => {
  const [screen, pipe] = [memorySink(true), memorySink(false)];
  screen.resize(30, 24);
  for (const sink of [screen, pipe]) printFolded(sink, 'one two three four five six seven\n');
  expect(screen.text()).toBe('one two three four five six\n  seven\n');
  expect(pipe.text()).toBe('one two three four five six seven\n');
});

test('no line ends or begins with the dot between two parts', () => {
  const cost = '26 tokens in, 9 out · context 1 % · session $0.0000 · 150 ms';
  expect(foldToWidth(cost, 39)).toBe(
    ['26 tokens in, 9 out · context 1 %', '  session $0.0000 · 150 ms'].join('\n'),
  );
  // Coloured, and where the dot itself fits no more.
  expect(foldToWidth(`\u001b[2m${cost}\u001b[22m`, 33)).toBe(
    ['\u001b[2m26 tokens in, 9 out · context 1 %', '  session $0.0000 · 150 ms\u001b[22m'].join(
      '\n',
    ),
  );
});
