/** A failed command is mended in one of the existing files, then run again. */
import { belongsToTests, isDataPath, isTestPath, marksPackage } from '../../languages/languages.ts';
import type { ActionFacts } from '../../schema/actions.ts';
import type { OpenAction } from '../../schema/question.ts';
import type { CommandFact, KnownFile } from '../../schema/run-facts.ts';
import type { RunState } from '../../schema/state.ts';
import { replanOrFail } from '../../steps/replan.ts';
import { openRound } from '../../steps/rounds.ts';
import { activeSubtask, hasEndedWell, lastCommand } from '../../steps/select.ts';
import { type Limits, PATIENCE, type Step } from '../../steps/step.ts';
import { commandCall, isCommand, isWrite, WRITE } from './calls.ts';
import { choose, inputAction } from './choose.ts';
import { lastAction, writtenFiles } from './select.ts';
import { UNCHANGED } from './words.ts';

/** What follows a command, check or proof of the active subtask that failed; `null`: none did. */
export function failureStep(state: RunState, limits: Limits): Step | null {
  const command = lastCommand(state);
  if (!command || hasEndedWell(command)) return null;
  const isClaimClosed = state.active?.claim?.isOpen === false;
  if (wasJustMended(state) && !isClaimClosed) return rerun(state, command, limits);
  if (command.asksForInput !== null && inputsTried(state) < PATIENCE.inputQuestions)
    return choose(state, limits, 'decision', 'input_question', [inputAction(state, command.cmd)]);
  // Where its program is not here it says nothing about any file.
  const files = command.wasStarted === false ? [] : repairable(state, command);
  if (files.length === 0 || lacksTests(state, command))
    return replanOrFail(state, `${command.cmd}: ${command.head}`);
  const question = choose(state, limits, 'repair', 'repair_question', [repairOf(files)]);
  // Beside the conversation: it holds the files and the error, and no earlier answer to copy.
  return question.do === 'ask' && !state.mainConversation
    ? { do: 'open_branch', why: `repair after ${command.cmd}` }
    : question;
}

function wasJustMended(state: RunState): boolean {
  const last = lastAction(state);
  return (
    last !== undefined && isWrite(last) && !state.active?.unchangedAfterRepair.includes(last.target)
  );
}

const repairOf = (files: readonly string[]): OpenAction => ({ ...WRITE, choices: { path: files } });

/**
 * Files this run wrote, that were not mended too often already and that the model did not give
 * back as they were. Tests that were there judge the work: they are never mended to fit it. Where facts speak against some of them, the fault is looked for there, and in
 * data only where there is no code.
 */
function repairable(state: RunState, { cmd }: CommandFact): readonly string[] {
  const { repairs = {}, unchangedAfterRepair = [] } = state.active ?? {};
  const files = writtenFiles(state).filter(
    ([path, { given }]) =>
      (repairs[path] ?? 0) < PATIENCE.repairsOfAFile &&
      !unchangedAfterRepair.includes(path) &&
      !(given !== null && belongsToTests(path)),
  );
  const faulty = files.filter(([, file]) => file.problems.length > 0);
  const code = files.filter(([path, file]) => cmd.includes(path) || !isData(path, file, files));
  const [likely] = [faulty, code, files].filter((some) => some.length > 0);
  return (likely ?? []).map(([path]) => path).slice(0, 6);
}

/** A package's marker holds no code where another file does. */
function isData(path: string, { defines }: KnownFile, files: readonly Written[]): boolean {
  const isMarker = marksPackage(path) && defines.length === 0;
  const hasCode = files.some(([, file]) => file.defines.length > 0);
  return (isMarker && hasCode) || isDataPath(path);
}

type Written = readonly [string, KnownFile];

/** Nothing that is there can be mended where a test runner found no test. */
const lacksTests = (state: RunState, command: CommandFact): boolean =>
  command.testsRan === 'none' && !writtenFiles(state).some(([path]) => isTestPath(path));

/** The first run of a planned command gave nothing yet. */
function inputsTried(state: RunState): number {
  const ran = state.active?.actions.filter(isCommand).length ?? 0;
  const { step } = activeSubtask(state) ?? {};
  return step && isCommand(step) && !step.args?.stdin ? ran - 1 : ran;
}

const rerun = (state: RunState, { cmd, stdin }: CommandFact, limits: Limits): Step =>
  openRound(state, limits, 'repair', [commandCall(state, cmd, stdin)]);

/** A repair that repairs nothing. */
export const faultsOfWrite = ({ round }: RunState, { changed }: ActionFacts): readonly string[] =>
  round?.origin === 'repair' && changed === false ? [UNCHANGED] : [];
