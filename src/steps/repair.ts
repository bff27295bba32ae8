/** In json mode a failed command is mended in one of the existing files, then run again. */
import type { OpenAction } from '../schema/question.ts';
import type { CommandFact, RunState } from '../schema/state.ts';
import { choose, inputAction, openRound } from './decision.ts';
import { hasEndedWell, lastCommand, lastStub, writtenFiles } from './look.ts';
import { replanOrFail } from './replan.ts';
import { type Limits, PATIENCE, type Step } from './step.ts';

/** What follows a command, check or proof of the active subtask that failed; `null`: none did. */
export function failureStep(state: RunState, limits: Limits): Step | null {
  const command = lastCommand(state);
  if (!command || hasEndedWell(command)) return null;
  const isClaimClosed = state.active?.claim?.isOpen === false;
  if (lastStub(state)?.tool === 'write_file' && !isClaimClosed)
    return rerun(state, command, limits);
  if (command.asksForInput !== null && inputsTried(state) < PATIENCE.inputQuestions)
    return choose(state, limits, 'decision', 'input_question', [inputAction(command.cmd)]);
  const files = repairable(state);
  if (files.length === 0 || lacksTests(state, command))
    return replanOrFail(state, `${command.cmd}: ${command.head}`);
  const question = choose(state, limits, 'repair', 'repair_question', [repairOf(files)]);
  // Beside the conversation: it holds the files and the error, and no earlier answer to copy.
  return question.do === 'ask' && !state.beside
    ? { do: 'open_branch', why: `repair after ${command.cmd}` }
    : question;
}

const repairOf = (files: readonly string[]): OpenAction => ({
  tool: 'write_file',
  choices: { path: files },
  without: ['content', 'create_dirs'],
});

/**
 * Files this run wrote and that were not mended too often already. Where facts speak against some
 * of them, the fault is looked for there.
 */
function repairable(state: RunState): readonly string[] {
  const files = writtenFiles(state).filter(
    ([path]) => (state.active?.repairs[path] ?? 0) < PATIENCE.repairsOfAFile,
  );
  const faulty = files.filter(([, file]) => file.problems.length > 0);
  return (faulty.length > 0 ? faulty : files).map(([path]) => path).slice(0, 6);
}

/** Nothing that is there can be mended where a test runner found no test. */
const lacksTests = (state: RunState, command: CommandFact): boolean =>
  /no tests (?:were found|ran|found)/i.test(command.head) &&
  !writtenFiles(state).some(([path]) => /(^|\/)test_|_test\.|\.test\./.test(path));

const inputsTried = (state: RunState): number =>
  state.active?.stubs.filter((stub) => stub.tool === 'run_cmd').length ?? 0;

function rerun(state: RunState, command: CommandFact, limits: Limits): Step {
  const stdin = command.stdin === null ? {} : { stdin: command.stdin };
  const id = `planned_${state.counters.rounds + 1}`;
  return openRound(state, limits, 'repair', [
    { id, name: 'run_cmd', args: { cmd: command.cmd, ...stdin } },
  ]);
}
