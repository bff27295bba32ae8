/** Finds what is not done: subtasks without evidence, and refused calls. Pure. */

import { listed } from '../../evidence/evidence.ts';
import { typedRule } from '../../policy/words-of.ts';
import { livingSubtasks, stepText } from '../../prompts/subtask.ts';
import type { OpenPermissionRequest } from '../../schema/journal/permissions.ts';
import { type Subtask, subtasksOf } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { FORESEEN, type RefusedCall } from '../../schema/state-parts/refused.ts';
import { isLastSubtask, isPending } from '../select.ts';
import type { Step } from '../step.ts';

export interface NotDone {
  readonly subtask: Subtask;
  readonly refused: readonly RefusedCall[];
}

type PlanState = Pick<RunState, 'plan' | 'replan' | 'refused' | 'givenUp' | 'permissions'>;

/**
 * Subtasks of the current plan that are open, that ended without evidence after one of their calls was refused,
 * or whose failure ended the plan.
 */
export const notDone = ({ plan, replan, refused = [] }: Left): NotDone[] =>
  subtasksNow({ plan, replan }).flatMap((subtask) => {
    const { status } = subtask;
    const under = refused.filter((one) => one.subtask === subtask.id);
    const isBare = status === 'unverified' && under.length === 0;
    const own = isBare ? refusedUnderOthers({ plan, refused }) : under;
    const isUnshown = status === 'unverified' && own.length > 0;
    return isPending(subtask) || isUnshown || status === 'failed'
      ? [{ subtask, refused: own }]
      : [];
  });

/**
 * Calls that a person refused under a subtask that is done without them. They may belong to any subtask that
 * nothing shows done: a model that ends several at once makes its calls under the first.
 */
const refusedUnderOthers = ({
  plan,
  refused = [],
}: Pick<PlanState, 'plan' | 'refused'>): readonly RefusedCall[] => {
  const done = new Set(
    (plan ? subtasksOf(plan) : []).flatMap(({ id, status }) => (status === 'completed' ? id : [])),
  );
  return refused.filter(
    ({ subtask, isNo, isReadOnly, isGiven }) =>
      done.has(subtask) && isNo === true && isReadOnly !== true && isGiven !== true,
  );
};

/** ` (2 of 6 done)`; subtasks that ended despite a refusal do not count as done. Empty before there is a plan. */
export function doneText(state: Left): string {
  const all = subtasksNow(state).length;
  return all === 0 ? '' : ` (${all - notDone(state).length} of ${all} done)`;
}

type Left = Pick<PlanState, 'plan' | 'replan' | 'refused'>;

/** Failed subtasks belong to a replaced plan, except the one that caused the replan while no new plan exists yet. */
const subtasksNow = ({ plan, replan }: Pick<PlanState, 'plan' | 'replan'>): readonly Subtask[] =>
  (plan ? subtasksOf(plan) : []).filter(
    ({ status, summary }) => status !== 'failed' || (replan !== null && summary === replan.why),
  );

/**
 * Refused calls of a subtask that would have changed something. No other evidence of the subtask replaces their
 * effect. A person's own no is excluded, because that person knows of it.
 */
export const neverMade = (
  { refused = [] }: Pick<PlanState, 'refused'>,
  wanted: string,
): readonly RefusedCall[] =>
  refused.filter(
    ({ subtask, isReadOnly, isNo }) => subtask === wanted && isReadOnly !== true && isNo !== true,
  );

/**
 * The refused calls that keep a subtask from being shown done. A call that is allowed by now may still be made
 * in a later subtask, but for the last subtask it must have been made.
 */
export const openSubtasksText = (
  state: Pick<RunState, 'plan' | 'refused'>,
  wanted: string,
): readonly RefusedCall[] =>
  neverMade(state, wanted).filter(({ isGiven }) => isGiven !== true || isLastSubtask(state));

/** Refused calls of a subtask that a person may still allow. */
export const waitedFor = (
  state: Pick<RunState, 'refused' | 'permissions'>,
  wanted: string,
): readonly RefusedCall[] =>
  neverMade(state, wanted).filter(({ wish, isGiven }) =>
    (state.permissions?.open ?? []).some(
      ({ id, isNoted }) => isNoted && id === wish && isGiven !== true,
    ),
  );

