/** Settles a change of files by comparing the disk with the images that were kept before the change began. */

import { discard, errorCode, syncDirectory, temporaryOf } from '../../lib/files/durable-files.ts';
import type { Interruptible } from '../../lib/interruptible.ts';
import type { FileChange, ToolResult } from '../../schema/actions.ts';
import { isRead } from '../../schema/capability.ts';
import type { PerformHooks, Tool, ToolContext } from '../../tools/contract.ts';
import { refusalWords, refusedSet } from '../../tools/files/change-files.ts';
import { failed, ok } from '../../tools/result.ts';
import { toolNamed } from '../../tools/toolset.ts';
import { currentPlaceOf } from '../../undo/folders.ts';
import {
  applyChanges,
  type FoundContent,
  findingAt,
  type PlacedChange,
} from '../../workspace/change-set.ts';
import { confirmFile, isRefusal, missingAbove, parentFolder } from '../../workspace/files.ts';
import type { Intended, SettleDeps, SettledOutcome } from './settle-ports.ts';

interface FoundChange {
  readonly change: FileChange;
  /** `null`: links now lead outside the workspace. */
  readonly absolute: string | null;
  readonly is: FoundContent;
}

/**
 * Settles a write. If all files have their new content, the change is done. If some or all still have the old
 * content, it is finished. Anything else is a conflict, and nothing is touched.
 */
export async function settleWrite(record: Intended, deps: SettleDeps): Promise<SettledOutcome> {
  const { context, tools } = deps;
  const seen = await deps.runInterruptibly(lookedAt(record, context));
  if (seen.every(({ is }) => is === 'after')) {
    for (const one of seen) confirmChange(one, context);
    return { how: 'done', result: doneResult(record, tools) };
  }
  const strange = seen.filter(({ is }) => is === 'other');
  if (strange.length > 0) return conflict(strange, seen, tools);
  const [only, ...others] = record.files;
  const isOneContent =
    only?.after != null && others.length === 0 && deps.imageOf(only.after) === null;
  return isOneContent ? doNow(record, deps) : forwards(record, seen, deps);
}

/** True when every file has the content that was to be written. */
export async function allWritten(
  files: readonly FileChange[],
  { context, runInterruptibly }: Pick<SettleDeps, 'context' | 'runInterruptibly'>,
): Promise<boolean> {
  const seen = await runInterruptibly(lookedAt({ files }, context));
  return seen.every(({ is }) => is === 'after');
}

function* lookedAt(
  { files }: { readonly files: readonly FileChange[] },
  context: ToolContext,
): Interruptible<readonly FoundChange[]> {
  const seen: FoundChange[] = [];
  for (const change of files) {
    const absolute = currentPlaceOf(change.path, context);
    if (absolute !== null) discard(context.fs, temporaryOf(absolute));
    const is = absolute === null ? 'other' : yield* findingAt(context.fs, change, absolute);
    seen.push({ change, absolute, is });
  }
  return seen;
}

/** Finishes the change from the images, whatever the tool would plan today: it was permitted when it was intended. */
function forwards(
  record: Intended,
  seen: readonly FoundChange[],
  deps: SettleDeps,
): SettledOutcome {
  const { context, tools, imageOf } = deps;
  const missing = seen.filter(({ change: { before, after } }) =>
    [before, after].some((hash) => hash !== null && imageOf(hash) === null),
  );
  if (missing.length > 0) return conflict(missing, seen, tools);
  const placed = (is: FoundContent): PlacedChange[] =>
    seen.flatMap(({ change, absolute, ...one }) => {
      if (absolute === null || one.is !== is) return [];
      return [{ change, absolute, folders: foldersOf(change, absolute, context) }];
    });
  const bytesOf = (hash: string): Uint8Array => imageOf(hash) ?? new Uint8Array();
  const applied = applyChanges(placed('before'), { fs: context.fs, bytesOf }, placed('after'));
  if (applied.kind === 'refused')
    return { how: 'done_now', result: refusedSet(context, record.files, applied) };
  for (const one of seen) if (one.is === 'after') confirmChange(one, context);
  return { how: 'done_now', result: doneResult(record, tools) };
}

