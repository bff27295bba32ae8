import { expect, test } from 'vitest';
import type { Verbosity } from '../../../src/cli/render/contract.ts';
import { createRenderer } from '../../../src/cli/render/renderer.ts';
import { scriptedRun } from '../script.ts';
import { asEvent, fakeTerminal, runState, stamp } from '../support.ts';

const NO_COLOR = { LANG: 'C.UTF-8', NO_COLOR: '1' };

function play(
  options: { verbosity?: Verbosity; env?: Record<string, string>; isMixed?: boolean } = {},
) {
  const terminal = fakeTerminal({
    isTerminal: options.isMixed ?? false,
    env: options.env ?? NO_COLOR,
  });
  const renderer = createRenderer(terminal, {
    verbosity: options.verbosity ?? 'normal',
    isMixed: options.isMixed ?? false,
  });
  for (const event of scriptedRun()) renderer.observe(event);
  return { terminal, renderer };
}

test('without a terminal every event that a person wants to know of leaves one plain line', () => {
  expect(play().terminal.stderr.text()).toMatchInlineSnapshot(`
    "Goal: Write a hello world script
    small:1b · Ollama · 8k
    · Create the script
      · write hello.js
      · run node hello.js
    · Describe it: write README.md
    · at the end: node hello.js says "Hello"
    ▸ write hello.js
      ✓ hello.js +2
    ✓ write hello.js
      ✗ node hello.js · SyntaxError: bad
      trying again in 4.0 s (try 2)
    "
  `);
});

test('the words of the engine are said with --debug only', () => {
  const words = /round|gate|proof|mark_subtask_complete|check:/;
  expect(play().terminal.stderr.text()).not.toMatch(words);
  expect(play({ verbosity: 'debug' }).terminal.stderr.text()).toMatch(words);
  expect(play({ verbosity: 'debug' }).terminal.stderr.text()).toContain(
    '[2] settings_changed {"provider":"ollama","model":"small:1b"',
  );
});

test('quiet shows nothing of the work', () => {
  expect(play({ verbosity: 'quiet' }).terminal.stderr.text()).toBe('');
});

test('nothing is coloured with NO_COLOR, all is with FORCE_COLOR', () => {
  expect(play().terminal.stderr.text()).not.toContain('\u001b[');
  const forced = play({ env: { LANG: 'C.UTF-8', FORCE_COLOR: '1' } });
  expect(forced.terminal.stderr.text()).toContain('\u001b[32m');
});

test('the reading of a goal shows the values of an example as they are', () => {
  const { terminal, renderer } = play();
  const input = { how: 'call' as const, name: 'words', args: ['a  b'] };
  const examples = [{ quote: "words('a  b')", input, gives: ['a', 'b'] }];
  const brief = { kind: 'work' as const, examples, keep: [], removes: [] };
  const [record] = stamp([{ type: 'brief_made', said: {}, brief }]);
  renderer.observe(asEvent(record!));
  expect(terminal.stderr.text()).toContain('example: words("a  b") gives ["a","b"]\n');
});

test('a silent model is told from a hang: a line comes at least every 10 seconds', () => {
  const { terminal, renderer } = play();
  renderer.observe({ type: 'turn_started', purpose: 'action', target: null });
  const before = terminal.stderr.text().length;
  terminal.advance(31_000);
  const beats = terminal.stderr.text().slice(before).trim().split('\n');
  expect(beats.length).toBeGreaterThanOrEqual(3);
  expect(beats[0]).toMatch(/deciding \d+ s, waiting for the model .*, 1 of 3, 0:\d\d/);
});

test('the heartbeat knows how fast the model writes', () => {
  const { terminal, renderer } = play();
  renderer.observe({ type: 'turn_started', purpose: 'action', target: null });
  for (let piece = 0; piece < 40; piece += 1) {
    renderer.observe({ type: 'text', text: 'word ' });
    terminal.advance(250);
  }
  expect(terminal.stderr.text()).toMatch(/deciding \d+ s, 1 of 3, 0:\d\d, 4\.\d tok\/s/);
});

test('no heart beats after the end, and no timer is left', () => {
  const { terminal, renderer } = play();
  const [record] = stamp([{ type: 'run_finished', ending: 'achieved', detail: '' }]);
  renderer.observe(asEvent(record!));
  const before = terminal.stderr.text().length;
  terminal.advance(60_000);
  expect(terminal.stderr.text()).toHaveLength(before);
  renderer.stop();
  expect(terminal.leftovers()).toBe(0);
});

test('what a person said and the model never heard is given back', () => {
  const { terminal, renderer } = play();
  const waiting = [{ seq: 9, offset: 9, text: 'use tabs', isDue: false }];
  const [record] = stamp([{ type: 'run_finished', ending: 'achieved', detail: '' }]);
  renderer.observe(asEvent(record!, runState({ person: { waiting, told: [] } })));
  renderer.stop();
  renderer.stop();
  expect(terminal.stderr.text().match(/Not yet sent to the model: use tabs/g)).toHaveLength(1);
});

test('advice is told whole, however long it is; of the work a line is enough', () => {
  const { terminal, renderer } = play();
  const long = 'Do this. '.repeat(80).trim();
  renderer.observe({ type: 'notice', level: 'warning', text: long });
  renderer.observe({ type: 'notice', level: 'info', text: long });
  renderer.stop();
  const told = terminal.stderr
    .text()
    .split('\n')
    .filter((line) => line.startsWith('Do this.'));
  expect(told).toEqual([long, `${long.slice(0, 399)}…`]);
});

test('where stdout carries lines of its own nothing is redrawn and no key is read', () => {
  const { terminal } = play({ isMixed: true });
  expect(terminal.stderr.text()).not.toContain('\u001b[');
  expect(terminal.type('x')).toBe(false);
});
