/**
 * The runs that the build 4c35833 left in `test/fixtures/format-1`: what each was asked for, which
 * model was behind it, and where it stopped. `scripts/record-format-1.ts` made them.
 */
import type { ToolMode } from '../../src/schema/records.ts';
import { type Answer, isAskedForPlan, overOllama, worker } from './e2e-model.ts';
import type { ChatRequest, Reply } from './fake-ollama.ts';
import { LONG_GOAL, noteName, reader } from './long-work.ts';
import { type PlannedWork, planJson } from './models.ts';

export const FIXTURES = 'test/fixtures/format-1';

/** How a process that worked on the run came to its end. */
export type Stop =
  | { readonly at: 'end' }
  /** SIGKILL right after this record, such as `action_intended:2`, became durable. */
  | { readonly at: 'record'; readonly hold: string }
  /** SIGKILL while the model works on its n-th answer. */
  | { readonly at: 'turn'; readonly n: number }
  /** It ends itself, as by SIGKILL, behind that: what `scripts/lib/die-after.mjs` takes. */
  | { readonly at: 'death'; readonly after: string };

export interface Start {
  readonly words: readonly string[];
  readonly stop: Stop;
  /** At a terminal: what is waited for, and the keys that are typed then. */
  readonly types?: readonly (readonly [sees: string, keys: string])[];
}

export interface Format1Run {
  readonly name: string;
  readonly before: Files;
  readonly starts: readonly Start[];
  /** The model while it was recorded. */
  readonly model: Answer;
  /** The model that brings it to its end. */
  readonly laterModel: Answer;
  /** Words that go on with it. */
  readonly resume: readonly string[];
  /** Its plans were asked for apart, which nobody does any more under the driver that it has. */
  readonly plansByTool?: boolean;
  /** What its history must tell, so that it shows what it is for. */
  readonly holds: readonly string[];
}

export type Files = { readonly [path: string]: string };

const GOAL = 'Greet the world';

const BEFORE: Files = { 'hello.mjs': 'console.log("old");\n', 'data/keep.txt': 'kept\n' };

const WORK: PlannedWork = {
  subtasks: [
    { action: 'read_file', file: 'hello.mjs', purpose: 'see what is there' },
    { action: 'write_file', file: 'lib/words.mjs', purpose: 'exports the greeting' },
    { action: 'write_file', file: 'hello.mjs', purpose: 'prints the greeting' },
    { action: 'run_cmd', cmd: 'node hello.mjs --loud', purpose: 'shows the greeting' },
  ],
  verify: { cmd: 'node hello.mjs', prints: 'hello, world' },
  files: {
    'hello.mjs': ["import { greeting } from './lib/words.mjs';\nconsole.log(greeting);\n"],
    'lib/words.mjs': ['export const greeting = "hello, world";\n'],
  },
};

/** The first version throws; a program that runs it is mended. */
const MENDED: PlannedWork = {
  subtasks: [
    { action: 'write_file', file: 'greet.mjs', purpose: 'prints the greeting' },
    { action: 'run_cmd', cmd: 'node greet.mjs --loud', purpose: 'shows the greeting' },
  ],
  verify: { cmd: 'node greet.mjs', prints: 'hello, world' },
  files: {
    'greet.mjs': ['console.log("goodbye");\nprocess.exit(3);\n', 'console.log("hello, world");\n'],
  },
};

/** More than a record holds. */
const LONG_TEXT = Array.from(
  { length: 320 },
  (_, line) => `line ${line} of a long page says ${line * line}`,
).join('\n');

const LONG: PlannedWork = {
  subtasks: [
    { action: 'write_file', file: 'page.txt', purpose: 'a long page' },
    { action: 'read_file', file: 'page.txt', purpose: 'see that it is whole' },
  ],
  files: { 'page.txt': [`${LONG_TEXT}\n`] },
};

const NOTES = 9;

const notes: Files = Object.fromEntries(
  Array.from({ length: NOTES }, (_, index) => [
    noteName(index + 1),
    `${Array.from({ length: 40 }, (_, line) => `line ${line} of note ${index + 1} says ${line * 7}`).join('\n')}\n`,
  ]),
);

const said = ({ messages }: ChatRequest): string => JSON.stringify(messages);

/** At its work; a command whose outcome nobody knows is run once more. */
const careful =
  (work: PlannedWork): Answer =>
  (request, n) => {
    const last = request.messages.at(-1)?.content ?? '';
    const cmd = /outcome unknown\. (.+?) was begun/.exec(said(request))?.[1] ?? '';
    if (last.includes('outcome unknown') && request.tools)
      return { toolCalls: [{ name: 'run_cmd', arguments: { cmd } }] };
    if (last.startsWith('What next for: run_cmd') && cmd !== '')
      return asJson({ action: 'run_cmd', because: 'look', cmd, stdin: '' });
    return worker(work)(request, n);
  };

const asJson = (value: unknown): Reply => ({ content: JSON.stringify(value) });

/** Has no paper for its first plan; its second one is the work. */
const withoutPaper =
  (work: PlannedWork): Answer =>
  (request, n) => {
    const first = { action: 'write_file', file: 'first.mjs', purpose: 'prints the greeting' };
    const withoutCurrentContent = said(request).includes('did not work');
    if (isAskedForPlan(request) && !withoutCurrentContent)
      return { content: planJson({ ...work, subtasks: [first] }) };
    if (request.tools && !said(request).includes('there is no paper'))
      return {
        toolCalls: [
          {
            name: 'mark_subtask_complete',
            arguments: { success: false, reason: 'there is no paper' },
          },
        ],
      };
    const isFirst = request.messages.at(-1)?.content.includes('first.mjs');
    return isFirst && request.format === undefined && !request.tools
      ? { content: 'Sure, gladly.' }
      : worker(work)(request, n);
  };

