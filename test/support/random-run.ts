/** Runs of the real engine with a model and programs that do whatever dice say. */
import type { RunResult } from '../../src/agent.ts';
import { TardigradeError } from '../../src/lib/errors.ts';
import type { ModelRequest, TurnStatus } from '../../src/schema/model/turn.ts';
import type { JournalRecord, ToolMode } from '../../src/schema/records.ts';
import { diligentModel, openIn, type PlannedWork, planJson, wantedBy } from './models.ts';
import {
  call,
  meddle,
  pick,
  type Roll,
  randomCall,
  rolling,
  withBackground,
} from './random-calls.ts';
import { withFaults } from './random-faults.ts';
import { runIn } from './run-in.ts';
import {
  type ScriptedCall,
  type ScriptedProvider,
  type ScriptedReply,
  scriptedProvider,
} from './scripted-provider.ts';
import { type TestWorld, testWorld } from './test-machine.ts';

export interface RandomSetup {
  readonly mode: ToolMode | 'auto';
  /** Those of later starts in turn, each of which may bring another driver; left out: the same. */
  readonly later?: readonly (ToolMode | 'auto')[];
  /** Rolled in turn, from the start again when they are used up; 0 is what goes well. */
  readonly dice: readonly number[];
  /** The run is killed after so many records, once for each number, then started again. */
  readonly kills: readonly number[];
  readonly maxRounds: number;
  /** Subtasks at once; left out: 1. */
  readonly parallel?: number;
  /** Tokens. */
  readonly contextWindow: number;
  /** Of so many operations on files of the workspace one fails, in all starts but the last; 0: none. */
  readonly faults?: number;
}

export interface RandomRun {
  readonly world: TestWorld;
  readonly provider: ScriptedProvider;
  readonly results: readonly RunResult[];
  /** Requests, by index, before which the conversation was changed on purpose. */
  readonly changedBefore: ReadonlySet<number>;
  /** Most records between two starts. */
  readonly longest: number;
}

/** More records than any bounded start can leave behind. */
const RUNAWAY = 3000;
const STARTS_AFTER_A_PAUSE = 3;

export async function randomRun(setup: RandomSetup): Promise<RandomRun> {
  const roll = rolling(setup.dice);
  const world: TestWorld = testWorld((args, _stdin, read, _write, _remove, cwd) => {
    if (args[0] !== 'meddle') return randomProgram(roll(), read(args[0] ?? ''));
    meddle(world.machine().fs, cwd, Object.keys(FILES), roll);
    return { output: 'meddled\n', exitCode: 0 };
  });
  world.write('todo.txt', 'Buy milk.\n');
  const { contextWindow, mode, maxRounds, later = [], parallel = 1, faults = 0 } = setup;
  const provider = scriptedProvider((request) => randomReply(request, roll), { contextWindow });
  const changedBefore = new Set<number>();
  const results: RunResult[] = [];
  const kills = [...setup.kills];
  let longest = 0;
  for (let start = 0; start < STARTS_AFTER_A_PAUSE + setup.kills.length; start += 1) {
    const whole = world.machine();
    const isFaulty = start < STARTS_AFTER_A_PAUSE - 1 + setup.kills.length;
    const machine = isFaulty ? withFaults(whole, roll, faults) : whole;
    const killAt = kills.shift() ?? Number.POSITIVE_INFINITY;
    let isKilled = false;
    const onRecord = (record: JournalRecord, seen: number): void => {
      longest = Math.max(longest, seen);
      if (changesConversation(record)) changedBefore.add(provider.requests.length);
      isKilled = seen >= killAt;
      if (isKilled) machine.kill();
      if (isKilled || seen > RUNAWAY) throw new Error(isKilled ? 'killed' : 'the run never ends');
    };
    try {
      const toolMode = (start > 0 && later[(start - 1) % later.length]) || mode;
      const options = {
        machine: withBackground(machine, roll),
        onRecord,
        toolMode,
        maxRounds,
        parallel,
      };
      const { result } = await runIn(world, provider, options);
      results.push(result);
      if (result.ending !== 'paused') break;
    } catch (error) {
      if (!isKilled && !(isFaulty && error instanceof TardigradeError)) throw error;
    }
  }
  return { world, provider, results, changedBefore, longest };
}

const CHANGES = new Set(['rewound', 'branched', 'compacted', 'settings_changed']);

const changesConversation = (record: JournalRecord): boolean =>
  CHANGES.has(record.type) ||
  (record.type === 'message_added' && record.rewindTo !== undefined) ||
  // A subtask or plan that ends while a branch is open closes it.
  record.type === 'subtask_finished' ||
  record.type === 'replan_started';

function randomProgram(die: number, code: string | null) {
  switch (die % 6) {
    case 1:
      return { output: 'Error: it broke\n', exitCode: 1 };
    case 2:
      return 'timeout' as const;
    case 3:
      return { output: 'Your name? \nError: end of input\n', exitCode: 1 };
    case 4:
      return { output: '', exitCode: 0 };
    default:
      return code?.includes('throw')
        ? { output: 'Error: thrown\n', exitCode: 1 }
        : { output: 'hello\n', exitCode: 0 };
  }
}

const GOOD = 'console.log("hello");\n';
const FILES = { 'hello.mjs': [GOOD], 'more.mjs': [GOOD], 'todo.txt': ['notes\n'] };

