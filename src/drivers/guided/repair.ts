/** Pure: after a failed command one file is rewritten, and the command is run again. */
import {
  belongsToTests,
  isDataPath,
  isTestPath,
  marksPackage,
  runsAsCode,
} from '../../languages/languages.ts';
import { missingFile } from '../../languages/testing/test-output.ts';
import { runsTests } from '../../languages/testing/test-runs.ts';
import { isCommand, isWrite } from '../../schema/capability.ts';
import type { RunState } from '../../schema/state.ts';
import { INEFFECTIVE_REPAIR } from '../../schema/state-parts/guided-state.ts';
import type { CommandFact, KnownFile } from '../../schema/state-parts/run-facts.ts';
import { inconclusiveBecause } from '../../steps/gate/inconclusive.ts';
import { replanOrFail } from '../../steps/replan.ts';
import { openRound, roundLimit } from '../../steps/rounds.ts';
import { activeSubtask, hasEndedWell, lastCommand } from '../../steps/select.ts';
import { type Limits, PATIENCE, type Step } from '../../steps/step.ts';
import { plannedCommandCall } from './calls.ts';
import { choose, inputAction } from './choose.ts';
import { lastAction, writtenFiles } from './select.ts';

/** The step after a failed command, check or proof of the active subtask; `null`: none failed. */
export function failureStep(state: RunState, limits: Limits): Step | null {
  const command = lastCommand(state);
  if (!command || hasEndedWell(command) || inconclusiveBecause(state, command) !== null)
    return null;
  const isClaimClosed = state.active?.claim?.isOpen === false;
  if (wasJustRepaired(state) && !isClaimClosed)
    return openRound(state, limits, 'repair', [
      plannedCommandCall(state, command.cmd, command.stdin),
    ]);
  if (mayAskForInput(state, command))
    return choose(state, limits, 'input_question', [inputAction(state, command.cmd)]);
  const file = fileToRepair(state, command);
  if (file === null) return replanOrFail(state, failureReason(state, command));
  return roundLimit(state, limits) ?? { do: 'open_round', origin: 'repair', calls: [], file };
}

/** The reason of a failure. The text of a check already says what was run, or which example does not hold. */
export function failureReason({ active }: RunState, { cmd, head }: CommandFact): string {
  const isChecked = active?.claim?.checks.some(({ passed, text }) => !passed && text === head);
  return isChecked ? head : `${cmd}: ${head}`;
}

function wasJustRepaired(state: RunState): boolean {
  const last = lastAction(state);
  return (
    last !== undefined && isWrite(last) && state.active?.repairs[last.target] !== INEFFECTIVE_REPAIR
  );
}

/**
 * Chosen from the files that were not repaired too often: a missing one, then files of this run, and earlier code that
 * concerns the failure; the most telling first. Earlier tests judge the work and are never changed to fit it, and no
 * test is the reason why a command fails that runs none.
 */
function fileToRepair(state: RunState, command: CommandFact): string | null {
  const { cmd, head, involved = [], testsRan, wasStarted } = command;
  // If its program is not installed, the failure says nothing about any file.
  if (wasStarted === false) return null;
  const own = writtenFiles(state).filter(
    ([path, { baseline }]) => !(belongsToTests(path) && (baseline !== null || !runsTests(cmd))),
  );
  // If a test runner found no test, no existing file can be repaired.
  if (testsRan === 'none' && !own.some(([path]) => isTestPath(path))) return null;
  const original = involved.filter(
    ({ path, how }) =>
      !state.files[path]?.written &&
      runsAsCode(path) &&
      !belongsToTests(path) &&
      (how === 'said' || own.length === 0),
  );
  const place = (path: string): number => {
    const at = involved.findIndex((one) => one.path === path);
    return at < 0 ? involved.length : at;
  };
  const ranked = [
    ...own.map(([path, file]) => ({ path, rank: rankOf(path, file) })),
    ...original.map(({ path }) => ({ path, rank: 2 })),
  ].sort((one, other) => one.rank - other.rank || place(one.path) - place(other.path));
  const paths = [missingFile(head), ...ranked.map(({ path }) => path)];
  const isLeft = (path: string): boolean =>
    (state.active?.repairs[path] ?? 0) < PATIENCE.repairsOfAFile;
  return paths.find((path) => path !== null && isLeft(path)) ?? null;
}

/** Files with known problems first, then code; a file that was given stands between code and tests or data. */
function rankOf(path: string, { problems, defines }: KnownFile): number {
  if (problems.length > 0) return 0;
  const isOther =
    isTestPath(path) || isDataPath(path) || (marksPackage(path) && defines.length === 0);
  return isOther ? 3 : 1;
}

/** True if the command's input ended, and the model may still say what a user types. */
export const mayAskForInput = (state: RunState, command: CommandFact): boolean =>
  command.asksForInput !== null && inputsTried(state) < PATIENCE.inputQuestions;

/** The first run of a planned command had no input yet. */
function inputsTried(state: RunState): number {
  const ran = state.active?.actions.filter(isCommand).length ?? 0;
  const { step } = activeSubtask(state) ?? {};
  return step && isCommand(step) && !step.args?.stdin ? ran - 1 : ran;
}