/** True when the model itself called the subtask not done because such a permission is missing. */
export const isWaitingFor = (state: RunState, { id, status }: Subtask): boolean =>
  status === 'unverified' && waitedFor(state, id).some(({ isGotRound }) => !isGotRound);

/** True if a subtask waits for something that no other plan can provide. */
export const isWaiting = (state: RunState): boolean =>
  subtasksNow(state).some((subtask) => isWaitingFor(state, subtask));

/**
 * True when calls of the same reply were refused. The model did not know that when it made the claim, so the
 * claim does not count.
 */
export const isClaimedTooEarly = ({
  refused = [],
  counters,
}: Pick<RunState, 'refused' | 'counters'>): boolean =>
  refused.some(({ turn, isReadOnly }) => turn === counters.turns && isReadOnly !== true);

/** Words for the refused calls of completed subtasks. */
export function refusedAnyhow(state: Pick<PlanState, 'plan' | 'refused'>): string {
  const calls = refusedWhereDone(state);
  return calls.length === 0 ? '' : refusedText(calls);
}

const refusedWhereDone = (state: Pick<PlanState, 'plan' | 'refused'>): readonly RefusedCall[] =>
  (state.plan ? livingSubtasks(state.plan) : [])
    .filter(({ status }) => status === 'completed')
    .flatMap(({ id }) => neverMade(state, id));

/**
 * Calls that were refused under a replaced plan; they may still be needed while something is not done. If the
 * model quotes permission rules in what it says it needs, only the matching calls count.
 */
function refusedBefore(state: PlanState): RefusedCall[] {
  const { plan, refused = [], givenUp, permissions } = state;
  if (plan === null || notDone(state).length === 0) return [];
  const living = new Set(subtasksNow(state).map(({ id }) => id));
  const before = refused.filter(({ subtask, isGiven }) => !living.has(subtask) && !isGiven);
  const said = givenUp ? `${givenUp.reason}\n${givenUp.needs ?? ''}` : '';
  const quoted = (permissions?.open ?? []).filter(
    ({ rules }) => rules.length > 0 && rules.every((rule) => said.includes(typedRule(rule))),
  );
  if (quoted.length === 0) return before;
  return before.filter(
    ({ wish, subtask }) => subtask === FORESEEN || quoted.some(({ id }) => id === wish),
  );
}

/** The prefix of a detail that names what is not done. */
export const NOT_DONE = 'not done: ';

const MAX_SUBTASKS = 5;

/** `2.2 install left-pad (npm install left-pad was refused)`. */
export function notDoneText(state: PlanState): string {
  const left = notDone(state);
  const shown = left.length > MAX_SUBTASKS ? left.slice(0, MAX_SUBTASKS - 1) : left;
  const more = left.length - shown.length;
  const before = refusedBefore(state).filter(({ subtask }) => subtask !== FORESEEN);
  return [
    ...shown.map(({ subtask, refused }) => {
      const why = refused.length > 0 ? ` (${refusedText(refused)})` : '';
      return `${subtask.id} ${stepText(subtask)}${why}`;
    }),
    ...(more > 0 ? [`${more} more subtasks`] : []),
    ...(before.length > 0 ? [refusedText(before)] : []),
  ].join('; ');
}

/** `git add -A and git commit were refused`. Names the other calls that replaced a refused call. */
export function refusedText(refused: readonly RefusedCall[]): string {
  const still = refused.filter(({ isGiven }) => !isGiven);
  const granted = refused.filter(({ isGiven }) => isGiven);
  const others = [...new Set(granted.flatMap((one) => one.others ?? []))];
  return [
    ...(still.length > 0 ? [`${namesOf(still)} ${were(still)} refused`] : []),
    ...(granted.length > 0
      ? [
          `${namesOf(granted)} ${were(granted)} refused, ${granted.length > 1 ? 'are' : 'is'} allowed since, and ${were(granted)} not made in the same words`,
        ]
      : []),
    ...(others.length > 0 ? [`${listed(others)} ${were(others)} made`] : []),
  ].join('; ');
}

const namesOf = (calls: readonly RefusedCall[]): string =>
  listed(calls.map(({ tool, target }) => target || tool));

const were = ({ length }: readonly unknown[]): string => (length > 1 ? 'were' : 'was');

