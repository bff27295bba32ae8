/** A line of format 1 -> the record that this build would have written. */
import { describe, expect, it } from 'vitest';
import { RUN_FORMAT } from '../../../src/context-manager/run-format.ts';
import { fromFormat1 } from '../../../src/schema/journal/format-1.ts';
import { NO_USAGE } from '../../../src/schema/model/turn.ts';

const today = (old: object): object => {
  const read = fromFormat1(old);
  if (!read.ok) throw new Error(read.why);
  return read.value;
};

const SETTINGS = {
  type: 'settings_changed',
  provider: 'ollama',
  model: 'm',
  digest: null,
  numCtx: 8192,
  temperature: 0.2,
  seed: 0,
  systemPrompt: 'You work.',
  why: 'asked for',
};

const TURN = {
  type: 'turn_finished',
  turn: 1,
  round: 1,
  attempt: 1,
  purpose: 'action',
  temperature: 0.2,
  seed: 1,
  status: { kind: 'success' },
  detail: '',
  rawReason: 'stop',
  response: { content: '{}' },
  usage: NO_USAGE,
};

const decided = (args: object, recovered = false, name = 'write_file') => ({
  kind: 'calls',
  calls: [{ id: 'call_1', name, args }],
  recovered,
});

const OUTCOME = {
  type: 'action_finished',
  id: '1.1#1#0',
  signature: 's',
  callId: 'c',
  status: 'ok',
  result: 'done',
  resultHash: 'h',
  facts: {},
  hashes: {},
};

const subtask = (step: object | null) => ({
  id: '1.1',
  ...(step === null ? {} : { step }),
  purpose: 'it is wanted',
  checks: [{ type: 'file_exists', path: 'a.mjs' }],
  status: 'completed',
  summary: 'done',
});

const planned = (type: string, step: object | null) => ({
  type,
  plan: {
    tasks: [{ id: '1', description: 'work', subtasks: [subtask(step)] }],
    proof: { cmd: 'node a.mjs' },
    answer_only: false,
    fallback: false,
  },
  why: 'planned',
});

const OLD: readonly (readonly [string, object, object])[] = [
  [
    'settings of the native mode',
    { ...SETTINGS, mode: 'native', isModeFree: true, tools: ['read_file', 'run_cmd'] },
    { ...SETTINGS, driver: 'free', mayChangeDriver: true, tools: null },
  ],
  [
    'settings of the JSON mode',
    { ...SETTINGS, mode: 'json', isModeFree: false, tools: [], profile: 'default' },
    { ...SETTINGS, driver: 'guided', mayChangeDriver: false, tools: null, profile: 'default' },
  ],
  [
    'a JSON action that names only its file',
    { ...TURN, decoded: decided({ path: 'a.mjs' }) },
    { ...TURN, decoded: { kind: 'file', path: 'a.mjs' } },
  ],
  [
    'a JSON action that names not even that',
    { ...TURN, decoded: decided({}) },
    { ...TURN, decoded: { kind: 'file', path: '' } },
  ],
  [
    'a JSON action whose file is not a name',
    { ...TURN, decoded: decided({ path: { toString: 1 } }) },
    { ...TURN, decoded: { kind: 'file', path: '' } },
  ],
];

const SAME: readonly (readonly [string, object])[] = [
  [
    'a write with its content',
    { ...TURN, purpose: 'content', decoded: decided({ path: 'a.mjs', content: 'x' }) },
  ],
  ['another JSON action', { ...TURN, decoded: decided({ cmd: 'node a.mjs' }, false, 'run_cmd') }],
  ['a write read out of text', { ...TURN, decoded: decided({ path: 'a.mjs' }, true) }],
  [
    'a write on the wire without its content',
    {
      ...TURN,
      response: {
        content: '',
        toolCalls: [{ id: 'call_1', name: 'write_file', args: { path: 'a.mjs' } }],
      },
      decoded: decided({ path: 'a.mjs' }),
    },
  ],
  ['a turn without a call', { ...TURN, decoded: { kind: 'text' } }],
  ['a turn that could not be read', { ...TURN, decoded: { kind: 'invalid', error: 'no JSON' } }],
  ['a pause', { type: 'run_paused', why: 'stalled', detail: 'no call came' }],
  ['a message', { type: 'message_added', role: 'user', text: 'words', cause: 'nudge' }],
  ['a note', { type: 'note', kind: 'test', data: { step: 7 } }],
];

const STEPS: readonly (readonly [object, object | null])[] = [
  [
    { action: 'write_file', file: 'a.mjs' },
    { action: 'write_file', does: 'writes_whole_files', target: 'a.mjs' },
  ],
  [
    { action: 'edit_file', file: 'a.mjs' },
    { action: 'edit_file', does: 'edits_files', target: 'a.mjs' },
  ],
  [
    { action: 'read_file', file: 'a.txt' },
    { action: 'read_file', does: 'reads_files', target: 'a.txt', args: { path: 'a.txt' } },
  ],
  [
    { action: 'list_dir', path: 'src' },
    { action: 'list_dir', does: 'lists_folders', target: 'src', args: { path: 'src' } },
  ],
  [
    { action: 'run_cmd', cmd: 'node a.mjs' },
    {
      action: 'run_cmd',
      does: 'runs_commands',
      target: 'node a.mjs',
      args: { cmd: 'node a.mjs' },
    },
  ],
  [
    { action: 'run_cmd', cmd: 'node a.mjs', stdin: 'Ada\n' },
    {
      action: 'run_cmd',
      does: 'runs_commands',
      target: 'node a.mjs',
      args: { cmd: 'node a.mjs', stdin: 'Ada\n' },
    },
  ],
  [{ action: 'goal' }, null],
];

