/** The runs and conversations that are killed: what is asked for, and a scripted model that gets there. */
import type { ToolMode } from '../../src/schema/records.ts';
import type { Reply } from './fake-ollama-replies.ts';
import type { ChatRequest } from './fake-ollama-validation.ts';
import { jsonModel, nativeModel } from './kill-models.ts';
import { heldTalkModel, wireTalkModel } from './kill-talk-models.ts';
import { statedIn } from './models.ts';

export interface KillScenario {
  readonly name: string;
  /** Of a run. */
  readonly goal?: string;
  /** Of a conversation: a start each. The last one is not killed, since only a further one would go on with it. */
  readonly says?: readonly string[];
  readonly toolMode: ToolMode;
  /** Tokens. */
  readonly contextLength: number;
  readonly reply: (request: ChatRequest) => Reply;
  /** The first question is a plain try; else the first one of a run is a plan. */
  readonly plainTry?: true;
  /** What lies in the workspace beside what always does. */
  readonly files?: { readonly [path: string]: string };
  /** Records an undisturbed run must have, so that the scenario shows what it is for. */
  readonly mustHave: { readonly [type: string]: number };
}

const step = (label: string, how = '') => `node step.mjs ${label}${how && ` ${how}`}`;
const planned = (action: string, target: string) =>
  action === 'run_cmd'
    ? { action, cmd: target, purpose: 'does its part' }
    : { action, file: target, purpose: 'holds its part' };
const plan = (verify: string, prints: string, ...tasks: ReturnType<typeof planned>[][]) => ({
  tasks: tasks.map((subtasks) => ({ description: 'the work', subtasks })),
  verify: { cmd: verify, prints, stdin: '' },
});
const write = (path: string, content: string) => ({
  name: 'write_file',
  arguments: { path, content },
});
const read = (path: string) => ({ name: 'read_file', arguments: { path } });
const run = (cmd: string) => ({ name: 'run_cmd', arguments: { cmd } });

const HELLO_FILE = 'console.log("hello, world");\n';
const HELLO_PLAN = plan('node hello_world.mjs', 'hello, world', [
  planned('write_file', 'hello_world.mjs'),
]);
const HELLO_GOAL = 'Write hello_world.mjs: node hello_world.mjs prints "hello, world"';
const hello = { goal: HELLO_GOAL, contextLength: 8192 };

const HELLO_JSON: KillScenario = {
  ...hello,
  name: 'hello world, json',
  toolMode: 'json',
  reply: jsonModel({ plans: [HELLO_PLAN], files: { 'hello_world.mjs': HELLO_FILE } }),
  mustHave: { turn_finished: 2, check_ran: 2 },
};

const HELLO_NATIVE: KillScenario = {
  ...hello,
  name: 'hello world, native',
  toolMode: 'native',
  reply: nativeModel({
    plan: { ...HELLO_PLAN, brief: { examples: statedIn(`GOAL: ${HELLO_GOAL}`) } },
    turns: { '1.1': [[write('hello_world.mjs', HELLO_FILE)]] },
  }),
  mustHave: { turn_finished: 3, check_ran: 1 },
};

const TEN_ACTIONS: KillScenario = {
  name: 'ten actions, native',
  goal: 'Carry out ten actions',
  toolMode: 'native',
  contextLength: 16384,
  reply: nativeModel({
    plan: plan(
      step('proof'),
      'step proof done',
      [
        planned('write_file', 'memo.txt'),
        planned('run_cmd', step('a')),
        planned('read_file', 'input.txt'),
      ],
      [planned('write_file', 'report.txt'), planned('run_cmd', 'node sleeper.mjs long')],
    ),
    turns: {
      '1.1': [[write('memo.txt', 'This is the memo.\n')]],
      '1.2': [[run(step('a')), read('memo.txt'), run(step('b'))]],
      '1.3': [[read('input.txt')], [run(step('c'))]],
      '2.1': [[write('report.txt', 'The input was 42.\n'), run(step('d'))]],
      '2.2': [[run('node sleeper.mjs long')], [read('report.txt')]],
    },
  }),
  mustHave: { turn_finished: 13, action_intended: 8 },
};