/** Folders that the change was to create, and folders that have disappeared since. */
function foldersOf(change: FileChange, absolute: string, context: ToolContext): readonly string[] {
  const own = (change.createdDirs ?? []).flatMap((folder) => currentPlaceOf(folder, context) ?? []);
  const missing = missingAbove(context.fs, context.workspace, absolute);
  return [...own, ...missing.filter((folder) => !own.includes(folder))];
}

function confirmChange({ change, absolute }: FoundChange, context: ToolContext): void {
  if (absolute === null) return;
  confirmFile(context.fs, absolute);
  for (const folder of change.createdDirs ?? []) {
    const made = currentPlaceOf(folder, context);
    if (made !== null) syncDirectory(context.fs, parentFolder(context.fs, made));
  }
}

function doneResult(record: Intended, tools: readonly Tool[]): ToolResult {
  const tool = toolNamed(tools, record.tool);
  const hashes = Object.fromEntries(record.files.map((file) => [file.path, file.after]));
  const words = `${record.tool} was done.`;
  return tool?.done?.(record.args, record.files) ?? ok(words, { facts: { changed: true }, hashes });
}

function conflict(
  strange: readonly FoundChange[],
  seen: readonly FoundChange[],
  tools: readonly Tool[],
): SettledOutcome {
  const reader = tools.find(isRead);
  const names = (some: readonly FoundChange[]): string =>
    some.map(({ change }) => change.path).join(', ');
  const made = seen.filter((one) => one.is === 'after' && !strange.includes(one));
  const open = seen.filter((one) => one.is === 'before' && !strange.includes(one));
  const others = [
    ...(made.length > 0 ? [`Changed already: ${names(made)}.`] : []),
    ...(open.length > 0 ? [`Not changed: ${names(open)}.`] : []),
  ];
  const words = [
    `interrupted: ${names(strange)} holds neither what was there before nor what was to be ` +
      'written, so somebody else changed it. It was left alone.',
    ...others,
    `Read it again${reader === undefined ? '' : ` with ${reader.name}`}.`,
  ];
  return { how: 'conflict', result: failed(words.join(' '), 'conflict') };
}

const quiet: Omit<PerformHooks, 'id'> = {
  signal: new AbortController().signal,
  onSpawn: () => {},
  onOutput: () => {},
};

/** Performs a change that had not begun. If the system refuses, that is the outcome. */
export async function doNow(record: Intended, deps: SettleDeps): Promise<SettledOutcome> {
  try {
    return await doSame(record, deps);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const words = `${record.tool} failed: ${refusalWords(errorCode(error))}.`;
    return { how: 'done_now', result: failed(words) };
  }
}

/** Performs it only if the tool still plans exactly the same change. */
async function doSame(record: Intended, deps: SettleDeps): Promise<SettledOutcome> {
  const seen = record.files.map((change): FoundChange => ({ change, absolute: null, is: 'other' }));
  const tool = toolNamed(deps.tools, record.tool);
  if (tool === null) return conflict(seen, seen, deps.tools);
  const before = new Map(record.files.map((file) => [file.path, file.before]));
  const prepared = await tool.prepare(record.args, {
    ...deps.context,
    // The call was permitted when it was intended; only the disk decides now.
    keyRefusal: () => null,
    lastKnownHash: (file) =>
      before.has(file) ? before.get(file) : deps.context.lastKnownHash(file),
  });
  if (prepared.kind === 'refused') {
    return record.class === 'write'
      ? conflict(seen, seen, deps.tools)
      : { how: 'done_now', result: prepared.result };
  }
  const planned = new Map(prepared.files.map((file) => [file.path, file.after]));
  if (record.files.some((file) => planned.get(file.path) !== file.after))
    return conflict(seen, seen, deps.tools);
  return { how: 'done_now', result: await prepared.perform({ ...quiet, id: record.id }) };
}
