/** A failed command is mended in one of the existing files, then run again. */

import { posix } from 'node:path';
import { wasTried } from '../../context-manager/fold/guided.ts';
import {
  belongsToTests,
  isDataPath,
  isTestPath,
  LANGUAGES,
  marksPackage,
  runsAsCode,
} from '../../languages/languages.ts';
import { missingFile } from '../../languages/test-output.ts';
import type { ToolResult } from '../../schema/actions.ts';
import { isCommand, isWrite } from '../../schema/doing.ts';
import type { OpenAction } from '../../schema/question.ts';
import type { CommandFact, KnownFile } from '../../schema/run-facts.ts';
import type { RunState } from '../../schema/state.ts';
import { whyMoot } from '../../steps/moot.ts';
import { replanOrFail } from '../../steps/replan.ts';
import { openRound } from '../../steps/rounds.ts';
import { activeSubtask, hasEndedWell, lastCommand } from '../../steps/select.ts';
import { type Limits, PATIENCE, type Step } from '../../steps/step.ts';
import { CHANGE_LINE, commandCall, WRITE } from './calls.ts';
import { choose, inputAction } from './choose.ts';
import { giveUp } from './put-back.ts';
import { lastAction, writtenFiles } from './select.ts';
import { TRIED, UNCHANGED } from './words.ts';

/** What follows a command, check or proof of the active subtask that failed; `null`: none did. */
export function failureStep(state: RunState, limits: Limits): Step | null {
  const command = lastCommand(state);
  if (!command || hasEndedWell(command) || whyMoot(state, command) !== null) return null;
  if (state.active?.isPutBack) return replanOrFail(state, failureOf(command));
  const isClaimClosed = state.active?.claim?.isOpen === false;
  if (wasJustMended(state) && !isClaimClosed) return rerun(state, command, limits);
  if (asksForInput(state, command))
    return choose(state, limits, 'decision', 'input_question', [inputAction(state, command.cmd)]);
  // Where its program is not here it says nothing about any file.
  const files = command.wasStarted === false ? [] : repairable(state, command);
  const action = files.length > 0 ? repairOf(files) : lineRepairOf(state, command);
  if (action === null || lacksTests(state, command)) return giveUp(state, failureOf(command));
  const question = choose(state, limits, 'repair', 'repair_question', [action]);
  if (question.do !== 'ask') return question;
  // Beside the conversation: it holds the files and the error, and no earlier answer to copy.
  return state.mainConversation
    ? { ...question, tries: Math.max(question.tries, vainLines(state, action)) }
    : { do: 'open_branch', why: `repair after ${command.cmd}` };
}

const failureOf = ({ cmd, head }: CommandFact): string => `${cmd}: ${head}`;

function wasJustMended(state: RunState): boolean {
  const last = lastAction(state);
  return (
    last !== undefined && isWrite(last) && !state.active?.unchangedAfterRepair.includes(last.target)
  );
}

const repairOf = (files: readonly string[]): OpenAction => ({ ...WRITE, choices: { path: files } });

/**
 * Files that were not mended too often already and that the model did not give back as they were:
 * those of this run, and given code behind them. Tests that were there judge the work: they are
 * never mended to fit it. Where facts speak against some files of its own, the fault is looked for
 * there, and in data only where there is no code.
 */
function repairable(state: RunState, command: CommandFact): readonly string[] {
  const { unchangedAfterRepair = [] } = state.active ?? {};
  const isOpen = (path: string): boolean =>
    hasPatience(state, path) && !unchangedAfterRepair.includes(path);
  // No file that is there can be mended so that another is there.
  const missing = [missingFile(command.head)].filter((path) => path !== null);
  return [...missing.filter(isOpen), ...mendable(state, command, isOpen)].slice(0, MOST_CHOICES);
}

const MOST_CHOICES = 6;

const hasPatience = ({ active }: RunState, path: string): boolean =>
  (active?.repairs[path] ?? 0) < PATIENCE.repairsOfAFile;

