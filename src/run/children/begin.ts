/**
 * Creates a child's copy of the workspace and its journal. The journal starts with the parent's records up to
 * the plan.
 * 1. It is created once. If the journal records where the child begins, the child continues with it. Otherwise
 *    it is made anew, because no model was asked in it yet.
 * 2. Records keep their numbers, so that references between them stay valid.
 * 3. Grants that this user did not sign are not signed for the child.
 */

import type { ContextManager } from '../../context-manager/context-manager.ts';
import { childOf } from '../../context-manager/fold/work/children.ts';
import { leftOutOfCopy } from '../../evidence/trials/in-copy.ts';
import { layoutOf } from '../../journal/layout.ts';
import { deriveRunId, hashGoal } from '../../journal/runs/goal-id.ts';
import { packageLinks } from '../../languages/languages.ts';
import { join } from '../../lib/files/absolute-paths.ts';
import { fileKindAt, makeDirectory } from '../../lib/files/durable-files.ts';
import { interruptibleRunner } from '../../lib/interruptible.ts';
import { sendToModel } from '../../round/model/send-to-model.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { JournalRecord, Stamped } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import type { Child } from '../../schema/state-parts/children.ts';
import { copyWorkspace } from '../../workspace/scratch.ts';
import { type OpenedRun, openUnderLock } from '../open.ts';
import type { RunRequest } from '../options.ts';
import { recordsOf } from '../records-of.ts';
import type { ParentRun } from './contract.ts';
import { asText, changedMarks, fromText, hashesIn } from './files.ts';
import { exchangePermissions, withoutPosition } from './permissions.ts';

export const childId = ({ run, startedAt }: RunState, subtask: string): string =>
  deriveRunId(hashGoal(`${run} ${subtask}`), startedAt);

/** The child's copy of the workspace, which holds its own state; absolute. */
export const childFolder = (
  { toolContext }: Pick<ParentRun, 'toolContext'>,
  child: string,
): string => join(layoutOf(toolContext.workspace).children, child);

/** Returns `null` once the child can be opened like any run, otherwise why it cannot be created. */
export async function begun(
  parent: ParentRun,
  child: Child,
  request: RunRequest,
): Promise<string | null> {
  const { fs } = parent.toolContext;
  const folder = childFolder(parent, child.run);
  if (fileKindAt(fs, layoutOf(folder).history) !== null) {
    const opened = openedIn(folder, child, parent, request);
    try {
      const isThere = opened.context.state.child !== undefined;
      if (isThere) exchangePermissions(parent, opened.context, request.origin);
      if (isThere) return null;
    } finally {
      opened.close();
    }
  }
  makeDirectory(fs, layoutOf(parent.toolContext.workspace).children);
  const copied = await copyWorkspace({
    fs,
    folder,
    workspace: parent.toolContext.workspace,
    changes: new Map(),
    isLeftOut: leftOutOfCopy(fs.platform),
    packageLinks,
    runInterruptibly: interruptibleRunner(parent.clock, parent.signal),
  });
  if (copied.kind !== 'copied') return `the folder cannot be copied: ${copied.why}`;
  const begins = await withFilesOf(folder, child, parent);
  const opened = openedIn(folder, begins, parent, request);
  try {
    return written(opened.context, parent, begins, request);
  } finally {
    opened.close();
  }
}

/**
 * The child with the files of its copy, by which the join measures: files may have changed since they were
 * recorded.
 */
async function withFilesOf(folder: string, child: Child, parent: ParentRun): Promise<Child> {
  const { context, toolContext, clock, signal } = parent;
  const { fs } = toolContext;
  const hashes = await interruptibleRunner(clock, signal)(hashesIn({ fs, workspace: folder }));
  const { files } = context.read(child.offset, 'child_started');
  const now = hashes ?? new Map<string, string>();
  if (changedMarks(fromText(context.textOf(files)), now).length === 0) return child;
  const { subtask, run } = child;
  context.record({ type: 'child_started', subtask, child: run, files: asText(now), again: true });
  context.sync('effect');
  return childOf(context.state, subtask) ?? child;
}

function openedIn(
  folder: string,
  child: Child,
  { context }: ParentRun,
  { machine, origin, redactor, leases }: RunRequest,
): OpenedRun {
  const { run, goal } = context.state;
  const { seq } = context.journal.readAt(child.offset) as Stamped;
  return openUnderLock({
    machine,
    origin,
    redactor,
    leases,
    goal,
    workspace: folder,
    run: child.run,
    parent: { run, seq },
    again: false,
    forceUnlock: false,
    emit: () => {},
  });
}

function written(
  context: ContextManager,
  parent: ParentRun,
  { subtask }: Child,
  { origin }: RunRequest,
): string | null {
  const { run } = parent.context.state;
  for (const record of upToPlan(parent)) {
    if (record.seq === 1) continue;
    if (record.seq !== context.state.seq + 1) return 'a part of the journal cannot be read';
    keepText(record, parent.context, context);
    const isForeign =
      (record.type === 'approval_given' && !origin.isOwnGrant(run, record)) ||
      (record.type === 'settings_changed' && !origin.hasOwnAddress({ run, settings: record }));
    context.record(isForeign || ELSEWHERE.has(record.type) ? LEFT_OUT : withoutPosition(record));
  }
  for (const call of openCalls(context)) {
    const text = `Not done here: it belongs to another subtask than ${subtask}.`;
    sendToModel({ context }, { cause: 'tool_result', text, call });
  }
  context.record({ type: 'child_begun', subtask });
  exchangePermissions(parent, context, origin);
  context.sync('end');
  return null;
}

/** Records that concern only the parent's journal or files stored beside it. */
const ELSEWHERE: ReadonlySet<JournalRecord['type']> = new Set<JournalRecord['type']>([
  ...(['adopted', 'format_raised', 'lease_taken', 'files_kept', 'files_changed'] as const),
  ...(['server_started', 'server_ended', 'background_started', 'background_ended'] as const),
  ...(['approval_asked', 'permission_noted', 'bytes_unreadable', 'bytes_set_aside'] as const),
]);

const LEFT_OUT: JournalRecord = { type: 'note', kind: 'left_out', data: {} };

/** Keeps full results available, so that the child's model can read on in them. */
function keepText(record: JournalRecord, from: ContextManager, to: ContextManager): void {
  if (record.type !== 'note' || typeof record.data.blob !== 'string') return;
  const { blobs } = from.journal;
  if (blobs.has(record.data.blob)) to.journal.blobs.keep(blobs.read(record.data.blob));
}

/** The records up to the last plan and the start of its first subtask. */
function* upToPlan(parent: ParentRun): Generator<Stamped> {
  const source = { context: parent.context, ...parent.toolContext };
  const marks = [
    ...recordsOf(source, ['plan_set', 'replanned', 'subtask_started', 'child_started']),
  ];
  const plan = marks.findLastIndex(({ type }) => type === 'plan_set' || type === 'replanned');
  const end = (marks[plan + 1] as Stamped | undefined)?.seq ?? Number.POSITIVE_INFINITY;
  for (const record of recordsOf(source) as Iterable<Stamped>) {
    if (record.seq >= end) return;
    yield record;
  }
}

/** Native calls without an answer; each must get a result. */
function openCalls({
  state: { pending },
  journal,
}: ContextManager): readonly { readonly id: string; readonly tool: string }[] {
  if (pending === null || pending.areRecovered) return [];
  return pending.calls
    .slice(pending.next)
    .map((call) => journal.readBack(call) as ToolCall)
    .map(({ id, name }) => ({ id, tool: name }));
}