describe('a record of format 1 is read as one of today', () => {
  it.each(OLD)('%s', (_, old, expected) => {
    expect(today(old)).toEqual(expected);
  });

  it.each(SAME)('%s is as it was', (_, old) => {
    expect(today(old)).toEqual(old);
  });

  it.each([
    ['list_dir', 'reads', 'lists_folders'],
    ['read_file', 'reads', 'reads_files'],
    ['write_file', 'files', 'writes_whole_files'],
    ['edit_file', 'files', 'edits_files'],
    ['run_cmd', 'process', 'runs_commands'],
    ['mark_subtask_complete', 'nothing', 'ends_subtasks'],
  ])('an outcome of %s: it touches %s, and its call says of what', (tool, touches, does) => {
    expect(today({ ...OUTCOME, tool })).toMatchObject({
      ...OUTCOME,
      tool,
      touches,
      does,
      target: null,
    });
  });

  it.each([
    ['a whole file', 'console.log(1);\n', { facts: { shows: ['a.mjs'] } }],
    ['some lines of one', '[lines 1 to 2 of 9]\na\nb', {}],
    ['a file cut in its middle', 'a\n[... 9 characters (2 lines) left out ...]\nb', {}],
  ])('what was read: %s', (_, result, more) => {
    const outcome = { ...OUTCOME, tool: 'read_file', status: 'ok', result };
    const hashes = { 'a.mjs': 'abc' };
    const traits = { touches: 'reads', does: 'reads_files', target: null };
    expect(today({ ...outcome, hashes })).toEqual({
      ...outcome,
      hashes,
      ...traits,
      facts: outcome.facts,
      ...more,
    });
  });

  it.each(['ponder', 'toString', '__proto__', ''])(
    'an outcome of %j, which no tool was called: it did nothing',
    (tool) => {
      expect(today({ ...OUTCOME, tool })).toEqual({
        ...OUTCOME,
        tool,
        touches: 'nothing',
        target: null,
      });
    },
  );

  it.each(STEPS)('a plan with the step %j', (step, expected) => {
    expect(today(planned('plan_set', step))).toEqual(planned('plan_set', expected));
    expect(today(planned('replanned', step))).toEqual(planned('replanned', expected));
  });

  it('whichever it is, and it is a record of today then', () => {
    const lines = [
      ...OLD.map(([, old]) => old),
      ...SAME.map(([, old]) => old),
      ...STEPS.map(([step]) => planned('plan_set', step)),
      { ...OUTCOME, tool: 'run_cmd' },
    ];
    for (const line of lines) {
      const stamped = { seq: 2, ts: 1, ...line };
      const read = RUN_FORMAT.parse(stamped);
      expect(read).toEqual({ kind: 'record', record: { seq: 2, ts: 1, ...today(line) } });
    }
  });
});

describe('a line that no build wrote is refused with a reason', () => {
  const noStep = planned('plan_set', null);
  it.each<[string, object, RegExp]>([
    ['no plan', { type: 'plan_set', why: '' }, /^plan /],
    ['a plan that is a text', { type: 'replanned', plan: 'all', why: '' }, /^plan /],
    ['a plan without tasks', { type: 'plan_set', plan: {}, why: '' }, /^plan\.tasks /],
    ['a subtask without a step', noStep, /^plan\.tasks\.0\.subtasks\.0\.step /],
    ['an unknown step', planned('plan_set', { action: 'ponder' }), /step\.action /],
    ['a step without its file', planned('plan_set', { action: 'read_file' }), /step\.file /],
    ['a step named like a method', planned('plan_set', { action: 'toString' }), /step\.action /],
    ['no mode', { ...SETTINGS, isModeFree: true, tools: [] }, /^mode /],
    ['another mode', { ...SETTINGS, mode: 'free', isModeFree: true, tools: [] }, /^mode /],
    [
      'tools that are a text',
      { ...SETTINGS, mode: 'json', isModeFree: true, tools: '' },
      /^tools /,
    ],
    ['a turn without a reply', { type: 'turn_finished', decoded: { kind: 'text' } }, /^response /],
    ['a turn that read nothing', { ...TURN, decoded: null }, /^decoded /],
    ['calls that are none', { ...TURN, decoded: { kind: 'calls', calls: [7] } }, /^decoded\.calls/],
    ['an outcome of no tool', OUTCOME, /^tool /],
    ['an outcome of a number', { ...OUTCOME, tool: 7 }, /^tool /],
  ])('%s', (_, line, why) => {
    expect(fromFormat1(line)).toEqual({ ok: false, why: expect.stringMatching(why) });
    expect(RUN_FORMAT.parse({ seq: 2, ts: 1, ...line })).toEqual({
      kind: 'unknown',
      why: expect.stringContaining('type' in line ? String(line.type) : ''),
    });
  });

  it.each([{}, [], { type: 7 }, { type: 'toString' }, { type: null }])(
    'or left to the journal, which knows no such type: %j',
    (line) => {
      expect(fromFormat1(line)).toEqual({ ok: true, value: line });
      expect(RUN_FORMAT.parse({ seq: 2, ts: 1, ...line }).kind).toBe('unknown');
    },
  );
});