/** Answers that left a file as it was, whole and by line, until it is given up. */
const MOST_SAME = 4;

/** Where no whole file is left to be asked for: one line of code that came back as it was. */
function lineRepairOf(state: RunState, command: CommandFact): OpenAction | null {
  const { sameAgain = {}, unchangedAfterRepair = [] } = state.active ?? {};
  if (command.wasStarted === false) return null;
  const path = mendable(
    state,
    command,
    (path) =>
      hasPatience(state, path) &&
      unchangedAfterRepair.includes(path) &&
      (sameAgain[path] ?? 0) < MOST_SAME,
  ).find((file) => runsAsCode(file));
  return path === undefined ? null : { ...CHANGE_LINE, fixed: { path } };
}

/** The same question again is put warmer: a file is asked for by line after two whole answers. */
const vainLines = ({ active }: RunState, { fixed }: OpenAction): number =>
  Math.max(0, (active?.sameAgain?.[String(fixed?.path)] ?? 0) - 2);

function mendable(
  state: RunState,
  command: CommandFact,
  isOpen: (path: string) => boolean,
): readonly string[] {
  const runsTests = LANGUAGES.some(({ runs }) => runs?.runsTests(command.cmd));
  // No test can be why a command fails that runs none: the goal's own example, say.
  const files = writtenFiles(state).filter(
    ([path, { given }]) =>
      isOpen(path) && !(belongsToTests(path) && (given !== null || !runsTests)),
  );
  const faulty = files.filter(([, file]) => file.problems.length > 0);
  const code = files.filter(
    ([path, file]) => command.cmd.includes(path) || !isData(path, file, files),
  );
  const [likely = []] = [faulty, code, files].filter((some) => some.length > 0);
  const own = byInvolvement(
    likely.map(([path]) => path),
    command,
  );
  return [...own, ...givenCode(state, command, own).filter(isOpen)].slice(0, MOST_CHOICES);
}

/** The most telling first, the others by name. */
function byInvolvement(
  paths: readonly string[],
  { involved = [] }: CommandFact,
): readonly string[] {
  const place = (path: string): number => {
    const at = involved.findIndex((one) => one.path === path);
    return at < 0 ? involved.length : at;
  };
  return [...paths].sort((one, other) => place(one) - place(other) || (one < other ? -1 : 1));
}

/**
 * Code that was there and has to do with the failure. It was right for somebody: it is mended only
 * where the goal names it, the failure's own words do, or nothing of the run's own is left.
 */
const givenCode = (
  { files, goal }: RunState,
  { involved = [] }: CommandFact,
  own: readonly string[],
): readonly string[] =>
  involved
    .filter(({ path, how }) => {
      const isMeant = own.length === 0 || how === 'said' || goal.includes(posix.basename(path));
      return !files[path]?.written && runsAsCode(path) && !belongsToTests(path) && isMeant;
    })
    .map(({ path }) => path);

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

/** Its input ended, and the model may still say what a user types. */
export const asksForInput = (state: RunState, command: CommandFact): boolean =>
  command.asksForInput !== null && inputsTried(state) < PATIENCE.inputQuestions;

/** The first run of a planned command gave nothing yet. */
function inputsTried(state: RunState): number {
  const ran = state.active?.actions.filter(isCommand).length ?? 0;
  const { step } = activeSubtask(state) ?? {};
  return step && isCommand(step) && !step.args?.stdin ? ran - 1 : ran;
}

const rerun = (state: RunState, { cmd, stdin }: CommandFact, limits: Limits): Step =>
  openRound(state, limits, 'repair', [commandCall(state, cmd, stdin)]);

/** A repair that repairs nothing: it brings what is there, or what was. */
export const faultsOfWrite = (
  state: RunState,
  { facts, hashes = {} }: Pick<ToolResult, 'facts' | 'hashes'>,
): readonly string[] => {
  if (state.round?.origin !== 'repair') return [];
  if (facts?.changed === false) return [UNCHANGED];
  return wasTried(state, hashes) ? [TRIED] : [];
};
