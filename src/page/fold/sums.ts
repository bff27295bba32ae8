/** What work costs: in total, and for each subtask. */
import { addUsage, allTokens } from '../../schema/model/usage.ts';
import type { RecordOf } from '../../schema/records.ts';
import { NO_SUM, NO_USAGE, type SubtaskRunUse, type Sum, type WorkDraft } from './work.ts';

/** Adds to the sum of a subtask, the active one if none is named. */
export function addToSum(draft: WorkDraft, more: Partial<Sum>, subtask = draft.active): void {
  if (subtask === '') return;
  const sum = draft.sums[subtask] ?? { ...NO_SUM, from: draft.workedMs };
  draft.sums[subtask] = {
    tokens: sum.tokens + (more.tokens ?? 0),
    turns: sum.turns + (more.turns ?? 0),
    actions: sum.actions + (more.actions ?? 0),
    added: sum.added + (more.added ?? 0),
    removed: sum.removed + (more.removed ?? 0),
    from: sum.from,
    to: draft.workedMs,
  };
}

const NO_USE: Omit<SubtaskRunUse, 'run'> = {
  usage: NO_USAGE,
  turns: 0,
  costUsd: 0,
  unpricedTurns: 0,
};

/** A run of its own begins to do the subtask. If the same run begins twice, it goes on counting. */
export function beginChild(draft: WorkDraft, { subtask, child }: RecordOf<'child_started'>): void {
  if (draft.children[subtask]?.run === child) return;
  draft.children = { ...draft.children, [subtask]: { ...NO_USE, run: child } };
}

/** What the subtask's own run has used since its last record counts here, too. */
export function countChild(
  draft: WorkDraft,
  record: RecordOf<'child_rested' | 'child_ended'>,
): void {
  const { subtask, usage, turns, cost } = record;
  const before = draft.children[subtask] ?? { ...NO_USE, run: '' };
  const costUsd = cost?.usd ?? 0;
  const unpricedTurns = cost?.unknownTurns ?? 0;
  const now = { run: before.run, usage, turns, costUsd, unpricedTurns };
  draft.children = { ...draft.children, [subtask]: now };
  draft.usage = addUsage(draft.usage, addUsage(usage, before.usage, -1));
  draft.turns += turns - before.turns;
  draft.costUsd += costUsd - before.costUsd;
  draft.unpricedTurns += unpricedTurns - before.unpricedTurns;
  const tokens = allTokens(usage) - allTokens(before.usage);
  addToSum(draft, { tokens, turns: turns - before.turns }, subtask);
}
