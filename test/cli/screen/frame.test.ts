import { expect, test } from 'vitest';
import { createStyle } from '../../../src/cli/render/text/style.ts';
import { activityOf } from '../../../src/cli/screen/activity.ts';
import { EMPTY_CHAT_VIEW, reduceChatView } from '../../../src/cli/screen/chat-view.ts';
import { EMPTY } from '../../../src/cli/screen/editor.ts';
import { frameOf, wholeTree } from '../../../src/cli/screen/frame.ts';
import { type RunView, reduceView, startView } from '../../../src/cli/screen/view.ts';
import type { Stamped } from '../../../src/schema/records.ts';
import type { RunState } from '../../../src/schema/state.ts';

const NOTHING_TYPED = { draft: EMPTY, choices: [], lines: [] };
const style = createStyle(
  { env: { LANG: 'C.UTF-8', NO_COLOR: '1' }, platform: 'linux' },
  { isTerminal: false },
);

function statusAt(columns: number, pieces: number): string[] {
  const view = startView(0);
  const busy: RunView = {
    ...view,
    contextShare: 0.38,
    cost: { usd: 1.25, isLeast: false },
    activity: { ...view.activity, firstWordAt: 1_000, pieces },
  };
  const frame = frameOf(busy, NOTHING_TYPED, { columns, rows: 24 }, 11_000, style);
  return frame.slice(1);
}

test('of the state no word is cut: where it is too long the speed is left out', () => {
  expect(statusAt(40, 250)).toEqual([
    '0:11 · 25 tok/s · context 38 % · $1.25',
    'Ctrl+C pauses, nothing is lost',
  ]);
  expect(statusAt(40, 12_500)).toEqual([
    '0:11 · context 38 % · $1.25',
    'Ctrl+C pauses, nothing is lost',
  ]);
  expect(statusAt(80, 12_500)).toEqual([
    '0:11 · 1250 tok/s · context 38 % · $1.25 · Ctrl+C pauses, nothing is lost',
  ]);
});

test.each([
  [100, 'writing hello.py 12 s, waiting for the model (it is loading or reading the prompt)'],
  [80, 'writing hello.py 12 s, waiting for the model'],
  [40, 'writing hello.py 12 s'],
])('what is waited for at %i columns is not cut', (columns, words) => {
  const activity = activityOf('waiting', 'writing hello.py', 0);
  const view: RunView = { ...startView(0), activity };
  const frame = frameOf(view, NOTHING_TYPED, { columns, rows: 24 }, 12_000, style);
  expect(frame[0]?.slice(2)).toBe(words);
});

test.each([
  [100, 'planning 12 s, waiting for the model (45 % of the prompt read)'],
  [60, 'planning 12 s, 45 % of the prompt read'],
  [40, 'planning 12 s, 45 % read'],
])(
  'how much of a long prompt is read is shown at %i columns, where it is told',
  (columns, words) => {
    const asked = { type: 'turn_started', purpose: 'plan', target: null } as const;
    const waiting = reduceView(startView(0), asked, 0);
    const at = (view: RunView, now: number): string | undefined =>
      frameOf(view, NOTHING_TYPED, { columns, rows: 24 }, now, style)[0]?.slice(2);
    const reading = reduceView(waiting, { type: 'prompt_read', percent: 45 }, 1_000);
    expect(at(reading, 12_000)).toBe(words);
    expect(at(reading, 2_000)).toBe('planning 2 s');
    const word = reduceView(reading, { type: 'text', text: 'A' }, 12_000);
    expect(at(word, 12_000)).not.toContain('%');
    // Of the next request nothing is known yet.
    expect(at(reduceView(word, asked, 12_000), 24_000)).not.toContain('%');
  },
);

test('a conversation shows it before the way out', () => {
  const waiting = reduceChatView(
    EMPTY_CHAT_VIEW,
    { type: 'turn_started', purpose: 'action', target: null },
    0,
  );
  const view = reduceChatView(waiting, { type: 'prompt_read', percent: 7 }, 1_000);
  const words = (columns: number): string | undefined =>
    frameOf(view, NOTHING_TYPED, { columns, rows: 24 }, 9_000, style)[0]?.slice(2);
  expect(words(80)).toBe('waiting for the model 9 s, 7 % of the prompt read · Ctrl+C stops it');
  expect(words(40)).toBe('waiting for the model 9 s, 7 % read');
});

const step = { action: 'write_file', target: 'todo.py' };
const subtask = { id: '1.1', purpose: '', status: 'completed', step, checks: [] };
const task = { id: '1', description: 'Storage of todo items in a file', subtasks: [subtask] };
const note = { kind: 'file', path: 'todo.py', added: 10, removed: 1 } as const;
const worked: RunView = {
  ...startView(0),
  plan: { tasks: [task], proof: null } as unknown as NonNullable<RunView['plan']>,
  notes: { '1.1': [note] },
};

test('the plan that stays at the end is folded, and not cut', () => {
  expect(wholeTree(worked, 39, style)).toEqual([
    '✓ Storage of todo items in a file:',
    '  write todo.py  +10 −1',
  ]);
});

test('while it works a narrow window cuts what a task is about, and not its file', () => {
  const frame = frameOf(worked, NOTHING_TYPED, { columns: 40, rows: 24 }, 0, style);
  expect(frame[0]).toBe('✓ Storage of to…: write todo.py  +10 −1');
});

test('a trial is shown with its number, and that Ctrl+C skips it, until the claim is decided', () => {
  const trial = { type: 'trial_started', n: 2, of: 4, words: 'with calc.py emptied' } as const;
  const trying = reduceView(startView(0), trial, 1_000);
  const lines = (view: RunView) =>
    frameOf(view, NOTHING_TYPED, { columns: 80, rows: 24 }, 3_000, style).join('\n');
  expect(lines(trying)).toContain('trial 2 of 4: with calc.py emptied 2 s');
  expect(lines(trying)).toContain('Ctrl+C skips the trials');
  const verdict = { type: 'verdict_given', isProved: true, words: '', named: [] } as const;
  const record = { ...verdict, seq: 9, ts: 1_000, durable: 8 } as unknown as Stamped;
  const state = {
    ...{ plan: null, person: undefined },
    usage: { cost: undefined, last: null },
  } as unknown as RunState;
  const after = reduceView(trying, { type: 'record', record, state }, 2_000);
  expect(lines(after)).toContain('Ctrl+C pauses');
});
