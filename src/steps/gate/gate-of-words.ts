/**
 * Decides when a subtask that is described only in words may be called complete. Its evidence must be its own:
 * the files it names, a command that its `done_when` names, or else what was done while it was active. Without
 * evidence a claim is accepted if it gives a reason, and then shows nothing. Pure.
 */

import { mayLookAsFound } from '../../context-manager/fold/files/failed-before.ts';
import { isTestPath } from '../../languages/languages.ts';
import { runsTests } from '../../languages/testing/test-runs.ts';
import { GATE } from '../../prompts/remarks.ts';
import { isChange, isCommand } from '../../schema/capability.ts';
import { traitsOf } from '../../schema/driver.ts';
import type { Subtask } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import type { CommandFact } from '../../schema/state-parts/run-facts.ts';
import { pathMatcher } from '../../tools/search/glob.ts';
import {
  activeSubtask,
  hasEndedWell,
  howEnded,
  isLastSubtask,
  lastCommand,
  problemOf,
} from '../select.ts';
import { hasLooked, isToAnswer, mayAnswer } from './answered.ts';
import type { ClaimDetails, Gate } from './gate-contract.ts';
import { inconclusiveBecause } from './inconclusive.ts';
import { openSubtasksText, refusedUntil } from './not-done.ts';

const EVIDENT: Gate = { allows: true, evidence: true };
const CLAIMED: Gate = { allows: true, evidence: false };
const closed = (reason: string): Gate => ({ allows: false, reason });

export function gateOfWords(state: RunState, subtask: Subtask, said: ClaimDetails): Gate {
  const problem = problemIn(state, subtask);
  if (problem !== null) return closed(problem);
  const failed = failedCommand(state, subtask);
  // After a refusal, a reason is accepted for a command that was meant to fail.
  if (failed !== null)
    return failed.mayBeIntended && said.hasReason === true && wasRefused(state)
      ? CLAIMED
      : closed(failed.reason);
  const isAnswered = said.hasAnswer === true && mayAnswer(state) && hasLooked(state);
  if (isAnswered) return EVIDENT;
  if (isEvident(state, subtask))
    return openSubtasksText(state, subtask.id).length > 0 ? CLAIMED : EVIDENT;
  const files = filesOf(subtask);
  const known = Object.keys(state.files);
  const unseen = files.filter((name) => !known.some(pathMatcher(name)));
  // A reason counts only once the model has been told what is missing.
  const isUntouched = files.length > 0 && unseen.length === files.length && !wasRefused(state);
  if (isUntouched) return closed(GATE.notSeen(...unseen));
  if (said.hasReason === true) return CLAIMED;
  if (files.length > 0)
    return closed(unseen.length > 0 ? GATE.notSeen(...unseen) : GATE.notChanged(files.join(', ')));
  return isActive(state, subtask) && (state.active?.succeeded ?? 0) > 0
    ? CLAIMED
    : closed(GATE.notDone(subtask.id));
}

const wasRefused = ({ active }: RunState): boolean =>
  active !== null && active.gateRefusals + active.checkFailures > 0;

/** The model named these files, as paths in the workspace. */
const filesOf = ({ files = [] }: Subtask): readonly string[] => files;

const isActive = ({ active }: RunState, { id }: Subtask): boolean => active?.id === id;

function problemIn(state: RunState, subtask: Subtask): string | null {
  for (const path of filesOf(subtask)) {
    const problem = problemOf(state, path);
    if (problem !== null) return GATE.problem(path, problem);
  }
  return null;
}

/**
 * The latest informative command, or the one that the subtask names, if it failed. A program may be meant to
 * fail (it was given bad input). Tests never are, and neither are the proof and commands in `done_when`.
 */
function failedCommand(
  state: RunState,
  subtask: Subtask,
): { readonly reason: string; readonly mayBeIntended: boolean } | null {
  const named = namedCommands(state, subtask);
  const bad = badCommand(state, subtask, named);
  if (bad === undefined) return null;
  const mustPass = runsTests(bad.cmd) || bad.cmd === state.plan?.proof?.cmd || named.includes(bad);
  const say = mustPass ? GATE.endedBadly : GATE.endedOtherwise;
  const refusal = mustPass ? refusedUntil(state, bad.offset) : '';
  const how = `${howEnded(bad)}${refusal === '' ? '' : `, and ${refusal}`}`;
  return { reason: say(bad.cmd, how), mayBeIntended: !mustPass };
}

