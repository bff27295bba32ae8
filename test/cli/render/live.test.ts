/** The live screen in a whole terminal, in this process: what a person sees after each event. */
import { describe, expect, test, vi } from 'vitest';
import type { RendererOptions } from '../../../src/cli/render/contract.ts';
import { createRenderer } from '../../../src/cli/render/renderer.ts';
import type { RunEvent } from '../../../src/schema/events/events.ts';
import type { LineTaken } from '../../../src/schema/inbox.ts';
import { stepOf } from '../../support/built-in-tools.ts';
import { TerminalScreen } from '../../support/terminal-screen.ts';
import { scriptedRun } from '../script.ts';
import { asEvent, fakeTerminal, liveScreenLoaded, runState, stamp } from '../support.ts';

const NO_COLOR = { LANG: 'C.UTF-8', NO_COLOR: '1', TERM: 'xterm-256color' };

/** A run on a terminal whose screen can be looked at; `at(n)` plays the first `n` events. */
function open(
  columns = 80,
  rows = 24,
  env: Record<string, string> = NO_COLOR,
  changeMade?: RendererOptions['changeMade'],
) {
  const terminal = fakeTerminal({ isTerminal: true, env });
  terminal.stderr.resize(columns, rows);
  const interrupts: number[] = [];
  const renderer = createRenderer(terminal, {
    verbosity: 'normal',
    interrupt: () => interrupts.push(1),
    ...(changeMade === undefined ? {} : { changeMade }),
  });
  const screen = new TerminalScreen(columns, rows);
  let shown = 0;
  const look = async (): Promise<string> => {
    const text = terminal.stderr.text().slice(shown).replaceAll('\n', '\r\n');
    shown = terminal.stderr.text().length;
    await screen.write(text);
    return screen.text();
  };
  const observe = async (...events: readonly RunEvent[]): Promise<string> => {
    for (const event of events) renderer.observe(event);
    terminal.advance(100);
    await liveScreenLoaded();
    terminal.advance(100);
    return await look();
  };
  return { terminal, renderer, screen, observe, look, interrupts };
}

const EVENTS = scriptedRun();
const ASKED: RunEvent = { type: 'turn_started', purpose: 'plan', target: null };

test('until the first request is under way lines are written and nothing is drawn', async () => {
  const { terminal, observe } = open();
  await observe(...EVENTS.slice(0, 2), { type: 'notice', level: 'info', text: 'A word before' });
  expect(terminal.stderr.text()).not.toContain('\u001b[');
  expect(terminal.stderr.text()).toContain('A word before');
  expect(terminal.type('x')).toBe(false);
});

test('a start that has to wait for something is shown, and listens to what is typed', async () => {
  const { terminal, renderer, observe, look } = open();
  await observe(...EVENTS.slice(0, 1));
  terminal.advance(500);
  await liveScreenLoaded();
  terminal.advance(100);
  expect(await look()).toContain('starting');
  expect(terminal.type('use sqlite')).toBe(true);
  expect(terminal.type('\r')).toBe(true);
  expect(await look()).toContain('queued: use sqlite');
  renderer.stop();
  expect(await look()).toContain('Typed but not sent: use sqlite');
});

test('the plan grows while it is written', async () => {
  const { observe } = open();
  await observe(...EVENTS.slice(0, 2), ASKED);
  const begun =
    '{"tasks":[{"description":"Storage","subtasks":[{"action":"write_file","file":"todo';
  expect(await observe({ type: 'text', text: begun })).toMatchInlineSnapshot(`
    "small:1b · Ollama · 8k
    · Storage
      · write todo ▌
    ⠦ planning 0 s
    0:00 · Ctrl+C pauses, nothing is lost"
  `);
  const more =
    '.py","purpose":"x"},{"action":"run_cmd","cmd":"python todo.py"}]},{"description":"Te';
  expect(await observe({ type: 'text', text: more })).toMatchInlineSnapshot(`
    "small:1b · Ollama · 8k
    · Storage
      · write todo.py
      · run python todo.py
    · Te ▌
    ⠇ planning 0 s
    0:00 · Ctrl+C pauses, nothing is lost"
  `);
});