/** What the sample of every test run kills: a file, a command, and one that does not let itself be ended. */
export const THREE_ACTIONS: KillScenario = {
  name: 'three actions, json',
  goal: 'Carry out three actions',
  toolMode: 'json',
  contextLength: 16384,
  reply: jsonModel({
    plans: [
      plan(step('proof'), 'step proof done', [
        planned('write_file', 'memo.txt'),
        planned('run_cmd', step('a')),
        planned('run_cmd', 'node sleeper.mjs long'),
      ]),
    ],
    files: { 'memo.txt': 'This is the memo.\n' },
  }),
  mustHave: { turn_finished: 2, action_intended: 3 },
};

const REPLAN_AND_COMPACTION: KillScenario = {
  name: 'replan and compaction, json',
  goal: 'Go on after a plan that does not work',
  toolMode: 'json',
  contextLength: 3072,
  reply: jsonModel({
    plans: [
      plan(
        step('proof'),
        'step proof done',
        [
          planned('read_file', 'one.txt'),
          planned('read_file', 'two.txt'),
          planned('write_file', 'tool.mjs'),
        ],
        [planned('run_cmd', step('e')), planned('run_cmd', step('broken', 'fail'))],
      ),
      plan(
        step('proof'),
        'step proof done',
        [planned('run_cmd', step('f')), planned('run_cmd', step('g'))],
        [
          planned('read_file', 'one.txt'),
          planned('read_file', 'two.txt'),
          planned('write_file', 'report.txt'),
        ],
        [planned('read_file', 'input.txt'), planned('run_cmd', step('h'))],
      ),
    ],
    files: {
      'tool.mjs': 'export const answer = 42;\nconsole.log(answer);\n',
      'report.txt': 'The answer is 42.\n',
    },
  }),
  mustHave: { replanned: 1, compacted: 1, turn_finished: 6 },
};

/** Its program does not run: what was given comes back, and the goal is planned. */
const TRY_THEN_PLAN: KillScenario = {
  ...hello,
  name: 'a plain try and a plan, json',
  toolMode: 'json',
  plainTry: true,
  files: { 'hello_world.mjs': 'console.log("hi");\n' },
  reply: (request) =>
    request.messages[0]?.content.startsWith('You carry out goals in a folder.')
      ? { content: 'hello_world.mjs\n```\nthrow new Error("no");\n```' }
      : HELLO_JSON.reply(request),
  mustHave: { turn_finished: 5, try_ended: 3, plan_set: 1, check_ran: 5 },
};

const TALK = {
  says: ['Write the memo', 'Carry it all out', 'Thanks'],
  contextLength: 16384,
  mustHave: { person_said: 3, message_ended: 3, action_intended: 4 },
} as const;

const TALK_WIRE: KillScenario = {
  ...TALK,
  name: 'conversation, wire',
  toolMode: 'native',
  reply: wireTalkModel({
    'Write the memo': [
      [write('memo.txt', 'This is the memo.\n')],
      [read('memo.txt'), run(step('a'))],
    ],
    'Carry it all out': [
      [run(step('b')), run(step('c')), read('memo.txt')],
      [run('node sleeper.mjs long'), run(step('d'))],
    ],
    Thanks: [],
  }),
  mustHave: { ...TALK.mustHave, action_intended: 6 },
};

const TALK_HELD: KillScenario = {
  ...TALK,
  name: 'conversation, held',
  toolMode: 'json',
  reply: heldTalkModel(
    {
      'Write the memo': [
        { action: 'write_file', file: 'memo.txt' },
        { action: 'read_file', file: 'memo.txt' },
        { action: 'run_cmd', cmd: step('a') },
      ],
      'Carry it all out': [
        { action: 'run_cmd', cmd: step('b') },
        { action: 'edit_file', file: 'memo.txt', instead_of: 'the memo', write: 'a memo' },
        { action: 'run_cmd', cmd: 'node sleeper.mjs long' },
      ],
      Thanks: [],
    },
    { 'memo.txt': 'This is the memo.\n' },
  ),
};

export const SCENARIOS: readonly KillScenario[] = [
  HELLO_JSON,
  HELLO_NATIVE,
  TEN_ACTIONS,
  REPLAN_AND_COMPACTION,
  TRY_THEN_PLAN,
  TALK_WIRE,
  TALK_HELD,
];
