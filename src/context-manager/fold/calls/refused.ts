/**
 * Tracks refused calls by subtask until the same call succeeds. Refused looks are forgotten with their subtask.
 * Pure.
 */
import { defined } from '../../../lib/defined.ts';
import { isUnderRule } from '../../../policy/words-of.ts';
import type { Touches } from '../../../schema/actions.ts';
import { FOLDER_QUESTION } from '../../../schema/journal/permissions.ts';
import { subtasksOf } from '../../../schema/plan.ts';
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import { FORESEEN, type RefusedCall } from '../../../schema/state-parts/refused.ts';

const MAX = 50;
const MAX_OTHERS = 3;

const READ_ONLY: ReadonlySet<string> = new Set<Touches>(['nothing', 'reads']);

const NONE: readonly RefusedCall[] = [];

export function withRefused(state: RunState, refused: readonly RefusedCall[]): RunState {
  if ((state.refused ?? NONE) === refused) return state;
  const { refused: _before, ...rest } = state;
  return refused.length === 0 ? rest : { ...rest, refused: refused.slice(-MAX) };
}

/**
 * @param state the state before the record
 * @returns the same list when nothing changes
 */
export function refusedAfter(state: RunState, record: Located): readonly RefusedCall[] {
  const refused = state.refused ?? NONE;
  const subtask = state.active?.id ?? '';
  const { turns: turn } = state.counters;
  const { offset } = record;
  switch (record.type) {
    case 'permission_noted': {
      const { id, tool, target, rules } = record;
      const call = { tool, target, wish: id, ...defined({ offered: onlyOne(rules) }) };
      const isKnown = refused.some((one) => one.target === target && one.tool === tool);
      // A folder question is no call: the call that needed it is refused by itself, or is the engine's.
      if (tool === FOLDER_QUESTION || (record.foreseen && !isKnown))
        return added(refused, { subtask: FORESEEN, ...call });
      return added(refused, { subtask, turn, offset, ...call });
    }
    case 'approval_given': {
      const { id, allowed, rule } = record;
      const isIt = ({ wish }: RefusedCall): boolean => wish === id;
      if (allowed)
        return changed(refused, isIt, (one) => ({ ...one, isGiven: true, ...defined({ rule }) }));
      const request = state.permissions?.open.find((one) => one.id === id);
      return request && request.tool !== FOLDER_QUESTION
        ? added(refused, {
            ...{ subtask, tool: request.tool, target: request.target, turn, offset, wish: id },
            isNo: true,
          })
        : refused;
    }
    case 'action_finished':
      return afterAction(refused, record, { subtask, turn, offset });
    case 'subtask_finished':
      // Other work of the subtask does not replace a refused call that would have changed something.
      return record.status === 'completed'
        ? without(refused, (one) => one.subtask === record.subtask && one.isReadOnly === true)
        : changed(
            refused,
            (one) => one.subtask === record.subtask && one.turn !== turn && hasGotRound(state),
            (one) => ({ ...one, isGotRound: true }),
          );
    case 'plan_set':
    case 'replanned': {
      const ids = new Set(subtasksOf(record.plan).map(({ id }) => id));
      const isKept = (one: RefusedCall): boolean =>
        ids.has(one.subtask) ||
        // The next plan may need the same permission.
        (record.type === 'replanned' && one.subtask !== '' && one.wish !== undefined);
      return without(refused, (one) => !isKept(one));
    }
    case 'message_added':
      return record.cause === 'permitted'
        ? changed(
            refused,
            ({ isGiven }) => isGiven === true,
            (one) => ({ ...one, isTold: true }),
          )
        : refused;
    default:
      return refused;
  }
}

function afterAction(
  refused: readonly RefusedCall[],
  record: Located<RecordOf<'action_finished'>>,
  at: Pick<RefusedCall, 'subtask' | 'turn' | 'offset'>,
): readonly RefusedCall[] {
  const { tool, status, facts } = record;
  const target = record.target ?? '';
  const isIt = (one: RefusedCall): boolean => one.tool === tool && one.target === target;
  if (status === 'ok')
    return withoutReplaced(withOther(without(refused, isIt), tool, target), record, at);
  if (facts.refused !== true) return refused;
  const isReadOnly = facts.onlyLooked === true || READ_ONLY.has(record.touches);
  const { replaced: left, allowedBy } = facts;
  const more = { ...(isReadOnly ? { isReadOnly } : {}), ...defined({ left, allowedBy }) };
  return refused.some(isIt)
    ? changed(refused, isIt, (one) => ({ ...one, ...defined({ turn: at.turn }), ...more }))
    : added(refused, { ...at, tool, target, ...more });
}

/**
 * Drops refused calls of programs that a tool replaces. Such a call is made up for once tools have changed
 * every file that it named, in a later reply: an edit in the same reply may be about something else.
 */
function withoutReplaced(
  refused: readonly RefusedCall[],
  { touches, hashes }: Located<RecordOf<'action_finished'>>,
  { turn }: Pick<RefusedCall, 'turn'>,
): readonly RefusedCall[] {
  if (touches !== 'files' || !refused.some(({ left }) => left !== undefined)) return refused;
  const paths = Object.keys(hashes);
  const isBelow = (folder: string): boolean => paths.some((path) => `${path}/`.startsWith(folder));
  const leftOf = (one: RefusedCall): readonly string[] => {
    const { left = [] } = one;
    if (left.some((path) => path.endsWith('/'))) return left.some(isBelow) ? [] : left;
    const isDone = (path: string): boolean =>
      paths.includes(path) && (one.turn !== turn || hashes[path] === null);
    return left.filter((path) => !isDone(path));
  };
  return refused.flatMap((one) => {
    const left = one.left === undefined ? null : leftOf(one);
    if (left === null) return [one];
    return left.length === 0 ? [] : [{ ...one, left }];
  });
}

const onlyOne = (rules: readonly string[]): string | undefined =>
  rules.length === 1 ? rules[0] : undefined;

/** The other call may do the refused call's work, or only rehearse it. A person can tell; no rule can. */
const withOther = (
  refused: readonly RefusedCall[],
  tool: string,
  target: string,
): readonly RefusedCall[] =>
  changed(
    refused,
    (one) =>
      one.isGiven === true &&
      one.tool === tool &&
      one.offered !== undefined &&
      isUnderRule(one.offered, target),
    (one) => ({
      ...one,
      others: [...(one.others ?? []).filter((other) => other !== target), target].slice(
        -MAX_OTHERS,
      ),
    }),
  );

/** True when the model completes the subtask with other work. */
const hasGotRound = ({ active }: RunState): boolean =>
  (active?.succeeded ?? 0) > 0 && active?.claim?.success !== false;

const added = (refused: readonly RefusedCall[], one: RefusedCall): readonly RefusedCall[] => [
  ...refused.filter(({ tool, target }) => tool !== one.tool || target !== one.target),
  one,
];

/** Returns the same list when no element matches. */
const changed = (
  refused: readonly RefusedCall[],
  isMeant: (one: RefusedCall) => boolean,
  change: (one: RefusedCall) => RefusedCall,
): readonly RefusedCall[] =>
  refused.some(isMeant) ? refused.map((one) => (isMeant(one) ? change(one) : one)) : refused;

/** Returns the same list when nothing is removed. */
function without(
  refused: readonly RefusedCall[],
  goes: (one: RefusedCall) => boolean,
): readonly RefusedCall[] {
  return refused.some(goes) ? refused.filter((one) => !goes(one)) : refused;
}
