/** A model whose replies are written down, with real commands in a real folder. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type RunResult, runGoal } from '../../src/agent.ts';
import { defined } from '../../src/lib/defined.ts';
import { realMachine } from './real-run.ts';
import {
  LARGE,
  SCRIPTED_MODEL,
  type ScriptedCall,
  type ScriptedReply,
  scriptedProvider,
} from './scripted-provider.ts';

export const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });
export const read = (path: string) => call('read_file', { path });
export const write = (path: string, content: string) => call('write_file', { path, content });
export const edit = (path: string, old_text: string, new_text: string) =>
  call('edit_file', { path, old_text, new_text });
export const cmd = (line: string) => call('run_cmd', { cmd: line });
export const plan = (proof: string | null, ...todo: readonly string[]) =>
  call('set_plan', {
    tasks: [
      {
        description: 'the work',
        subtasks: (todo.length > 0 ? todo : ['do the work']).map((what) => ({ do: what })),
      },
    ],
    ...(proof === null ? {} : { proof: { cmd: proof } }),
  });
export const DONE = call('mark_subtask_complete', { success: true, reason: 'it is done' });

export interface Played {
  readonly goal: string;
  readonly files?: { readonly [path: string]: string };
  /** What a person does in the folder before the run. */
  readonly prepare?: (folder: string) => void;
  /** A reply each; the last is said for ever. */
  readonly replies: readonly (readonly ScriptedCall[] | string)[];
  /** Told all that a request says, for each. */
  readonly hears?: (text: string) => void;
}

/** A model that leads and says these replies. */
export function replying({ replies, hears }: Pick<Played, 'replies' | 'hears'>) {
  let said = 0;
  return scriptedProvider(({ messages }): ScriptedReply => {
    hears?.(messages.map(({ content }) => content).join('\n'));
    const reply = replies[Math.min(said, replies.length - 1)] ?? [DONE];
    said += 1;
    return typeof reply === 'string' ? { text: reply } : { calls: reply };
  }, LARGE);
}

export async function play(
  { goal, files = {}, prepare, replies, hears }: Played,
  more: Pick<
    Parameters<typeof runGoal>[0],
    'ask' | 'emit' | 'rules' | 'withTests' | 'proof' | 'yes'
  > = {},
  look: (folder: string) => void = () => {},
): Promise<RunResult> {
  const home = realpathSync.native(mkdtempSync(join(tmpdir(), 'provocations-')));
  const folder = join(home, 'work');
  mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  prepare?.(folder);
  const provider = replying({ replies, ...defined({ hears }) });
  try {
    const result = await runGoal({
      ...{ goal, workspace: folder, provider, model: SCRIPTED_MODEL, machine: realMachine() },
      maxRounds: 12,
      ...more,
    });
    look(folder);
    return result;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

export const HEAD = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";
/** The same without a test runner, which takes as long to start as Node: for what any program can show that fails. */
export const BARE_HEAD =
  "import assert from 'node:assert/strict';\nconst test = (_title, body) => body();\n";
export const CALC = 'export const add = (a, b) => a - b;\n';
export const TEST = `${HEAD}import { add } from './calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), 5));\n`;
export const OTHER = 'export const twice = (a) => a;\n';
export const OTHER_TEST = `${HEAD}import { twice } from './twice.mjs';\ntest('doubles', () => assert.equal(twice(2), 4));\n`;
export const MEND = edit('calc.mjs', 'a - b', 'a + b');
export const TWO = {
  'calc.mjs': CALC,
  'calc.test.mjs': TEST,
  'twice.mjs': OTHER,
  'twice.test.mjs': OTHER_TEST,
  'all.test.mjs': "import './calc.test.mjs';\nimport './twice.test.mjs';\n",
};
/** Runs both in one process. */
export const BOTH = 'node all.test.mjs';

export const given = { 'calc.mjs': CALC, 'calc.test.mjs': TEST };
export const MAKE = 'Make the tests pass';
export const ALONE = 'node calc.test.mjs';
export const ADD = 'Write calc.mjs with add(a, b), and tests for it';
export const SUM = write('calc.mjs', 'export const add = (a, b) => a + b;\n');
export const own = (body: string) =>
  write('calc.test.mjs', `${BARE_HEAD}import { add } from './calc.mjs';\n${body}\n`);
