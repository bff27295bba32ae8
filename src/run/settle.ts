/**
 * Settles what a crash left open, before anything else happens.
 * 1. A command without an outcome is never run again; what it did is called unknown. Only one that
 *    cannot have begun is called not run.
 * 2. A write is judged by what is on disk: done, done now, or a conflict that is left alone.
 * 3. Each intent is settled by one record, after its effect is durable; killed anywhere, the next
 *    start settles what is left the same way.
 * 4. What changed meanwhile is recorded once, as done by nobody knows whom.
 * 5. The intent of a check stays open: the engine runs the check again under the same id.
 */
import { discard, errorCode, syncDirectory, temporaryOf } from '../lib/durable-files.ts';
import { isSameBoot } from '../lib/process-identity.ts';
import type { Leftover } from '../processes/contract.ts';
import type { FileChange, ToolResult } from '../schema/actions.ts';
import type { RecordOf } from '../schema/records.ts';
import type { OpenIntent, RunState } from '../schema/state.ts';
import type { PerformHooks, Tool, ToolContext } from '../tools/contract.ts';
import { type ActionLog, type FinishDeps, finishAction } from '../tools/execute.ts';
import { failed, ok } from '../tools/result.ts';
import { targetOf, toolNamed, toolThat } from '../tools/toolset.ts';
import { confirmFile, folderOf, hashIfReadable, infoOf, isRefusal } from '../workspace/files.ts';
import { resolveInWorkspace } from '../workspace/jail.ts';

type Intended = RecordOf<'action_intended'>;

export interface SettleDeps extends FinishDeps {
  readonly tools: readonly Tool[];
  readonly context: ToolContext;
  readonly log: Pick<ActionLog, 'finished'>;
  /** The intent's record with its long strings in place. */
  readIntent(offset: number): Intended;
  /** Records what differs from what the journal has, for a command whose end nobody saw. */
  recordUnseen(id: string): void;
  /** True where records behind that place of the journal may have been cut off. */
  wasCutBehind(offset: number): boolean;
}

export interface SettledIntent {
  readonly id: string;
  readonly tool: string;
  /** Its command or file, for people. */
  readonly target: string;
  readonly how: 'done' | 'done_now' | 'conflict' | 'unknown' | 'not_run' | 'run_again';
  /** What became of what it had started and was still running: `none` was. */
  readonly survivor: Leftover;
}

export interface SettleReport {
  readonly settled: readonly SettledIntent[];
  /** Files that differ from what the run last saw, changed while it was down. */
  readonly changedMeanwhile: readonly string[];
}

/** @param state as recovery folded it. Throws what the journal and a full disk throw. */
export async function settle(state: RunState, deps: SettleDeps): Promise<SettleReport> {
  const open = Object.values(state.intents).sort((one, other) => one.seq - other.seq);
  const changedMeanwhile = changedFiles(state, open, deps.context);
  const settled: SettledIntent[] = [];
  for (const intent of open) settled.push(await settleIntent(intent, state, deps));
  return { settled, changedMeanwhile };
}

async function settleIntent(
  intent: OpenIntent,
  state: RunState,
  deps: SettleDeps,
): Promise<SettledIntent> {
  const survivor = await endSurvivor(intent, deps.context);
  const hasBegun = mayHaveBegun(intent, deps);
  const record = deps.readIntent(intent.offset);
  const { id, tool, args, signature } = record;
  const target = subjectOf(record, deps.tools);
  if (isCommand(intent) && hasBegun) deps.recordUnseen(id);
  if (intent.class === 'check') return { id, tool, target, how: 'run_again', survivor };
  const outcome = hasBegun ? await outcomeOf(record, target, survivor, deps) : notRun(target);
  const callId = state.pending?.calls[state.pending.next]?.id ?? '';
  await finishAction({ id, callId, tool, args, signature, result: outcome.result }, deps);
  return { id, tool, target, how: outcome.how, survivor };
}

