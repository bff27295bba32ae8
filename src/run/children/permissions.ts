/**
 * A child's questions are recorded in the parent's journal, where people look for them. Answers given there
 * apply to the child.
 */
import type { ContextManager } from '../../context-manager/context-manager.ts';
import type { Origin } from '../../context-manager/origin.ts';
import { defined } from '../../lib/defined.ts';
import type { JournalRecord, Stamped } from '../../schema/records.ts';
import type { ParentRun } from './contract.ts';

/** Exchanges the questions and answers that were recorded on one side while the other could not be written. */
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
    const grant = context.journal.readBack(answer) as typeof answer;
    if (isKnown(grant.id, grant.rule) || !origin.isOwnGrant(run, grant)) continue;
    const { mac: _mac, ...rest } = grant;
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

/** Passes one record on as it happens. */
export function tellOf(record: Stamped, { context }: Pick<ParentRun, 'context'>): void {
  switch (record.type) {
    case 'approval_given': {
      const { answers = [], rules = [] } = context.state.permissions ?? {};
      const isThere = [...answers, ...rules].some(
        (one) => one.id === record.id && one.rule === record.rule,
      );
      if (!isThere) context.record(withoutPosition(record));
      return;
    }
    case 'approval_asked':
    case 'permission_noted':
      context.record(withoutPosition(record));
      return;
    default:
  }
}

/** The record without its position in its journal. */
export function withoutPosition(record: Stamped): JournalRecord {
  const { seq: _seq, ts: _ts, durable: _durable, format: _format, ...rest } = record;
  const { offset: _offset, ...content } = rest as typeof rest & { readonly offset?: number };
  return content as JournalRecord;
}
