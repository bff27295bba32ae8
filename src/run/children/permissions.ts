/**
 * Questions of a child stand in the journal of the run that began it, where people look for them, and answers
 * that are given there count in the child.
 */
import type { ContextManager } from '../../context-manager/context-manager.ts';
import type { Origin } from '../../context-manager/origin.ts';
import { defined } from '../../lib/defined.ts';
import type { JournalRecord, Stamped } from '../../schema/records.ts';
import type { ParentRun } from './contract.ts';

/** What was asked while nobody could write it there, and what was answered meanwhile. */
export function exchangePermissions(
  { context }: Pick<ParentRun, 'context'>,
  child: ContextManager,
  origin: Origin,
): void {
  const { run, permissions: theirs } = context.state;
  const own = child.state.permissions;
  const isKnown = (id: string, rule: string | undefined): boolean =>
    [...(own?.answers ?? []), ...(own?.rules ?? [])].some(
      (one) => one.id === id && one.rule === rule,
    );
  for (const answer of [...(theirs?.answers ?? []), ...(theirs?.rules ?? [])]) {
    const given = context.journal.readBack(answer) as typeof answer;
    if (isKnown(given.id, given.rule) || !origin.isOwnGrant(run, given)) continue;
    const { mac: _mac, ...rest } = given;
    child.record({ type: 'approval_given', ...defined(rest) } as Parameters<
      typeof child.record
    >[0]);
  }
  const isThere = (id: string): boolean =>
    [...(theirs?.open ?? []), ...(theirs?.answers ?? [])].some((one) => one.id === id);
  for (const { isNoted: _noted, rules, ...request } of child.state.permissions?.open ?? [])
    if (!isThere(request.id))
      context.record({ type: 'permission_noted', ...request, rules: [...rules] });
}

/** The same as it happens. */
export function tellOf(record: Stamped, { context }: Pick<ParentRun, 'context'>): void {
  switch (record.type) {
    case 'approval_given': {
      const { answers = [], rules = [] } = context.state.permissions ?? {};
      const isThere = [...answers, ...rules].some(
        (one) => one.id === record.id && one.rule === record.rule,
      );
      if (!isThere) context.record(plain(record));
      return;
    }
    case 'approval_asked':
    case 'permission_noted':
      context.record(plain(record));
      return;
    default:
  }
}

/** Without its place in the journal that it stands in. */
export function plain(record: Stamped): JournalRecord {
  const { seq: _seq, ts: _ts, durable: _durable, format: _format, ...rest } = record;
  const { offset: _offset, ...content } = rest as typeof rest & { readonly offset?: number };
  return content as JournalRecord;
}