/** Words where a call is wanted. */
const talkative: Answer = (request, n) =>
  request.tools ? { content: 'I would rather talk about it.' } : worker(WORK)(request, n);

/** Both in its first reply; the run is killed between them. */
const twoCalls: Answer = (request, n) => {
  const last = request.messages.at(-1);
  const isFirst = request.tools && last?.role === 'user' && last.content.includes('SUBTASK 1.1');
  const read = (path: string) => ({ name: 'read_file', arguments: { path } });
  return isFirst
    ? { toolCalls: [read('hello.mjs'), read('data/keep.txt')] }
    : worker(WORK)(request, n);
};

/** The type of the record that the kill came after, or that ends it. */
const lastOf = (stop: Stop): string =>
  stop.at === 'record' ? (stop.hold.split(':')[0] ?? '') : stop.at === 'end' ? 'run_' : 'turn 1';

const run = (goal: string, mode: ToolMode | 'auto', ...more: readonly string[]) => [
  ...['run', goal, '--tool-mode', mode],
  ...more,
];

const one = (
  name: string,
  [mode, stop, ...more]: readonly [ToolMode | 'auto', Stop, ...string[]],
  model: Answer = worker(WORK),
  other: Partial<Format1Run> = {},
): Format1Run => ({
  name,
  before: BEFORE,
  starts: [{ words: run(GOAL, mode, ...more), stop }],
  model,
  laterModel: careful(WORK),
  resume: ['resume'],
  holds: [lastOf(stop)],
  ...other,
});

const END: Stop = { at: 'end' };
const after = (hold: string): Stop => ({ at: 'record', hold });
const inTurn = (n: number): Stop => ({ at: 'turn', n });
const inUndo = (mode: ToolMode): Partial<Format1Run> => ({
  starts: [
    { words: run(GOAL, mode), stop: END },
    { words: ['undo', '--yes'], stop: after('file_restored:1') },
  ],
  holds: ['run_finished', 'undo_started', 'file_restored'],
});

const inBoth = (make: (mode: ToolMode) => Format1Run): readonly Format1Run[] =>
  (['native', 'json'] as const).map(make).map((made, index) => ({
    ...made,
    name: `${made.name}-${index === 0 ? 'native' : 'json'}`,
  }));

export const FORMAT_1: readonly Format1Run[] = [
  ...inBoth((mode) => one('finished', [mode, END])),
  ...inBoth((mode) => one('paused', [mode, END, '--max-rounds', '2'])),
  ...inBoth((mode) => one('killed-in-a-turn', [mode, inTurn(mode === 'native' ? 5 : 3)])),
  ...inBoth((mode) => one('killed-in-a-write', [mode, after('action_intended:2')])),
  ...inBoth((mode) => one('killed-in-a-command', [mode, after('action_started:1')])),
  ...inBoth((mode) => one('killed-in-a-proof', [mode, after('action_started:2')])),
  ...inBoth((mode) => one('killed-in-an-undo', [mode, END], worker(WORK), inUndo(mode))),
  ...inBoth((mode) =>
    one('killed-in-a-replan', [mode, after('replan_started:1')], withoutPaper(MENDED), {
      laterModel: withoutPaper(MENDED),
      plansByTool: mode === 'native',
    }),
  ),
  one('killed-in-a-repair-json', ['json', inTurn(4)], worker(MENDED), {
    laterModel: careful(MENDED),
    holds: ['side conversation opened: repair'],
  }),
  one('killed-between-calls-native', ['native', after('action_finished:1')], twoCalls, {
    laterModel: twoCalls,
  }),
  one('replanned-and-proved-json', ['json', END], withoutPaper(MENDED), {
    laterModel: withoutPaper(MENDED),
    holds: ['replan_started', 'replanned', 'side conversation opened: repair', 'proof passed'],
  }),
  one('switched-to-json', ['auto', END, '--max-rounds', '3'], talkative, {
    holds: ['native mode', 'json mode', 'nudge'],
  }),
  ...inBoth((mode) =>
    one('long-texts', [mode, after('subtask_started:2')], worker(LONG), {
      laterModel: careful(LONG),
    }),
  ),
  ...inBoth((mode) =>
    one('compacted', [mode, END], overOllama(reader(NOTES)), {
      before: notes,
      starts: [
        {
          words: run(LONG_GOAL, mode, '--context', '2048', '--max-rounds', String(NOTES - 1)),
          stop: END,
        },
      ],
      laterModel: overOllama(reader(NOTES)),
      holds: ['compacted', 'run_paused'],
    }),
  ),
  one('several-goals', ['json', END], worker(WORK), {
    starts: [
      { words: run(GOAL, 'json', '--max-rounds', '2'), stop: END },
      { words: run('Tell what is in hello.mjs', 'native', '--max-rounds', '1'), stop: END },
    ],
    resume: ['run', GOAL],
  }),
];

export const scenarioOf = ({ name }: Format1Run): string => name.replace(/-(?:native|json)$/, '');

/** Each scenario in one of its modes, the first or the second in turn; `npm run crash` takes both. */
export function inSomeModes(runs: readonly Format1Run[], from: number): readonly Format1Run[] {
  if (process.env.EVERY_KILL) return runs;
  return [...new Set(FORMAT_1.map(scenarioOf))].flatMap((scenario, at) => {
    const modes = runs.filter((run) => scenarioOf(run) === scenario);
    const chosen = modes[(at + from) % modes.length];
    return chosen === undefined ? [] : [chosen];
  });
}
