/** An answer instead of work: the model said something, and this run has changed no file. Pure. */

import { isChange } from '../../schema/capability.ts';
import { type Plan, subtasksOf } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';

/** All that could be claimed is what was said. A proof that is red speaks of work. */
export const isOnlyAnswer = (state: RunState): boolean =>
  state.proof?.passed !== false && hasAnswered(state) && !hasChanged(state);

/** Whether a tool or a command changed, made or removed a file. Caches and logs are none. */
export function hasChanged({ files, commandChanges }: RunState): boolean {
  const { uncovered, more } = commandChanges;
  const byTools = Object.values(files).some(
    ({ written, hash, given, isOwn }) => written && (isOwn === true || hash !== given),
  );
  const byCommands = Object.values(commandChanges.files).some(({ isUnseen }) => !isUnseen);
  return byTools || byCommands || more > 0 || Object.keys(uncovered).length > 0;
}

export const hasLooked = ({ files, counters }: RunState): boolean =>
  counters.actions > 0 || counters.commands > 0 || Object.keys(files).length > 0;

/** What is wanted is a text, by the plan or by who began the run. */
export const isToAnswer = ({ plan, wants }: RunState): boolean =>
  plan?.answer_only === true || wants === 'answer';

/** The same, or a text can be all that a plan brings which names nothing to make and no proof. */
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

/** Why a subtask is called done is no answer. */
const hasAnswered = ({ answer, report }: RunState): boolean => answer !== null || report !== null;
