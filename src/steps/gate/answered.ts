/** Recognises an answer instead of work: the model said something, and the run changed no file. Pure. */

import { isChange } from '../../schema/capability.ts';
import { type Plan, subtasksOf } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { hasOpenRefusal, refusedAnyhow } from './not-done.ts';

/**
 * True when an answer is the only thing to claim. A failed proof, refused work or a change that waited for a
 * plan which never came means that work was meant, unless only a text is wanted.
 */
export const isOnlyAnswer = (state: RunState): boolean =>
  state.proof?.passed !== false &&
  hasAnswered(state) &&
  !hasChanged(state) &&
  (isToAnswer(state) ||
    !(lacksPlan(state) || hasOpenRefusal(state) || refusedAnyhow(state) !== ''));

/** True when a change waited for a plan, and the goal itself became the plan instead. */
const lacksPlan = ({ free, plan }: RunState): boolean =>
  free.meansWork === true && plan?.fallback !== false;

/** True when a tool or a command changed, created or removed a file. Caches and logs do not count. */
export function hasChanged({ files, commandChanges }: RunState): boolean {
  const { uncovered, more } = commandChanges;
  const byTools = Object.values(files).some(
    ({ written, hash, baseline, isOwn }) => written && (isOwn === true || hash !== baseline),
  );
  const byCommands = Object.values(commandChanges.files).some(({ isUnseen }) => !isUnseen);
  return byTools || byCommands || more > 0 || Object.keys(uncovered).length > 0;
}

export const hasLooked = ({ files, counters }: RunState): boolean =>
  counters.actions > 0 || counters.commands > 0 || Object.keys(files).length > 0;

/** True when the plan, or the person who began the run, wants a text. */
export const isToAnswer = ({ plan, wants }: RunState): boolean =>
  plan?.answer_only === true || wants === 'answer';

/** True also when the plan neither creates files nor has a proof, so a text may be its whole result. */
export const mayAnswer = (state: RunState): boolean =>
  isToAnswer(state) ||
  (state.plan !== null &&
    state.plan.proof === undefined &&
    !makesFiles(state.plan) &&
    hasLooked(state) &&
    !hasChanged(state));

const makesFiles = (plan: Plan): boolean =>
  subtasksOf(plan).some(
    ({ files = [], step }) => files.length > 0 || (step !== undefined && isChange(step)),
  );

/** The reason given for a finished subtask is not an answer. */
const hasAnswered = ({ answer, report }: RunState): boolean => answer !== null || report !== null;
