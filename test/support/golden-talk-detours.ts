/** Golden conversations that do not go straight: shortened, failed over, undone, stopped, opened again. */
import type { GoldenTalk, TalkOptions } from './golden-talk.ts';
import {
  answerText,
  calls,
  edit,
  fails,
  held,
  MAY_EDIT,
  read,
  say,
  talk,
  text,
  write,
} from './golden-talk-words.ts';

const long = (n: number): string =>
  `answer ${n}: ${Array.from({ length: 400 }, (_, word) => `${n}${word}x`).join(' ')}`;
const numbered = (from: number, to: number, of: (n: number) => string): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => of(from + n));

/** Else a window so small is that of a model that is held to a schema. */
const NARROW: TalkOptions = {
  can: { parameters: 32e9, contextWindow: 8_192 },
  toolMode: 'native',
};
const OVERFLOW = fails({ kind: 'context_overflow' });
const BIG = { 'big.txt': 'a line of a file\n'.repeat(1_000) };
const LIST = { 'list.txt': 'milk\neggs\n' };

const SHORTENED: readonly GoldenTalk[] = [
  talk('summary', 'wire', {
    options: NARROW,
    does: say(...numbered(1, 8, (n) => `question ${n}`)),
    answers: [
      ...numbered(1, 6, long),
      'They talked about words.',
      long(7),
      'They talked about words, and more words.',
      long(8),
    ],
    shows: ['[Conversation summary]', 'Summarize this conversation.'],
    ends: numbered(1, 8, () => 'replied'),
  }),
  talk('summary', 'held', {
    does: say(...numbered(1, 9, (n) => `question ${n}`)),
    answers: [
      ...numbered(1, 8, (n) => answerText(long(n))),
      'They talked about words.',
      answerText(long(9)),
    ],
    shows: ['[Conversation summary]', 'Summarize this conversation.'],
    ends: numbered(1, 9, () => 'replied'),
  }),
  talk('summary-refused', 'wire', {
    options: NARROW,
    does: say(...numbered(1, 8, (n) => `question ${n}`)),
    answers: [
      ...numbered(1, 6, long),
      fails({ kind: 'refused' }),
      long(7),
      fails({ kind: 'refused' }),
      long(8),
    ],
    ends: numbered(1, 8, () => 'replied'),
  }),
  talk('overflow', 'wire', {
    files: BIG,
    options: NARROW,
    does: say('Read big.txt', 'And now?', 'And then?'),
    answers: [
      ...[calls(read('big.txt')), OVERFLOW, 'It fits now.'],
      ...[OVERFLOW, 'They read a file.', OVERFLOW, 'And then.'],
    ],
    shows: ['[truncated ', 'They read a file.'],
    ends: ['replied', 'failed', 'replied'],
  }),
  talk('overflow', 'held', {
    files: BIG,
    does: say('Read big.txt', 'And now?'),
    answers: [
      held('read_file', { file: 'big.txt' }),
      OVERFLOW,
      answerText('It fits now.'),
      answerText('Still.'),
    ],
    shows: ['[truncated '],
    ends: ['replied', 'replied'],
  }),
  talk('overflow', 'text', {
    files: BIG,
    does: say('Read big.txt', 'And now?'),
    answers: [text(read('big.txt')), OVERFLOW, 'It fits now.', 'Still.'],
    shows: ['[truncated '],
    ends: ['replied', 'replied'],
  }),
];

/** A call that cannot be read. */
const BROKEN = '<tool_call>\n{"name": "read_file", "arguments": {"path": }\n</tool_call>';

const UNUSABLE: readonly GoldenTalk[] = [
  talk('unusable', 'wire', {
    files: LIST,
    does: say('Look at list.txt', 'Look once more', 'Tell me all', 'Thanks'),
    answers: [
      ...['', BROKEN],
      calls({ name: 'read_file', args: { nothing: 1 } }, { name: 'no_such_tool', args: {} }),
      { text: 'It is a lo', isCutOff: true },
      ...['', ''],
      fails({ kind: 'refused' }),
      'Gladly.',
    ],
    ends: ['limit', 'failed', 'refused', 'replied'],
  }),
  talk('unusable', 'held', {
    files: LIST,
    does: say('Look at list.txt', 'Look once more', 'Thanks'),
    answers: [
      '{"action":"no_such_action"}',
      held('read_file', {}),
      answerText('Milk.'),
      ...Array.from({ length: 3 }, () => '{"action":"no_such_action"}'),
      { text: '{"action":"answer","text":"Gla', isCutOff: true },
    ],
    ends: ['replied', 'failed', 'limit'],
  }),
  talk('unusable', 'text', {
    files: LIST,
    does: say('Look at list.txt', 'Thanks'),
    answers: [
      BROKEN,
      '<tool_call>\n{"name": "no_such_tool", "arguments": {}}\n</tool_call>',
      'Milk.',
      'Gladly.',
    ],
    ends: ['replied', 'replied'],
  }),
  talk('server-that-comes-and-goes', 'wire', {
    files: LIST,
    does: say('Look at list.txt', 'Thanks'),
    answers: [
      fails({ kind: 'rate_limited', retryAfterMs: 10 }),
      calls(read('list.txt')),
      fails({ kind: 'network_error', retryable: true }),
      'Milk.',
      fails({ kind: 'auth_failed' }),
    ],
    ends: ['replied', 'failed'],
  }),
  talk('failover', 'wire', {
    files: LIST,
    options: { spare: { parameters: 32e9, contextWindow: 16_384 } },
    does: say('Look at list.txt', 'Thanks'),
    answers: [
      calls(read('list.txt')),
      fails({ kind: 'auth_failed' }),
      calls(edit('list.txt', 'eggs', 'ten eggs')),
      'Ten eggs now.',
      'Gladly.',
    ],
    shows: ['"by": "spare"'],
    ends: ['replied', 'replied'],
  }),
  talk('failover-to-another-way', 'held', {
    files: LIST,
    options: { spare: { parameters: 32e9, contextWindow: 32_768 } },
    does: say('Look at list.txt', 'Thanks'),
    answers: [
      held('read_file', { file: 'list.txt' }),
      fails({ kind: 'quota_exceeded' }),
      calls(read('list.txt')),
      'Milk and eggs.',
      'Gladly.',
    ],
    shows: ['"by": "spare"'],
    ends: ['replied', 'replied'],
  }),
];

