/** The model of the faulted runs: a pure function of the conversation, patient with refusals. */
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { planJson, wantedBy } from '../support/models.ts';
import type { Script, ScriptedCall } from '../support/scripted-provider.ts';

export const GOAL = 'keep notes, and write app/main.js: node app/main.js prints "hello world"';
export const PROGRAM = 'app/main.js';
export const NOTES = 'notes.txt';
export const OLD_NOTES = 'Buy milk.\n';
export const NEW_NOTES = 'Buy milk.\nThe program greets.\n';
export const PROOF = 'node app/main.js';

/** Long enough for a blob. */
const PADDING = Array.from({ length: 160 }, (_, line) => `// ${'a greeting '.repeat(4)}${line}\n`);
const FIRST = `${PADDING.join('')}console.log("helo");\n`;
const EDITED = FIRST.replace('"helo"', '"hello"');
export const FINAL = EDITED.replace('"hello"', '"hello world"');

const plan = planJson({
  subtasks: [
    { action: 'write_file', file: PROGRAM, purpose: 'greets' },
    { action: 'run_cmd', cmd: `${PROOF} twice`, purpose: 'shows the greeting' },
  ],
  verify: { cmd: PROOF, prints: 'hello world' },
});

/** Calls that belong into one answer, and the words of their results when they went well. */
interface Move {
  readonly calls: readonly ScriptedCall[];
  readonly done: readonly RegExp[];
}

const move = (...steps: readonly [ScriptedCall, RegExp][]): Move => ({
  calls: steps.map(([call]) => call),
  done: steps.map(([, done]) => done),
});

const command = (cmd: string): [ScriptedCall, RegExp] => [
  { name: 'run_cmd', args: { cmd } },
  /^exit code 0/,
];

const edit = (old_text: string, new_text: string): [ScriptedCall, RegExp] => [
  { name: 'edit_file', args: { path: PROGRAM, old_text, new_text } },
  /^Replaced|seems to be made already/,
];

const FIRST_SUBTASK: readonly Move[] = [
  move([{ name: 'write_file', args: { path: PROGRAM, content: FIRST } }, /^Wrote .*main\.js/]),
  move(edit('"helo"', '"hello"'), command(`${PROOF} once`)),
  move([{ name: 'read_file', args: { path: NOTES } }, /Buy milk/]),
  move([{ name: 'write_file', args: { path: NOTES, content: NEW_NOTES } }, /^Wrote .*notes/]),
];
const SECOND_SUBTASK: readonly Move[] = [move(command(`${PROOF} twice`))];
const REPAIR: readonly Move[] = [move(edit('"hello"', '"hello world"'))];

const COMPLETE: ScriptedCall = {
  name: 'mark_subtask_complete',
  args: { success: true, reason: 'it is done' },
};

/** Repeats what did not go well, and says that a subtask is done when all of it did. */
export const faultedModel: Script = (request) => {
  if (wantedBy(request) === 'plan') return plan;
  const start = request.messages.findLastIndex((one) => one.content.includes('ACTIVE SUBTASK'));
  const isSecond = request.messages[start]?.content.includes('ACTIVE SUBTASK 1.2') ?? false;
  const results = resultsSince(request, start);
  const refused = results.findIndex((text) => text.startsWith('Not done yet.'));
  const moves = !isSecond ? FIRST_SUBTASK : refused < 0 ? SECOND_SUBTASK : REPAIR;
  const since = refused < 0 ? results : results.slice(refused + 1);
  return { calls: nextCalls(moves, since) };
};

const resultsSince = (request: ModelRequest, start: number): readonly string[] =>
  request.messages
    .slice(start + 1)
    .filter((one) => one.role === 'tool')
    .map((one) => one.content);

/** What of a move went well stays done; the rest of it is called again. */
function nextCalls(moves: readonly Move[], results: readonly string[]): readonly ScriptedCall[] {
  const left = [...results];
  for (const { calls, done } of moves) {
    const open = calls.filter((_, index) => {
      const at = left.findIndex((text) => done[index]?.test(text));
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    if (open.length > 0) return open;
  }
  return [COMPLETE];
}