/**
 * Calls that had been refused when a command ran and are still not allowed: the command may fail because of
 * them. Empty for none.
 */
export function refusedUntil({ refused = [] }: Pick<RunState, 'refused'>, ran: number): string {
  const open = refused.filter(
    ({ offset = ran, isReadOnly, isGiven }) =>
      offset < ran && isReadOnly !== true && isGiven !== true,
  );
  return open.length === 0 ? '' : refusedText(open);
}

/** True when something is not done and a refused call has not been made up for. */
export const hasOpenRefusal = (state: PlanState): boolean =>
  notDone(state).some(({ refused }) => refused.length > 0) || refusedBefore(state).length > 0;

/** The refused work that is not done; '' if there is none, or if the reason for the end names it already. */
export const notDoneBeside = (state: PlanState, detail: string): string =>
  detail.startsWith(NOT_DONE) || !hasOpenRefusal(state) ? '' : notDoneText(state);

/** For a run that has ended without it: the user's rules, as typed, that would allow what was refused. */
export function rulesForNotDone(state: Pick<RunState, 'ended'> & PlanState): readonly string[] {
  const { ended, permissions } = state;
  if (ended === null || ended.ending === 'achieved') return [];
  const under = notDone(state).flatMap(({ refused }) => refused);
  const rules = [...under, ...refusedBefore(state), ...refusedWhereDone(state)].flatMap((call) => {
    if (call.isGiven || call.isNo) return [];
    return call.allowedBy ?? permissions?.open.find(({ id }) => id === call.wish)?.rules ?? [];
  });
  return [...new Set(rules.map(typedRule))];
}

/** The requested permissions without which something stays undone. */
export function neededPermissions(state: RunState): readonly OpenPermissionRequest[] {
  const { permissions, givenUp, plan } = state;
  const noted = (permissions?.open ?? []).filter(({ isNoted }) => isNoted);
  if (plan === null) return noted;
  // Such a model is asked first: it knew of the refusal and still called the subtask done, or it can use a
  // tool instead, so it may know another way.
  const isEnded = ({ subtask, refused }: NotDone): boolean =>
    state.free.doubtTold === undefined &&
    subtask.status === 'unverified' &&
    refused.every(({ isGotRound, left }) => isGotRound || left !== undefined);
  const left = notDone(state).filter((one) => !isEnded(one));
  const refused = [...left.flatMap((one) => one.refused), ...refusedBefore(state)];
  const needed = new Set(refused.map(({ wish }) => wish));
  const options = noted.filter(({ id, target }) => needed.has(id) || target === plan.proof?.cmd);
  return givenUp !== null && options.length === 0 ? noted : options;
}

/** Continues the same plan once a missing permission is granted. */
export function permittedStep(state: RunState): Step | null {
  const { active, refused = [] } = state;
  const granted = allowedSince({ refused });
  const subtasks = subtasksNow(state);
  const isThere = (id: string): boolean => subtasks.some((one) => one.id === id);
  const subtask =
    active?.id ??
    granted.map((one) => one.subtask).find(isThere) ??
    (subtasks.find(isPending) ?? subtasks.at(-1))?.id;
  if (subtask === undefined || !granted.length) return null;
  return { do: 'tell_permitted', subtask, targets: allowedTargets({ refused }) };
}

const allowedSince = ({ refused = [] }: Pick<PlanState, 'refused'>): readonly RefusedCall[] =>
  refused.filter(({ isGiven, isTold }) => isGiven && !isTold);

/** Newly allowed calls that the model does not know of yet, as rules if there are any. */
export const allowedTargets = (state: Pick<PlanState, 'refused'>): readonly string[] => [
  ...new Set(
    allowedSince(state).map(({ target, rule }) => (rule === undefined ? target : typedRule(rule))),
  ),
];

/** Tells the model once about a doubt that work can repair. */
export function doubtStep(state: RunState): Step | null {
  const { plan, verdict, free, active } = state;
  if (verdict === null || verdict.isProved || verdict.mend === undefined || plan === null)
    return null;
  if (free.doubtTold || active) return null;
  const subtask = notDone(state)[0]?.subtask ?? livingSubtasks(plan).at(-1);
  return subtask === undefined
    ? null
    : { do: 'tell_doubt', subtask: subtask.id, words: verdict.words };
}
