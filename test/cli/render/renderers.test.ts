import { expect, test } from 'vitest';
import type { Verbosity } from '../../../src/cli/render/contract.ts';
import { createRenderer } from '../../../src/cli/render/renderer.ts';
import { widthOf } from '../../../src/cli/render/text.ts';
import { stepOf } from '../../support/built-in-tools.ts';
import { scriptedRun } from '../script.ts';
import { asEvent, fakeTerminal, runState, stamp } from '../support.ts';
import { Screen } from './screen.ts';

const NO_COLOR = { LANG: 'C.UTF-8', NO_COLOR: '1' };

function play(options: {
  isTerminal: boolean;
  verbosity?: Verbosity;
  env?: Record<string, string>;
  isMixed?: boolean;
}) {
  const terminal = fakeTerminal({
    isTerminal: options.isTerminal,
    env: options.env ?? NO_COLOR,
  });
  const renderer = createRenderer(terminal, {
    verbosity: options.verbosity ?? 'normal',
    goal: 'Write a hello world script',
    maxRounds: 24,
    isMixed: options.isMixed ?? false,
  });
  for (const event of scriptedRun()) renderer.observe(event);
  return { terminal, renderer };
}

test('without a terminal every event leaves one plain line', () => {
  const { terminal } = play({ isTerminal: false });
  expect(terminal.stderr.text()).toMatchInlineSnapshot(`
    "Goal: Write a hello world script
    Model: ollama small:1b, JSON actions, window 8,192 (the model has no tool calls)
    · 1 Create the script
      · 1.1 write hello.js
      · 1.2 run node hello.js
    · 2 Describe it
      · 2.1 write README.md
      proof: node hello.js prints "Hello"
    ▸ 1.1 write hello.js
      round 1 of 24
      ✓ write_file hello.js 41 ms
    ✓ 1.1 completed: hello.js written
      round 2 of 24
      ✗ run_cmd node hello.js error exit 1 41 ms: SyntaxError: bad at line 1
      try 2 in 4.0 s
    "
  `);
});

test('on a terminal of 80 columns the plan, the stream and the state stand below the lines', () => {
  const { terminal } = play({ isTerminal: true });
  terminal.advance(200);
  const screen = new Screen(80, 24);
  screen.write(terminal.stderr.text());
  expect(screen.text()).toMatchInlineSnapshot(`
    "Goal: Write a hello world script
    Model: ollama small:1b, JSON actions, window 8,192 (the model has no tool call…
      ✓ write_file hello.js 41 ms
    ✓ 1.1 completed: hello.js written
      ✗ run_cmd node hello.js error exit 1 41 ms: SyntaxError: bad at line 1
      try 2 in 4.0 s
    ▸ 1 Create the script
      ✓ 1.1 write hello.js
      ▸ 1.2 run node hello.js
    · 2 Describe it
      · 2.1 write README.md
      proof: node hello.js prints "Hello"
    ⠴ round 2 of 24 · working 0 s · 1,234 tokens"
  `);
});