const isCommand = (intent: OpenIntent): boolean =>
  intent.class === 'check' || intent.class === 'command';

/** Ends what a killed run left behind. */
const endSurvivor = async (intent: OpenIntent, { processes }: ToolContext): Promise<Leftover> =>
  isCommand(intent) ? processes.endLeftover(intent.process, intent.place) : 'none';

/**
 * False for a program that waits until its start is written, and no start is: what is written stays
 * as long as the machine runs, unless somebody cut the journal.
 */
function mayHaveBegun(
  { process, place, offset }: OpenIntent,
  { context, wasCutBehind }: Pick<SettleDeps, 'context' | 'wasCutBehind'>,
): boolean {
  if (process !== null || !place?.isGated) return true;
  return !isSameBoot(place.boot, context.processes.place.boot) || wasCutBehind(offset);
}

interface Outcome {
  readonly how: Exclude<SettledIntent['how'], 'run_again'>;
  readonly result: ToolResult;
}

async function outcomeOf(
  record: Intended,
  target: string,
  survivor: SettledIntent['survivor'],
  deps: SettleDeps,
): Promise<Outcome> {
  switch (record.class) {
    case 'write':
      return settleWrite(record, deps);
    case 'read':
    case 'control':
      return doNow(record, deps);
    case 'command':
    case 'check':
      return { how: 'unknown', result: failed(unknownText(target, survivor), 'interrupted') };
    default:
      return record.class satisfies never;
  }
}

const SURVIVOR_TEXT: { readonly [survivor in Leftover]: string } = {
  none: '',
  ended: ' It was still running and was ended.',
  still_running: ' It is still running and could not be ended.',
  may_run: ' It, or what it started, may still run.',
};

const notRunText = (target: string): string =>
  `Not run: ${target} had not begun when the run was cut off. Call it again if it is needed.`;

const notRun = (target: string): Outcome => ({
  how: 'not_run',
  result: { ...failed(notRunText(target), 'not_run'), facts: { notStarted: true } },
});

const unknownText = (target: string, survivor: Leftover): string =>
  `interrupted: outcome unknown. ${target} was begun when the run was cut off; ` +
  `it may have done all, some or none of its work.${SURVIVOR_TEXT[survivor]} ` +
  'It was not run again. Look at what is there before you run it again.';

type Found = 'before' | 'after' | 'other';

async function settleWrite(record: Intended, deps: SettleDeps): Promise<Outcome> {
  for (const { path: relative } of record.files) {
    const absolute = placeOf(relative, deps.context);
    if (absolute !== null) discard(deps.context.fs, temporaryOf(absolute));
  }
  const found = record.files.map((file) => ({ file, is: foundOnDisk(file, deps.context) }));
  if (found.every(({ is }) => is === 'after')) {
    for (const { file } of found) confirmChange(file, deps.context);
    return { how: 'done', result: doneResult(record, deps.tools) };
  }
  if (found.every(({ is }) => is === 'before')) return doNow(record, deps);
  const strange = found.filter(({ is }) => is === 'other').map(({ file }) => file.path);
  const named = strange.length > 0 ? strange : record.files.map((file) => file.path);
  return conflict(named, deps.tools);
}

function foundOnDisk(file: FileChange, context: ToolContext): Found {
  const absolute = placeOf(file.path, context);
  if (absolute === null) return 'other';
  const hash = hashIfReadable(context.fs, absolute);
  if (hash === null && infoOf(context.fs, absolute) !== null) return 'other';
  return hash === file.after ? 'after' : hash === file.before ? 'before' : 'other';
}

/** A path of a record as it lies in the workspace today; `null` when links lead it elsewhere. */
function placeOf(relative: string, context: ToolContext): string | null {
  const { fs, workspace } = context;
  const options = { platform: fs.platform, forWrite: true };
  const found = resolveInWorkspace(fs, workspace, relative, options);
  return found.kind === 'inside' && found.relative === relative ? found.absolute : null;
}