test.each([
  [80, 24],
  [40, 24],
  [60, 10],
])(
  'on %i columns and %i rows the plan, what failed and the state stand in whole lines',
  async (columns, rows) => {
    const { observe } = open(columns, rows);
    expect(await observe(...EVENTS)).toMatchSnapshot();
  },
);

test('each line has its colour', async () => {
  const { screen, observe, terminal, renderer } = open(80, 24, { ...NO_COLOR, FORCE_COLOR: '1' });
  const said: RunEvent = { type: 'notice', level: 'warning', text: 'A word of warning' };
  await observe(...EVENTS, said, { type: 'turn_started', purpose: 'action', target: null });
  await observe({ type: 'thinking', text: 'What did fail?\n' });
  terminal.type('first\rsecond\u001b[200~\nthird\u001b[201~');
  await observe();
  expect(screen.painted()).toMatchSnapshot('working');
  renderer.stop();
  await observe();
  expect(screen.painted()).toMatchSnapshot('ended');
});

test('of a file that is being written the end is seen, not the JSON around it', async () => {
  const { observe } = open();
  await observe(...EVENTS.slice(0, 7), { type: 'turn_started', purpose: 'action', target: null });
  const json = '{"path":"todo.py","content":"import json\\n\\ndef main():\\n    items = load(\\"to';
  const text = await observe({ type: 'text', text: json });
  expect(text).toContain('  │ def main():\n  │     items = load("to\n');
  expect(text).not.toContain('content');
});

describe('what a call makes of a file', () => {
  const text = (lines: number) =>
    Buffer.from(Array.from({ length: lines }, (_, at) => `line ${at + 1}\n`).join(''));
  const made = (before: number | null, after: number): RendererOptions['changeMade'] => {
    const now = text(after);
    if (before !== null) now.set(Buffer.from('LINE'), 0);
    const was = before === null ? null : text(before);
    const known = { before: was, after: now, isChangedSince: false, problem: '' };
    return ({ path }) => ({ path, ...known });
  };
  const NEXT: RunEvent = { type: 'notice', level: 'warning', text: 'What comes next' };

  test('is shown at that moment, folded at twelve lines, before what comes next', async () => {
    const { observe, look } = open(80, 40, NO_COLOR, made(null, 20));
    await observe(...EVENTS.slice(0, 11), NEXT);
    const shown = await vi.waitFor(async () => {
      const all = await look();
      expect(all).toContain('What comes next');
      return all;
    });
    const rows = Array.from({ length: 12 }, (_, at) => `  +line ${at + 1}`);
    const block = ['hello.js (new, 20 lines)', ...rows, '  … 8 more lines: agent diff hello.js'];
    expect(shown).toContain(`${block.join('\n')}\nWhat comes next\n`);
  });

  test('stands with the place in the file where that was there, and fits a narrow window', async () => {
    const { observe, look } = open(24, 40, NO_COLOR, made(3, 3));
    await observe(...EVENTS.slice(0, 11), NEXT);
    await vi.waitFor(async () => expect(await look()).toContain('comes next'));
    expect(await look()).toContain(
      'hello.js (changed, +1 …\n  @@ -1,3 +1,3 @@\n  -line 1\n  +LINE 1\n   line 2\n   line 3\n',
    );
  });

  test('holds up neither a question nor the end, and what it cannot show it leaves out', async () => {
    const { renderer, observe, look } = open(80, 40, NO_COLOR, () => {
      throw new Error('the disk went away');
    });
    await observe(...EVENTS.slice(0, 10));
    renderer.observe(EVENTS[10] as RunEvent);
    renderer.observe(NEXT);
    renderer.stop();
    expect(await look()).toContain('What comes next\n');
    expect(await look()).toContain('write hello.js  +2');
  });
});

test('above a question what was done stays, once for each state of it', async () => {
  const { renderer, observe, look } = open();
  await observe(...EVENTS);
  const done = '▸ Create the script\n  ✓ write hello.js  +2\n';
  const give = renderer.hold?.();
  expect(await look()).toContain(done);
  expect(await look()).not.toContain('Ctrl+C pauses');
  give?.();
  await look();
  renderer.hold?.();
  expect((await look()).split(done)).toHaveLength(2);
});

