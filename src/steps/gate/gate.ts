/** Decides from folded facts when a subtask may be called complete. Pure. */

import { GATE } from '../../prompts/remarks.ts';
import { isCommand } from '../../schema/capability.ts';
import { traitsOf } from '../../schema/driver.ts';
import type { Subtask } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import {
  activeSubtask,
  hasEndedWell,
  howEnded,
  isFinding,
  lastCommand,
  problemOf,
  subtaskCommand,
  subtaskFile,
} from '../select.ts';
import { PATIENCE } from '../step.ts';
import type { ClaimDetails, Gate } from './gate-contract.ts';
import { gateOfWords } from './gate-of-words.ts';
import { inconclusiveBecause } from './inconclusive.ts';

/**
 * Completion needs evidence: an action has succeeded since the subtask began, its file has no problems, and its
 * command succeeded. The gate never stays closed forever: after `PATIENCE.gateRefusals` refusals it opens
 * without evidence.
 */
export function completionGate(state: RunState, said: ClaimDetails = {}): Gate {
  const { active } = state;
  const subtask = said.subtask ?? activeSubtask(state);
  if (!subtask || !active) return { allows: false, reason: GATE.noSubtask };
  const gate = isOwnWords(state, subtask)
    ? gateOfWords(state, subtask, said)
    : gateOfStep(state, subtask);
  if (gate.allows || active.gateRefusals < PATIENCE.gateRefusals) return gate;
  return { allows: true, evidence: false };
}

/** A free driver describes subtasks in words; a guided plan names the step, unless it only produces a text. */
const isOwnWords = ({ settings, plan }: RunState, { step }: Subtask): boolean =>
  step === undefined &&
  plan !== null &&
  (traitsOf(settings).callsTools || plan.answer_only === true);

/** Without a step, nothing connects what was done to what the subtask wants. */
function gateOfStep(state: RunState, subtask: Subtask): Gate {
  const missing = missingEvidence(state, subtask);
  if (missing === null) return { allows: true, evidence: subtask.step !== undefined };
  return hasSpentItsTries(state, subtask)
    ? { allows: true, evidence: false }
    : { allows: false, reason: missing };
}

/** True when the file was rewritten as often as patience allows and its problem remains. */
const hasSpentItsTries = ({ files, guided, settings }: RunState, subtask: Subtask): boolean => {
  const { written = false } = files[subtaskFile(subtask) ?? ''] ?? {};
  return traitsOf(settings).looksGate && written && guided.contentRequest === null;
};

/** What is still missing for completion, in one sentence; `null`: nothing. */
export function missingEvidence(state: RunState, subtask: Subtask): string | null {
  const command = lastCommand(state);
  const isSeen = isFinding(state, command);
  if (!state.active || (state.active.succeeded === 0 && !isSeen)) return GATE.nothingDone;
  const file = subtaskFile(subtask);
  if (file !== undefined) {
    const known = state.files[file];
    if (known === undefined) return GATE.notSeen(file);
    if (known.hash === null) return GATE.noFile(file);
    const problem = problemOf(state, file);
    if (problem !== null) return GATE.problem(file, problem);
  }
  const own = subtaskCommand(subtask);
  if (own !== undefined && !command) return GATE.notRun(own);
  if (command?.status === 'denied' && isNewest(state, command.cmd))
    return GATE.refused(command.cmd);
  const isBad =
    command && !isSeen && !hasEndedWell(command) && inconclusiveBecause(state, command) === null;
  if (isBad && isNewest(state, command.cmd)) return GATE.endedBadly(command.cmd, howEnded(command));
  return null;
}

/** A failed command counts only while it is the newest command. */
const isNewest = (state: RunState, cmd: string): boolean =>
  state.active?.actions.findLast(isCommand)?.target === cmd;
