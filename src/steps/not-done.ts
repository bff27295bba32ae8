/** What is not done: subtasks that nothing shows done, and what was refused. Pure. */
import { typedRule } from '../policy/words-of.ts';
import { listed } from '../probe/evidence.ts';
import { livingSubtasks, stepText } from '../prompts/subtask.ts';
import { traitsOf } from '../schema/driver.ts';
import type { OpenWish } from '../schema/permissions.ts';
import type { Subtask } from '../schema/plan.ts';
import type { RefusedCall } from '../schema/refused.ts';
import type { RunState } from '../schema/state.ts';
import { isOpen } from './select.ts';
import type { Step } from './step.ts';

export interface NotDone {
  readonly subtask: Subtask;
  readonly refused: readonly RefusedCall[];
}

type Known = Pick<RunState, 'plan' | 'refused' | 'givenUp' | 'permissions'>;

/**
 * Subtasks of the present plan that are open, or that ended without evidence after a call of theirs was
 * refused. Those that failed belong to a plan that was replaced.
 */
export const notDone = ({ plan, refused = [] }: Pick<Known, 'plan' | 'refused'>): NotDone[] =>
  (plan ? livingSubtasks(plan) : []).flatMap((subtask) => {
    const own = refused.filter((one) => one.subtask === subtask.id);
    const isLeft = isOpen(subtask) || (subtask.status === 'unverified' && own.length > 0);
    return isLeft ? [{ subtask, refused: own }] : [];
  });

/**
 * Calls of subtasks that are done, which would have changed something and were never made: the rest of the
 * subtask does not show what they were to do. A person who said no knows of it.
 */
export function refusedAnyhow({ plan, refused = [] }: Pick<Known, 'plan' | 'refused'>): string {
  const done = new Set(
    (plan ? livingSubtasks(plan) : []).flatMap(({ id, status }) =>
      status === 'completed' ? id : [],
    ),
  );
  const calls = refused.filter(
    ({ subtask, isLook, isNo }) => done.has(subtask) && isLook !== true && isNo !== true,
  );
  return calls.length === 0 ? '' : refusedText(calls);
}

/**
 * Calls that were refused under a plan that was replaced: they may still be needed as long as something
 * is not done. Where the model says what it needs in the words of rules, it is these.
 */
function refusedBefore({ plan, refused = [], givenUp, permissions }: Known): RefusedCall[] {
  if (plan === null || notDone({ plan, refused }).length === 0) return [];
  const living = new Set(livingSubtasks(plan).map(({ id }) => id));
  const before = refused.filter(({ subtask, isGiven }) => !living.has(subtask) && !isGiven);
  const said = givenUp ? `${givenUp.reason}\n${givenUp.needs ?? ''}` : '';
  const quoted = (permissions?.open ?? []).filter(
    ({ rules }) => rules.length > 0 && rules.every((rule) => said.includes(typedRule(rule))),
  );
  if (quoted.length === 0) return before;
  return before.filter(({ wish }) => quoted.some(({ id }) => id === wish));
}

/** How a detail begins that names what is not done. */
export const NOT_DONE = 'not done: ';

const MOST_SUBTASKS = 5;

/** `2.2 install left-pad (npm install left-pad was refused)`. */
export function notDoneText(state: Known): string {
  const left = notDone(state);
  const shown = left.length > MOST_SUBTASKS ? left.slice(0, MOST_SUBTASKS - 1) : left;
  const more = left.length - shown.length;
  const before = refusedBefore(state);
  return [
    ...shown.map(({ subtask, refused }) => {
      const why = refused.length > 0 ? ` (${refusedText(refused)})` : '';
      return `${subtask.id} ${stepText(subtask)}${why}`;
    }),
    ...(more > 0 ? [`${more} more subtasks`] : []),
    ...(before.length > 0 ? [refusedText(before)] : []),
  ].join('; ');
}

function refusedText(refused: readonly RefusedCall[]): string {
  const verb = (count: number): string => (count > 1 ? 'were' : 'was');
  const named = (calls: readonly RefusedCall[]): string =>
    listed(calls.map(({ tool, target }) => target || tool));
  const still = refused.filter(({ isGiven }) => !isGiven);
  const given = refused.filter(({ isGiven }) => isGiven);
  return [
    ...(still.length > 0 ? [`${named(still)} ${verb(still.length)} refused`] : []),
    ...(given.length > 0
      ? [`${named(given)} ${verb(given.length)} allowed since, and not made again`]
      : []),
  ].join('; ');
}

/** True where something is not done and a call was refused for which nobody has made good. */
export const isHeldBack = (state: Known): boolean =>
  notDone(state).some(({ refused }) => refused.length > 0) || refusedBefore(state).length > 0;

/** The noted permissions without which something stays undone. */
export function neededWishes(state: RunState): readonly OpenWish[] {
  const { permissions, givenUp, plan } = state;
  const noted = (permissions?.open ?? []).filter(({ isNoted }) => isNoted);
  if (plan === null) return noted;
  // A model that was told of the refusal and ended the subtask all the same needs nothing more.
  const isEnded = ({ subtask }: NotDone): boolean =>
    !isOpen(subtask) && state.doubtTold !== undefined;
  const left = notDone(state).filter((one) => !isEnded(one));
  const refused = [...left.flatMap((one) => one.refused), ...refusedBefore(state)];
  const needed = new Set(refused.map(({ wish }) => wish));
  const wishes = noted.filter(({ id, target }) => needed.has(id) || target === plan.proof?.cmd);
  return givenUp !== null && wishes.length === 0 ? noted : wishes;
}

/** A permission that was missing is given: the plan stays, where there is one that the model leads. */
export function permittedStep(state: RunState): Step | null {
  const { plan, active, refused = [], settings } = state;
  const given = refused.filter(({ isGiven, isTold }) => isGiven && !isTold);
  const subtasks = plan ? livingSubtasks(plan) : [];
  const isThere = (id: string): boolean => subtasks.some((one) => one.id === id);
  const subtask =
    active?.id ??
    given.map((one) => one.subtask).find(isThere) ??
    (subtasks.find(isOpen) ?? subtasks.at(-1))?.id;
  if (!traitsOf(settings).callsTools || state.replan || subtask === undefined || !given.length)
    return null;
  const targets = given.map(({ target, rule }) => (rule === undefined ? target : typedRule(rule)));
  return { do: 'tell_permitted', subtask, targets: [...new Set(targets)] };
}

/** A doubt that work can mend is told once, to a model that leads. */
export function doubtStep(state: RunState): Step | null {
  const { plan, weighed, doubtTold, settings, active } = state;
  if (weighed === null || weighed.isKnown || weighed.mend === undefined || plan === null)
    return null;
  if (doubtTold || active || !traitsOf(settings).hearsDoubts) return null;
  const subtask = notDone(state)[0]?.subtask ?? livingSubtasks(plan).at(-1);
  return subtask === undefined
    ? null
    : { do: 'tell_doubt', subtask: subtask.id, words: weighed.words };
}