function confirmChange(file: FileChange, context: ToolContext): void {
  const absolute = placeOf(file.path, context);
  if (absolute === null) return;
  confirmFile(context.fs, absolute);
  for (const folder of file.createdDirs ?? []) {
    const made = placeOf(folder, context);
    if (made !== null) syncDirectory(context.fs, folderOf(context.fs, made));
  }
}

function doneResult(record: Intended, tools: readonly Tool[]): ToolResult {
  const tool = toolNamed(tools, record.tool);
  const hashes = Object.fromEntries(record.files.map((file) => [file.path, file.after]));
  const words = `${record.tool} was done.`;
  return tool?.done?.(record.args, record.files) ?? ok(words, { facts: { changed: true }, hashes });
}

function conflict(files: readonly string[], tools: readonly Tool[]): Outcome {
  const reader = toolThat(tools, 'reads_files');
  const words =
    `interrupted: ${files.join(', ')} holds neither what was there before nor what was to be ` +
    'written, so somebody else changed it. It was left alone. ' +
    `Read it again${reader === null ? '' : ` with ${reader.name}`}.`;
  return { how: 'conflict', result: failed(words, 'conflict') };
}

const quiet: PerformHooks = {
  signal: new AbortController().signal,
  onSpawn: () => {},
  onOutput: () => {},
};

/** What had not happened yet happens now; where the system refuses it, that is the outcome. */
async function doNow(record: Intended, deps: SettleDeps): Promise<Outcome> {
  try {
    return await doSame(record, deps);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const words = `${record.tool} failed: the system answered ${errorCode(error)}.`;
    return { how: 'done_now', result: failed(words) };
  }
}

/** Only if the tool still plans the very same change. */
async function doSame(record: Intended, deps: SettleDeps): Promise<Outcome> {
  const tool = toolNamed(deps.tools, record.tool);
  const files = record.files.map((file) => file.path);
  if (tool === null) return conflict(files, deps.tools);
  const before = new Map(record.files.map((file) => [file.path, file.before]));
  const prepared = await tool.prepare(record.args, {
    ...deps.context,
    // It was let through when it was intended; only what is on disk decides now.
    keyRefusal: () => null,
    lastKnownHash: (file) =>
      before.has(file) ? before.get(file) : deps.context.lastKnownHash(file),
  });
  if (prepared.kind === 'refused') {
    return record.class === 'write'
      ? conflict(files, deps.tools)
      : { how: 'done_now', result: prepared.result };
  }
  const planned = new Map(prepared.files.map((file) => [file.path, file.after]));
  if (record.files.some((file) => planned.get(file.path) !== file.after))
    return conflict(files, deps.tools);
  return { how: 'done_now', result: await prepared.perform({ ...quiet, id: record.id }) };
}

function changedFiles(
  state: RunState,
  open: readonly OpenIntent[],
  context: ToolContext,
): readonly string[] {
  const unsettled = new Set(open.flatMap((intent) => intent.files.map((file) => file.path)));
  return Object.entries(state.files)
    .filter(([file, known]) => !unsettled.has(file) && hashNow(file, context) !== known.hash)
    .map(([file]) => file);
}

function hashNow(relative: string, context: ToolContext): string | null | 'unreadable' {
  const { fs, workspace } = context;
  const options = { platform: fs.platform, forWrite: false };
  const found = resolveInWorkspace(fs, workspace, relative, options);
  return found.kind === 'inside' ? hashIfReadable(fs, found.absolute) : null;
}

/** For people: the files it changes, else what its tool says it is about. */
function subjectOf({ tool, args, files }: Intended, tools: readonly Tool[]): string {
  const named = files.map((file) => file.path).join(', ');
  return named || (targetOf(tools, tool, args)?.text ?? tool);
}
