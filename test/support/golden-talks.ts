/** The conversations whose requests are kept: three ways to call, and every way one may go. */
import type { GoldenTalk } from './golden-talk.ts';
import { BOUNDS } from './golden-talk-bounds.ts';
import { DETOURS } from './golden-talk-detours.ts';
import {
  answerText,
  calls,
  edit,
  held,
  MAY_EDIT,
  read,
  run,
  SAY,
  say,
  talk,
  text,
  write,
} from './golden-talk-words.ts';

const ONE_CALL = {
  files: { 'list.txt': 'milk\neggs\n' },
  does: say('What is in list.txt?', 'Thanks'),
  ends: ['replied', 'replied'],
} as const;

const CALLS: readonly GoldenTalk[] = [
  talk('one-call', 'wire', {
    ...ONE_CALL,
    answers: [{ text: 'I look.', ...calls(read('list.txt')) }, 'Milk and eggs.', 'Gladly.'],
  }),
  talk('one-call', 'held', {
    ...ONE_CALL,
    answers: [
      held('read_file', { file: 'list.txt' }),
      answerText('Milk and eggs.'),
      answerText('Gladly.'),
    ],
  }),
  talk('one-call', 'text', {
    ...ONE_CALL,
    answers: [text(read('list.txt')), 'Milk and eggs.', 'Gladly.'],
  }),
  talk('several-calls', 'wire', {
    files: { 'say.js': SAY },
    options: { maxToolCallsPerReply: 3, allow: ['run_cmd(node *)'] },
    does: say('Copy say.js, and run it'),
    answers: [
      calls(read('say.js'), write('copy.js', SAY), run('node copy.js'), read('copy.js')),
      calls(edit('copy.js', 'said', 'said twice'), run('node copy.js')),
      'It says "said twice".',
    ],
    shows: ['limit of 3 calls a reply', 'said twice'],
    ends: ['replied'],
  }),
  talk('several-calls', 'text', {
    files: { 'say.js': SAY },
    options: { allow: ['run_cmd(node *)'] },
    does: say('Copy say.js, and run it', 'And now?'),
    answers: [
      `${text(read('say.js'))}\n${text(write('copy.js', SAY))}`,
      text(run('node copy.js')),
      'It says "said".',
      'Nothing more.',
    ],
    ends: ['replied', 'replied'],
  }),
  talk('several-calls', 'held', {
    files: { 'say.js': SAY },
    options: { allow: ['run_cmd(node *)', ...MAY_EDIT.allow] },
    does: say('Let say.js say more, and run it'),
    answers: [
      held('read_file', { file: 'say.js' }),
      held('edit_file', { file: 'say.js', instead_of: 'said', write: 'said more' }),
      held('run_cmd', { cmd: 'node say.js' }),
      answerText('It says "said more".'),
    ],
    shows: ['said more'],
    ends: ['replied'],
  }),
];

const AGAIN = {
  files: { 'a.txt': 'one\n' },
  does: say('What is in a.txt?', 'And now?'),
  shows: ['blocked'],
};

const WORKFLOW = { '.github/ci.yml': 'on: push\n' };

const GUARDED: readonly GoldenTalk[] = [
  talk('loop-guard', 'wire', {
    ...AGAIN,
    shows: [],
    answers: [...Array.from({ length: 8 }, () => calls(read('a.txt'))), 'It says one.'],
    ends: ['limit', 'replied'],
  }),
  talk('loop-guard', 'held', {
    ...AGAIN,
    shows: [],
    answers: [
      ...Array.from({ length: 5 }, () => held('read_file', { file: 'a.txt' })),
      answerText('It says one.'),
      answerText('Still one.'),
    ],
    ends: ['replied', 'replied'],
  }),
  talk('denied', 'wire', {
    files: { 'say.js': SAY },
    options: { deny: ['run_cmd(node *)'] },
    does: say('Run say.js', 'Add a workflow', 'Is it there?'),
    answers: [
      calls(run('node say.js')),
      'I may not run it.',
      calls(write('.github/ci.yml', 'on: push\n'), read('say.js')),
      'I may not.',
      'No.',
    ],
    shows: [],
    ends: ['replied', 'permission', 'replied'],
  }),
  talk('denied', 'held', {
    files: WORKFLOW,
    does: say('Let it be on: pull_request', 'Is it done?'),
    answers: [
      held('edit_file', { file: '.github/ci.yml', instead_of: 'push', write: 'pull_request' }),
      answerText('I may not.'),
      answerText('No.'),
    ],
    ends: ['permission', 'replied'],
  }),
  talk('change-asks', 'held', {
    files: { 'list.txt': 'milk\neggs\n' },
    does: say('列表里有什么？', 'Mach zehn Eier daraus', 'What is in new.txt?'),
    answers: [
      held('read_file', { file: 'list.txt' }),
      answerText('牛奶和鸡蛋。'),
      held('edit_file', { file: 'list.txt', instead_of: 'eggs', write: 'ten eggs' }),
      answerText('Ich darf nicht.'),
      held('write_file', { file: 'new.txt' }),
      '```\nnew\n```',
      answerText('It is new.'),
    ],
    shows: ['It would change list.txt, which was there before.'],
    ends: ['replied', 'permission', 'replied'],
  }),
  talk('denied', 'text', {
    files: WORKFLOW,
    does: say('Let it be on: pull_request', 'Is it done?'),
    answers: [text(edit('.github/ci.yml', 'push', 'pull_request')), 'I may not.', 'No.'],
    ends: ['permission', 'replied'],
  }),
  talk('asked', 'wire', {
    files: { 'say.js': SAY },
    options: {
      ask: async ({ target }) =>
        target.includes('ci.yml') ? 'once' : { kind: 'no', why: 'not on a Monday' },
    },
    does: [...say('Add a workflow'), { allow: 'run_cmd(node *)' }, ...say('Run say.js')],
    answers: [
      calls(write('.github/ci.yml', 'on: push\n'), write('.github/more.yml', 'on: push\n')),
      'One of two is there.',
      calls(run('node say.js')),
      'It says "said".',
    ],
    shows: ['not on a Monday'],
    ends: ['replied', 'replied'],
  }),
  talk('asked', 'held', {
    files: { 'say.js': SAY },
    options: { ask: async () => 'run' },
    does: say('Run say.js', 'Once more'),
    answers: [
      held('run_cmd', { cmd: 'node say.js' }),
      answerText('It says "said".'),
      held('run_cmd', { cmd: 'node say.js' }),
      answerText('The same.'),
    ],
    ends: ['replied', 'replied'],
  }),
];

export const TALKS: readonly GoldenTalk[] = [...CALLS, ...GUARDED, ...DETOURS, ...BOUNDS];
