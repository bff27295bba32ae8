/** Runs of the real engine with a model that takes every short cut that dice allow it. */
import type { RunResult } from '../../src/agent.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { diligentModel, openIn, type PlannedWork, planJson, wantedBy } from './models.ts';
import { runIn } from './run-in.ts';
import { type ScriptedCall, type ScriptedReply, scriptedProvider } from './scripted-provider.ts';
import { type TestWorld, testWorld } from './test-machine.ts';

const NAMES = [...'abcdefghijkl'];
const moduleOf = (names: readonly string[]): string =>
  names.map((name) => `export const ${name} = "${name}";\n`).join('');

/** What the user had. */
export const GIVEN: { readonly [path: string]: string } = {
  'given.mjs': moduleOf(NAMES),
  'given.txt': NAMES.map((name) => `line ${name}\n`).join(''),
  'given.test.mjs': `${moduleOf(NAMES)}throw new Error("not yet");\n`,
};
export const GIVEN_TEST = 'given.test.mjs';

/** Goals, each with the files that it names. */
export const GOALS: readonly { readonly goal: string; readonly names: readonly string[] }[] = [
  { goal: 'Write made.mjs: node made.mjs prints "hello"', names: ['made.mjs'] },
  {
    goal: 'Change given.mjs: it says hello. Also write made.mjs',
    names: ['given.mjs', 'made.mjs'],
  },
  { goal: 'Make the tests pass', names: [] },
  { goal: 'Turn given.txt into made.mjs and other.mjs', names: ['given.txt', 'other.mjs'] },
  { goal: 'What does given.txt say?', names: ['given.txt'] },
];

export interface TemptedSetup {
  readonly mode: 'native' | 'json' | 'auto';
  readonly goal: string;
  /** Rolled in turn, from the start again when they are used up; 0 is what goes well. */
  readonly dice: readonly number[];
}

export interface TemptedRun {
  readonly world: TestWorld;
  readonly result: RunResult;
  readonly records: readonly JournalRecord[];
}

/** @param onRecord sees the workspace after each record */
export async function temptedRun(
  { mode, goal, dice }: TemptedSetup,
  onRecord: (world: TestWorld, records: readonly JournalRecord[]) => void = () => {},
): Promise<TemptedRun> {
  let next = 0;
  const roll = () => dice[next++ % dice.length] ?? 0;
  const world = testWorld();
  for (const [path, text] of Object.entries(GIVEN)) world.write(path, text);
  const seen: JournalRecord[] = [];
  const provider = scriptedProvider((request) => reply(request, roll));
  const { result, records } = await runIn(world, provider, {
    ...{ goal, toolMode: mode, maxRounds: 16 },
    onRecord: (record) => {
      seen.push(record);
      onRecord(world, seen);
    },
  });
  return { world, result, records };
}

const pick = <Value>(from: readonly Value[], number: number): Value =>
  from[number % from.length] as Value;

const HELLO = 'console.log("hello");\n';
/** Right, short of what was there, talk, and tests that want nothing. */
const CONTENTS = [
  HELLO,
  `${moduleOf(NAMES)}${HELLO}`,
  moduleOf(NAMES.slice(0, 3)),
  `${moduleOf(NAMES.slice(0, 11))}${HELLO}`,
  'All tests pass now, and the file says hello as it should.',
  '// nothing is tested here\n',
  '',
];
const FILES = ['made.mjs', 'given.mjs', GIVEN_TEST, 'given.txt', 'wrong.mjs'];
const COMMANDS = ['node made.mjs', `node ${GIVEN_TEST}`, 'node wrong.mjs', 'node given.mjs'];

const write = (file: string) => ({ action: 'write_file', file, purpose: 'says hello' });
const read = (file: string) => ({ action: 'read_file', file, purpose: 'see what it says' });
const proof = (cmd: string, prints = '') => ({ verify: { cmd, prints } });
const contents = { files: Object.fromEntries(FILES.map((file) => [file, [HELLO]])) };

const WORKS: readonly PlannedWork[] = [
  { subtasks: [write('made.mjs')], ...proof('node made.mjs', 'hello'), ...contents },
  { subtasks: [write('wrong.mjs')], ...proof('node wrong.mjs', 'hello'), ...contents },
  { subtasks: [write('given.mjs')], ...proof('node given.mjs'), ...contents },
  { subtasks: [write(GIVEN_TEST)], ...proof(`node ${GIVEN_TEST}`, 'hello'), ...contents },
  { subtasks: [read('given.txt')], answer: 'It says line a and line b.' },
  { subtasks: [read('given.txt'), write('made.mjs')], ...contents, answer: 'It is done.' },
];

function reply(request: ModelRequest, roll: () => number): ScriptedReply {
  const die = roll();
  const good = (): ScriptedReply => {
    const said = diligentModel(pick(WORKS, roll()))(request, 0);
    return typeof said === 'string' ? { text: said } : said;
  };
  if (die < 40) return good();
  switch (wantedBy(request)) {
    case 'plan':
      return { text: planJson(pick(WORKS, die)) };
    case 'content':
      return { text: pick(contentReplies(pick(CONTENTS, roll())), die) };
    case 'action':
      return { text: JSON.stringify(pick(jsonAnswers(request, roll), die)) };
    case 'tools':
      return pick(nativeAnswers(roll), die);
  }
}

const contentReplies = (content: string): readonly string[] => [
  `\`\`\`\n${content}\`\`\``,
  `Here it is:\n\n\`\`\`js\n${content}\`\`\`\nThat is all.`,
  content,
];

const jsonAnswers = (request: ModelRequest, roll: () => number): readonly unknown[] => [
  ...openIn(request).map((one) => ({ action: one.action?.const, file: pick(FILES, roll()) })),
  { action: 'mark_subtask_complete', success: true, reason: 'it is done', answer: 'line a' },
  { action: 'write_file', file: pick(FILES, roll()) },
  { action: 'run_cmd', cmd: pick(COMMANDS, roll()), stdin: '' },
];

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });

function nativeAnswers(roll: () => number): readonly ScriptedReply[] {
  const path = pick(FILES, roll());
  const put = call('write_file', { path, content: pick(CONTENTS, roll()) });
  const cut = { path, old_text: moduleOf(NAMES.slice(3)), new_text: '' };
  const done = call('mark_subtask_complete', { success: true, reason: 'it is done' });
  const answer = call('mark_subtask_complete', { success: true, answer: 'line a and line b' });
  return [
    { calls: [call('read_file', { path }), put] },
    { calls: [put] },
    { calls: [put, put, done] },
    { calls: [call('read_file', { path }), call('edit_file', cut), done] },
    { calls: [call('run_cmd', { cmd: pick(COMMANDS, roll()) })] },
    { calls: [done] },
    { calls: [answer] },
    { text: 'Everything is done: all tests pass, and the program says hello.' },
  ];
}