function badCommand(
  state: RunState,
  subtask: Subtask,
  named: readonly CommandFact[],
): CommandFact | undefined {
  const last = isActive(state, subtask) ? lastInformativeCommand(state) : undefined;
  return [...(last ? [last] : []), ...named.slice(-1)].find(
    (command) =>
      !hasEndedWell(command) &&
      command.asBefore === undefined &&
      !isRedFirst(state, subtask, command) &&
      inconclusiveBecause(state, command) === null &&
      !isToAnswer(state),
  );
}

/** Tests that a subtask writes may fail until a later one writes the code for them. */
const isRedFirst = (state: RunState, subtask: Subtask, { cmd }: CommandFact): boolean => {
  const files = filesOf(subtask);
  return runsTests(cmd) && !isLastSubtask(state) && files.length > 0 && files.every(isTestPath);
};

/**
 * The checker or test run that would close the gate for the active subtask and whose result for the original
 * files is unknown; `null`: none.
 */
export function failureUnseenBefore(state: RunState): string | null {
  const subtask = activeSubtask(state);
  const isLed = !traitsOf(state.settings).callsTools;
  if (subtask == null || isLed || subtask.step !== undefined) return null;
  const bad = badCommand(state, subtask, namedCommands(state, subtask));
  if (bad?.failingNow === undefined || bad.isAsTyped === false) return null;
  return mayLookAsFound(state, bad.cmd) ? bad.cmd : null;
}

/**
 * Looks only at the active subtask. Refused commands never ran. A search without results, or a look at a
 * missing file, is no evidence against the work.
 */
function lastInformativeCommand({ commands, active }: RunState): CommandFact | undefined {
  const last = commands.findLast((command) => wasRun(command) && command.onlyLooked === undefined);
  const ran = active?.actions.findLast(
    (action) =>
      isCommand(action) && wasRun({ status: action.status }) && action.target === last?.cmd,
  );
  return last?.subtask === active?.id && ran ? last : undefined;
}

const wasRun = ({ status }: Pick<CommandFact, 'status'>): boolean =>
  status !== 'denied' && status !== 'not_run' && status !== 'blocked';

const namedCommands = ({ commands }: RunState, { done_when = '' }: Subtask) =>
  commands.filter((command) => done_when.includes(command.cmd) && wasRun(command));

function isEvident(state: RunState, subtask: Subtask): boolean {
  const files = filesOf(subtask);
  const isOurs = isChanged(state);
  if (files.some(isOurs)) return true;
  const isRead = (name: string): boolean =>
    Object.keys(state.files).some((path) => state.files[path]?.hash && pathMatcher(name)(path));
  if (files.length > 0 && isToAnswer(state)) return files.some(isRead);
  if (namedCommands(state, subtask).some(hasEndedWell)) return true;
  const named = Object.keys(state.files).filter((path) => subtask.done_when?.includes(path));
  if (named.some(isOurs)) return true;
  return files.length === 0 && isActive(state, subtask) && hasWorked(state);
}

/** True for names that a tool or command changed or removed; a folder or pattern matches if any file in it does. */
function isChanged({ files, commandChanges }: RunState): (path: string) => boolean {
  const written = Object.keys(files).filter((path) => files[path]?.written === true);
  const changed = [...written, ...Object.keys(commandChanges.files)];
  return (name) => changed.some(pathMatcher(name));
}

function hasWorked(state: RunState): boolean {
  const { active } = state;
  if (!active) return false;
  const last: CommandFact | undefined = lastCommand(state);
  // Commands that the engine runs as checks are not the subtask's work.
  const isOwn = active.actions.some((action) => isCommand(action) && action.target === last?.cmd);
  const isRun = last !== undefined && hasEndedWell(last) && isOwn;
  const isWritten = active.actions.some((action) => isChange(action) && action.status === 'ok');
  return isRun || isWritten || (isToAnswer(state) && active.succeeded > 0);
}