test('what comes while a question stands is written when it is answered', async () => {
  const { renderer, observe, look } = open();
  await observe(...EVENTS);
  const give = renderer.hold?.();
  const text = await observe({ type: 'notice', level: 'warning', text: 'A server went away' });
  expect(text).not.toContain('A server went away');
  give?.();
  expect(await look()).toContain('A server went away');
});

test('the end leaves the ticked plan, no timer, no mode and no key behind', async () => {
  const { terminal, renderer, observe, look, screen } = open();
  await observe(...EVENTS);
  expect(terminal.type('')).toBe(true);
  renderer.stop();
  renderer.stop();
  expect(await look()).toMatchInlineSnapshot(`
    "small:1b · Ollama · 8k
      ✗ node hello.js · SyntaxError: bad
    ▸ Create the script
      ✓ write hello.js  +2
      ▸ run node hello.js  failed
    · Describe it: write README.md
    · at the end: node hello.js says "Hello""
  `);
  expect(screen.cursorColumn).toBe(0);
  expect(screen.modes.bracketedPasteMode).toBe(false);
  expect(terminal.stderr.text()).not.toContain('\u001b[?25');
  expect(terminal.type('x')).toBe(false);
  expect(terminal.leftovers()).toBe(0);
});

test('a window made narrower or wider, lower or higher, leaves no piece of an old frame', async () => {
  const { terminal, screen, observe } = open();
  await observe(...EVENTS);
  for (const [columns, rows] of [
    [40, 24],
    [23, 24],
    [100, 30],
    [60, 14],
  ] as const) {
    screen.resize(columns, rows);
    terminal.stderr.resize(columns, rows);
    await observe();
    expect(screen.everything().match(/1 of 3/g), `${columns}x${rows}`).toHaveLength(1);
    expect(screen.everything().match(/Ctrl\+C pauses/g), `${columns}x${rows}`).toHaveLength(1);
  }
  // A frame that begins in the first row would go to what was scrolled out of a tmux.
  expect(terminal.stderr.text()).not.toContain('\u001b[J');
});

test.each([40, 30])(
  'a redraw between a window of %i columns and the news of it leaves no piece, either',
  async (columns) => {
    const { terminal, screen, observe } = open();
    await observe(...EVENTS, { type: 'turn_started', purpose: 'content', target: 'x'.repeat(60) });
    screen.resize(columns, 24);
    terminal.advance(300);
    await observe();
    terminal.stderr.resize(columns, 24);
    await observe();
    expect(screen.everything().match(/1 of 3/g)).toHaveLength(1);
    expect(screen.everything().match(/Ctrl\+C pauses/g)).toHaveLength(1);
    expect(screen.everything().match(/writing x/g)).toHaveLength(1);
    expect(screen.everything().match(/Desc/g)).toHaveLength(1);
  },
);

test('a redraw writes only what changed, as one synchronized update', async () => {
  const { terminal, observe } = open();
  await observe(...EVENTS);
  const before = terminal.stderr.text().length;
  terminal.advance(200);
  const updates = terminal.stderr.text().slice(before).split('\u001b[?2026h').slice(1);
  expect(updates.length).toBeGreaterThan(0);
  for (const update of updates) {
    expect(update.endsWith('\u001b[?2026l')).toBe(true);
    expect(update).toContain('working');
    expect(update).not.toContain('README.md');
  }
});

test('a long plan is shown around its active step within the window', async () => {
  const { observe } = open(80, 16);
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
  const text = await observe(ASKED, asEvent(record!, runState({ plan })));
  expect(text).toContain('▸ write file21');
  expect(text).toMatch(/… \d+ more[\s\S]*… \d+ more/);
  expect(text).toContain('20 of 40');
});