test('no line of the live screen is wider than the window, whatever the model writes', () => {
  const { terminal, renderer } = play({ isTerminal: true });
  renderer.observe({
    type: 'text',
    text: `${'日本語 wide '.repeat(40)}\n\u001b[2J${'x'.repeat(300)}`,
  });
  terminal.advance(200);
  const lines = terminal.stderr
    .text()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what the renderer itself writes
    .replace(/\u001b\[\d*[AJ]/g, '\n')
    .split(/[\r\n]/);
  expect(Math.max(...lines.map(widthOf))).toBeLessThan(80);
  expect(terminal.stderr.text()).not.toContain('\u001b[2J');
});

test('stopping takes the frame away, keeps the lines and leaves no timer', () => {
  const { terminal, renderer } = play({ isTerminal: true });
  renderer.stop();
  renderer.stop();
  const screen = new Screen(80, 24);
  screen.write(terminal.stderr.text());
  expect(screen.text()).not.toContain('round 2');
  expect(screen.text()).toContain('Goal: Write a hello world script');
  expect(screen.cursorColumn()).toBe(0);
  expect(terminal.leftovers()).toBe(0);
});

test('a window made narrower leaves no pieces of the old frame behind', () => {
  const { terminal } = play({ isTerminal: true });
  terminal.advance(200);
  const screen = new Screen(80, 24);
  screen.write(terminal.stderr.text());
  const before = terminal.stderr.text().length;
  screen.narrow(40);
  terminal.stderr.resize(40, 24);
  terminal.advance(200);
  screen.write(terminal.stderr.text().slice(before));
  expect(screen.text().match(/round 2 of 24/g)).toHaveLength(1);
});

test('a long plan is shown around its active subtask within the window', () => {
  const terminal = fakeTerminal({ isTerminal: true, env: NO_COLOR });
  terminal.stderr.resize(80, 16);
  const renderer = createRenderer(terminal, { verbosity: 'normal', goal: 'g', maxRounds: 24 });
  const subtasks = Array.from({ length: 40 }, (_, index) => ({
    id: `1.${index + 1}`,
    step: stepOf('write_file', `file${index + 1}`),
    purpose: '',
    checks: [],
    status:
      index < 20
        ? ('completed' as const)
        : index === 20
          ? ('in_progress' as const)
          : ('pending' as const),
  }));
  const plan = { tasks: [{ id: '1', description: 'Many', subtasks }], fallback: false };
  const [record] = stamp([{ type: 'plan_set', plan, why: '' }]);
  renderer.observe(asEvent(record!, runState({ plan })));
  const screen = new Screen(80, 16);
  screen.write(terminal.stderr.text());
  expect(screen.text()).toContain('▸ 1.21 write file21');
  expect(screen.text()).toMatch(/… \d+ more[\s\S]*… \d+ more/);
});

test('nothing is coloured with NO_COLOR, all is with FORCE_COLOR', () => {
  expect(play({ isTerminal: true }).terminal.stderr.text()).not.toContain('\u001b[3');
  const forced = play({ isTerminal: false, env: { LANG: 'C.UTF-8', FORCE_COLOR: '1' } });
  expect(forced.terminal.stderr.text()).toContain('\u001b[32m');
});

test('a silent model is told from a hang: a line comes at least every 10 seconds', () => {
  const { terminal, renderer } = play({ isTerminal: false });
  renderer.observe({ type: 'turn_started', purpose: 'action', target: null });
  const before = terminal.stderr.text().length;
  terminal.advance(31_000);
  const beats = terminal.stderr.text().slice(before).trim().split('\n');
  expect(beats.length).toBeGreaterThanOrEqual(3);
  expect(beats[0]).toMatch(/round 2 of 24, deciding, waiting for the model .*\d s/);
});

test('the heartbeat knows how fast the model writes', () => {
  const { terminal, renderer } = play({ isTerminal: false });
  renderer.observe({ type: 'turn_started', purpose: 'action', target: null });
  for (let piece = 0; piece < 40; piece += 1) {
    renderer.observe({ type: 'text', text: 'word ' });
    terminal.advance(250);
  }
  expect(terminal.stderr.text()).toMatch(/deciding \d+ s, 4\.\d tok\/s/);
});

test('no heart beats after the end', () => {
  const { terminal, renderer } = play({ isTerminal: false });
  const [record] = stamp([{ type: 'run_finished', ending: 'achieved', detail: '' }]);
  renderer.observe(asEvent(record!));
  const before = terminal.stderr.text().length;
  terminal.advance(60_000);
  expect(terminal.stderr.text()).toHaveLength(before);
});

test('quiet shows nothing of the work, verbose every record', () => {
  expect(play({ isTerminal: true, verbosity: 'quiet' }).terminal.stderr.text()).toBe('');
  const { terminal } = play({ isTerminal: false, verbosity: 'debug' });
  expect(terminal.stderr.text()).toContain('[2] settings_changed ollama small:1b, json mode');
});

test('where stdout carries lines of its own nothing is redrawn', () => {
  const { terminal } = play({ isTerminal: true, isMixed: true });
  expect(terminal.stderr.text()).not.toContain('\u001b[');
});