/** A conversation that was held elsewhere. */
const BEFORE: TalkOptions['messages'] = [
  { role: 'system', content: 'You are somebody else.' },
  { role: 'user', content: 'What is in list.txt and in no.txt?' },
  {
    role: 'assistant',
    content: 'I look.',
    toolCalls: [
      { id: 'x1', name: 'read_file', args: { path: 'list.txt' } },
      { id: 'x2', name: 'read_file', args: { path: 'no.txt' } },
    ],
  },
  { role: 'tool', content: 'milk\neggs\n', toolCallId: 'x1', toolName: 'read_file' },
  { role: 'assistant', content: 'Milk and eggs.' },
  { role: 'user', content: 'Hm' },
];

const TAKEN: readonly GoldenTalk[] = [
  talk('taken-over', 'wire', {
    files: LIST,
    options: { messages: BEFORE },
    does: say('And now?', 'Thanks'),
    answers: [calls(read('list.txt')), 'The same.', 'Gladly.'],
    shows: ['Tool result missing'],
    ends: ['replied', 'replied'],
  }),
  talk('taken-over', 'held', {
    files: LIST,
    options: { messages: BEFORE },
    does: say('And now?'),
    answers: [held('read_file', { file: 'list.txt' }), answerText('The same.')],
    ends: ['replied'],
  }),
  talk('taken-over', 'text', {
    files: LIST,
    options: { messages: BEFORE },
    does: say('And now?'),
    answers: [text(read('list.txt')), 'The same.'],
    ends: ['replied'],
  }),
];

const UNDONE: readonly GoldenTalk[] = [
  talk('undo', 'wire', {
    files: LIST,
    does: [
      ...say('Make it ten eggs, and write new.txt'),
      { undo: true },
      ...say('Once more'),
      { write: 'new.txt', text: 'by somebody else\n' },
      { undo: true },
      { undo: true },
      ...say('And now?'),
    ],
    answers: [
      calls(read('list.txt')),
      calls(edit('list.txt', 'eggs', 'ten eggs'), write('new.txt', 'new\n')),
      'Done.',
      calls(read('list.txt')),
      calls(edit('list.txt', 'eggs', 'ten eggs'), write('new.txt', 'new\n')),
      'Done again.',
      'As you like.',
    ],
    shows: ['put these files back'],
    ends: ['replied', 'replied', 'replied'],
  }),
  talk('undo', 'held', {
    files: LIST,
    options: MAY_EDIT,
    does: [...say('Make it ten eggs'), { undo: true }, ...say('And now?')],
    answers: [
      held('edit_file', { file: 'list.txt', instead_of: 'eggs', write: 'ten eggs' }),
      answerText('Done.'),
      answerText('As you like.'),
    ],
    shows: ['put these files back'],
    ends: ['replied', 'replied'],
  }),
  talk('stopped', 'wire', {
    files: LIST,
    does: [{ say: 'Write two files', stopsAt: 1 }, ...say('And now?')],
    answers: [calls(write('1.txt', '1\n'), write('2.txt', '2\n')), 'One of two is there.'],
    ends: ['interrupted', 'replied'],
  }),
  talk('stopped', 'held', {
    files: LIST,
    options: MAY_EDIT,
    does: [{ say: 'Make it ten eggs', stopsAt: 1 }, ...say('And now?')],
    answers: [
      held('edit_file', { file: 'list.txt', instead_of: 'eggs', write: 'ten eggs' }),
      answerText('Ten eggs.'),
    ],
    ends: ['interrupted', 'replied'],
  }),
  talk('memory', 'wire', {
    files: { 'AGENTS.md': 'Use tabs.\n' },
    does: [
      ...say('Hello'),
      { remember: 'my name is Ada' },
      ...say('Who am I?'),
      { say: 'Who am I?', in: 'other' },
    ],
    answers: ['Hello.', 'I do not know.', 'Ada.'],
    shows: ['* my name is Ada', 'Use tabs.'],
    ends: ['replied', 'replied', 'replied'],
  }),
  talk('opened-again', 'wire', {
    files: LIST,
    options: { system: 'You count eggs.', temperature: 0.5, effort: 'low' },
    does: [
      ...say('Look at list.txt'),
      { reopen: {} },
      ...say('And now?'),
      { write: 'list.txt', text: 'milk\n' },
      {
        reopen: {
          can: { parameters: 1.5e9, canCallTools: false, contextWindow: 32_768 },
          ...MAY_EDIT,
        },
      },
      ...say('Make it bread'),
      { reopen: { toolMode: 'native' } },
      ...say('And now?'),
    ],
    answers: [
      calls(read('list.txt')),
      'Two eggs.',
      'Still two.',
      held('edit_file', { file: 'list.txt', instead_of: 'milk', write: 'bread' }),
      answerText('Bread.'),
      'Bread it is.',
    ],
    shows: ['You count eggs.'],
    ends: ['replied', 'replied', 'replied', 'replied'],
  }),
];

export const DETOURS: readonly GoldenTalk[] = [...SHORTENED, ...UNUSABLE, ...TAKEN, ...UNDONE];