const WORKS: readonly PlannedWork[] = [
  {
    subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
    verify: { cmd: 'node hello.mjs', prints: 'hello' },
    files: FILES,
  },
  {
    subtasks: [
      { action: 'write_file', file: 'more.mjs', purpose: 'helps' },
      { action: 'write_file', file: 'hello.mjs', purpose: 'asks for a name' },
      { action: 'run_cmd', cmd: 'node more.mjs', purpose: 'shows it' },
    ],
    verify: { cmd: 'node hello.mjs', prints: 'hello' },
    files: FILES,
  },
  {
    subtasks: [
      { action: 'read_file', file: 'todo.txt', purpose: 'tell what it says' },
      { action: 'list_dir', file: '.', purpose: 'tell what there is' },
    ],
    answer: 'the notes',
  },
  {
    subtasks: [
      { action: 'edit_file', file: 'todo.txt', purpose: 'adds a line' },
      { action: 'run_cmd', cmd: 'node hello.mjs', purpose: 'shows it' },
    ],
    files: FILES,
  },
];

const CONTENTS = [
  GOOD,
  'console.log(input("name"));\n',
  'function greet() {}\n',
  'throw new Error("x");\n',
  '// TODO\n',
];

export const FAILURES: readonly TurnStatus[] = [
  { kind: 'network_error', retryable: true },
  { kind: 'rate_limited' },
  { kind: 'invalid_response' },
  { kind: 'timeout' },
  { kind: 'model_error', retryable: false },
  { kind: 'auth_failed' },
  { kind: 'refused' },
  { kind: 'context_overflow' },
];

function randomReply(request: ModelRequest, roll: Roll): ScriptedReply {
  const die = roll();
  if (die > 94) return { fails: pick(FAILURES, roll()) };
  if (die > 88) return { text: 'This answer is cut', isCutOff: true };
  const good = (): ScriptedReply => {
    const said = diligentModel(pick(WORKS, roll()))(request, 0);
    return typeof said === 'string' ? { text: said } : said;
  };
  if (die < 30) return good();
  switch (wantedBy(request)) {
    case 'plan':
      return { text: pick(PLANS, die) };
    case 'content':
      return { text: pick(contentReplies(roll()), die) };
    case 'action':
      return { text: JSON.stringify(pick(jsonAnswers(request, roll), die)) };
    case 'tools':
      return pick(nativeAnswers(roll), die);
  }
}

const PLANS = [
  'I cannot plan.',
  planJson({ subtasks: [{ action: 'write_file', file: '/etc/x.mjs', purpose: 'is outside' }] }),
  planJson({ subtasks: [{ action: 'run_cmd', cmd: 'rm -rf x', purpose: 'cleans' }] }),
  planJson({ subtasks: [] }),
];

const contentReplies = (die: number): readonly string[] => [
  'Sure, I will write it.',
  '```\n```',
  `\`\`\`js\n${pick(CONTENTS, die)}\`\`\``,
  pick(CONTENTS, die),
];

const jsonAnswers = (request: ModelRequest, roll: Roll): readonly unknown[] => [
  ...openIn(request).map((one) => ({ action: one.action?.const, file: 'hello.mjs' })),
  { action: 'mark_subtask_complete', success: true, reason: 'it is done', answer: 'an answer' },
  { action: 'mark_subtask_complete', success: false, reason: 'it cannot be done' },
  { action: 'run_cmd', cmd: pick(['node hello.mjs', 'node more.mjs', 'rm x'], roll()), stdin: '' },
  { action: 'write_file', file: pick(['hello.mjs', 'other.mjs', '../x.mjs'], roll()) },
  { action: 'read_file', file: pick(['hello.mjs', 'none.txt'], roll()) },
  { action: 'write_file' },
  'no action',
];

const SIDE_BY_SIDE = Object.keys(FILES).map((file) => ({
  ...{ do: `write ${file}`, files: [file], independent: true },
}));

function nativeAnswers(roll: Roll): readonly ScriptedReply[] {
  const content = pick(CONTENTS, roll());
  const write = call('write_file', { path: pick(['hello.mjs', 'more.mjs'], roll()), content });
  const command = call('run_cmd', { cmd: pick(['node hello.mjs', 'node more.mjs'], roll()) });
  const done = call('mark_subtask_complete', { success: true, reason: 'it is done' });
  const one = (...calls: ScriptedCall[]): ScriptedReply => ({ calls });
  return [
    { text: 'Let me think about it.' },
    one(write),
    one(command),
    one(done),
    one(write, command, done),
    one(done, write),
    one(call('mark_subtask_complete', { success: false, reason: 'it cannot be done' })),
    one(call('mark_subtask_complete', { success: false, reason: 'no' }), write),
    one(call('fly', {}), command),
    one(call('write_file', {})),
    one(randomCall(Object.keys(FILES), roll)),
    one(randomCall(Object.keys(FILES), roll), randomCall(Object.keys(FILES), roll)),
    one(call('set_plan', { tasks: [{ description: 'it', subtasks: SIDE_BY_SIDE }] })),
    { text: JSON.stringify({ name: 'run_cmd', arguments: { cmd: 'node hello.mjs' } }) },
    one(call('run_cmd', { cmd: 'rm -rf /' })),
    one(write, call('give_up', { reason: 'it cannot be done' }), command),
  ];
}
