/** What was refused and is not done. Pure. */
import { stepText } from '../prompts/subtask.ts';
import { traitsOf } from '../schema/driver.ts';
import type { OpenWish } from '../schema/permissions.ts';
import { type Subtask, subtasksOf } from '../schema/plan.ts';
import type { RefusedCall } from '../schema/refused.ts';
import type { RunState } from '../schema/state.ts';
import { isOpen } from './select.ts';
import type { Step } from './step.ts';

export interface NotDone {
  readonly subtask: Subtask;
  readonly refused: readonly RefusedCall[];
}

/** Subtasks of which a call was refused and that nothing shows done: those with evidence are completed. */
export function notDone({ plan, refused = [] }: Pick<RunState, 'plan' | 'refused'>): NotDone[] {
  return (plan ? subtasksOf(plan) : []).flatMap((subtask) => {
    const own = refused.filter((one) => one.subtask === subtask.id && !one.isGiven);
    return own.length > 0 && subtask.status !== 'completed' ? [{ subtask, refused: own }] : [];
  });
}

/** How a detail begins that names what is not done. */
export const NOT_DONE = 'not done: ';

/** `2.2 install left-pad (npm install left-pad was refused)`. */
export const notDoneText = (left: readonly NotDone[]): string =>
  left
    .map(({ subtask, refused }) => {
      const targets = refused.map(({ tool, target }) => target || tool).join(', ');
      return `${subtask.id} ${stepText(subtask)} (${targets} was refused)`;
    })
    .join('; ');

/** The noted permissions without which something stays undone. */
export function neededWishes(state: RunState): readonly OpenWish[] {
  const { permissions, givenUp, plan } = state;
  const noted = (permissions?.open ?? []).filter(({ isNoted }) => isNoted);
  if (givenUp !== null || plan === null) return noted;
  const needed = new Set(notDone(state).flatMap(({ refused }) => refused.map(({ wish }) => wish)));
  return noted.filter(({ id, target }) => needed.has(id) || target === plan.proof?.cmd);
}

/** A permission that was missing is given: the plan stays, where there is one that the model leads. */
export function permittedStep(state: RunState): Step | null {
  const { plan, active, refused = [], settings } = state;
  const given = refused.filter(({ isGiven }) => isGiven);
  const subtasks = plan ? subtasksOf(plan) : [];
  const isThere = (id: string): boolean => subtasks.some((one) => one.id === id);
  const subtask =
    active?.id ??
    given.map((one) => one.subtask).find(isThere) ??
    (subtasks.find(isOpen) ?? subtasks.at(-1))?.id;
  if (!traitsOf(settings).callsTools || state.replan || subtask === undefined || !given.length)
    return null;
  return { do: 'tell_permitted', subtask, targets: given.map(({ target }) => target) };
}

/** A doubt that work can mend is told once, to a model that leads. */
export function doubtStep(state: RunState): Step | null {
  const { plan, weighed, isDoubtTold, settings, active } = state;
  if (weighed === null || weighed.isKnown || weighed.mend === undefined || plan === null)
    return null;
  if (isDoubtTold || active || !traitsOf(settings).hearsDoubts) return null;
  const subtask = notDone(state)[0]?.subtask ?? subtasksOf(plan).at(-1);
  return subtask === undefined
    ? null
    : { do: 'tell_doubt', subtask: subtask.id, words: weighed.words };
}