test('what is typed is a line of its own; Enter hands it over, and it is seen as queued', async () => {
  const { terminal, renderer, observe, look } = open();
  const taken: string[] = [];
  await observe(...EVENTS);
  renderer.inbox?.listen((line): LineTaken => {
    taken.push(line);
    return 'kept';
  });
  terminal.type('use sqlit');
  terminal.type('te\u007f\u007fe');
  expect(await look()).toContain('\n> use sqlite▌\n');
  terminal.type('\u001b[D\u001b[D');
  expect(await look()).toContain('\n> use sqli▌te\n');
  terminal.type('\r');
  expect(taken).toEqual(['use sqlite']);
  const waiting = [{ seq: 9, offset: 9, text: 'use sqlite', isDue: false }];
  const [said] = stamp([{ type: 'person_said', text: 'use sqlite' }]);
  expect(await observe(asEvent(said!, runState({ person: { waiting, told: [] } })))).toContain(
    '\nqueued: use sqlite\n',
  );
  const [told] = stamp([{ type: 'message_added', role: 'user', text: 'x', cause: 'person' }]);
  const text = await observe(
    asEvent(told!, runState({ person: { waiting: [], told: ['use sqlite'] } })),
  );
  expect(text).not.toContain('queued');
  expect(text).toContain('\n> use sqlite\n');
});

test('a long line that was typed and not sent is given back whole', async () => {
  const { terminal, renderer, observe } = open();
  await observe(...EVENTS);
  const words = Array.from({ length: 1_000 }, (_, n) => `word${n}`);
  terminal.type(words.join(' '));
  renderer.stop();
  const last = terminal.stderr.text().split('Typed but not sent:').at(-1) ?? '';
  expect(last.match(/word\d+/g)).toEqual(words);
});

test('a line typed before the run listens waits for it; what nobody took is given back', async () => {
  const { terminal, renderer, observe, look } = open();
  await observe(...EVENTS);
  terminal.type('first\r');
  const taken: string[] = [];
  renderer.inbox?.listen((line): LineTaken => {
    taken.push(line);
    return taken.length === 1 ? 'kept' : 'too_many';
  });
  expect(taken).toEqual(['first']);
  terminal.type('second\r');
  terminal.type('and thi');
  renderer.stop();
  const text = await look();
  expect(text).toContain('Typed but not sent: second');
  expect(text).toContain('Typed but not sent: and thi');
  expect(text).not.toContain('not sent: first');
});

test('Ctrl+C is told as such, Ctrl+Z stops the program with the screen put right', async () => {
  const { terminal, screen, observe, look, interrupts } = open();
  await observe(...EVENTS);
  terminal.type('\u0003');
  expect(interrupts).toHaveLength(1);
  terminal.type('\u001a');
  expect(terminal.stops).toHaveLength(1);
  expect(await look()).not.toContain('1 of 3');
  expect(terminal.type('x')).toBe(false);
  await screen.write('\r\n[1]+  Stopped\r\n$ fg\r\n');
  terminal.send('SIGCONT');
  expect(await look()).toMatch(/Stopped\n\$ fg\n[\s\S]*1 of 3/);
  expect(terminal.type('y')).toBe(true);
  terminal.advance(1000);
  await look();
  expect(screen.everything().match(/1 of 3/g)).toHaveLength(1);
});

test('where nobody could continue it, a program that was not stopped goes on by itself', async () => {
  const { terminal, observe, look } = open();
  await observe(...EVENTS);
  terminal.type('\u001a');
  expect(await look()).not.toContain('1 of 3');
  terminal.advance(500);
  expect(await look()).toContain('1 of 3');
});

test('after it was stopped from outside the next frame stands below what the shell wrote', async () => {
  const { terminal, screen, observe, look } = open();
  await observe(...EVENTS);
  await screen.write('[1]+  Stopped\r\n$ fg\r\n');
  terminal.send('SIGCONT');
  expect(await look()).toMatch(/\$ fg\n[\s\S]*1 of 3/);
});

test('a process that ends by itself leaves the keys in order, and what it said stands', async () => {
  const { terminal, observe, look } = open();
  await observe(...EVENTS);
  terminal.stderr.write('\nError: a bug\n');
  terminal.crash();
  expect(await look()).toMatch(/1 of 3[\s\S]*\nError: a bug$/);
  expect(terminal.type('x')).toBe(false);
});
