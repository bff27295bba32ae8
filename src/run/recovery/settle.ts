/**
 * Settles what a crash left open, before anything else happens.
 * 1. A command without an outcome is never run again: its effect is reported as unknown. Only a command that
 *    cannot have begun is reported as not run.
 * 2. A write is judged by what is on disk: done, done now, or a conflict that is left alone. A write of several
 *    files is finished from its images (settle-write.ts).
 * 3. Each intent is settled by one record after its effect is durable. After a kill at any point, the next
 *    start settles the rest in the same way.
 * 4. Changes made meanwhile are recorded once, with an unknown author.
 * 5. An intent whose record is damaged is closed as interrupted, from what the state knows of it.
 * 6. The intent of a check stays open: the engine runs the check again under the same id.
 */

import type { Interruptible } from '../../lib/interruptible.ts';
import { own } from '../../lib/own.ts';
import { isOtherMachine, isSameBoot } from '../../lib/process-identity.ts';
import type { Leftover } from '../../processes/contract.ts';
import { whereElse } from '../../processes/leftovers.ts';
import type { OpenIntent, RunState } from '../../schema/state.ts';
import type { PendingCalls } from '../../schema/state-parts/pending.ts';
import type { Tool, ToolContext } from '../../tools/contract.ts';
import { finishAction } from '../../tools/execute.ts';
import { failed, ok } from '../../tools/result.ts';
import { formatTarget, targetOf } from '../../tools/toolset.ts';
import { hashingIfReadable } from '../../workspace/files.ts';
import { resolveInWorkspace } from '../../workspace/jail.ts';
import type { Intended, SettleDeps, SettledIntent, SettledOutcome } from './settle-ports.ts';
import { allWritten, doNow, settleWrite } from './settle-write.ts';

export interface SettleReport {
  readonly settled: readonly SettledIntent[];
  /** Files that someone changed while the run was down. */
  readonly changedMeanwhile: readonly string[];
}

/** The parts of a run's or conversation's state that settling needs. */
interface Unsettled extends Pick<RunState, 'intents' | 'files' | 'commandChanges'> {
  readonly pending: Pick<PendingCalls, 'calls' | 'next'> | null;
}

/** @param state as recovery folded it. Throws what the journal throws, and errors of a full disk. */
export async function settle(state: Unsettled, deps: SettleDeps): Promise<SettleReport> {
  const open = Object.values(state.intents).sort((one, other) => one.seq - other.seq);
  const changedMeanwhile = await deps.runInterruptibly(changedFiles(state, open, deps.context));
  const settled: SettledIntent[] = [];
  for (const intent of open) settled.push(await settleIntent(intent, state, deps));
  return { settled, changedMeanwhile };
}

async function settleIntent(
  intent: OpenIntent,
  state: Unsettled,
  deps: SettleDeps,
): Promise<SettledIntent> {
  const survivor = await endSurvivor(intent, deps.context);
  const hasBegun = mayHaveBegun(intent, deps);
  const record = deps.readIntent(intent.offset);
  const { id, tool, signature } = intent;
  const target = record === null ? '' : subjectOf(record, deps.tools);
  if (isCommand(intent) && hasBegun) await deps.runInterruptibly(deps.recordingUnseen(id));
  const where = whereElse(intent.place, deps.context.processes.place);
  if (intent.class === 'check') return { id, tool, target, how: 'run_again', survivor, where };
  const left = survivorText(survivor, where);
  const args = record?.args ?? {};
  const outcome = await (record === null
    ? outcomeUnread(intent, left, deps)
    : hasBegun
      ? outcomeOf(record, target, left, deps)
      : notRun(target));
  const callId = state.pending?.calls[state.pending.next]?.id ?? '';
  await finishAction({ id, callId, tool, args, signature, result: outcome.result }, deps);
  return { id, tool, target, how: outcome.how, survivor, where };
}

const isCommand = (intent: OpenIntent): boolean =>
  intent.class === 'check' || intent.class === 'command';

/** Ends a process that a killed run left behind. */
const endSurvivor = async (intent: OpenIntent, { processes }: ToolContext): Promise<Leftover> =>
  isCommand(intent) ? processes.endLeftover(intent.process, intent.place) : 'none';

/**
 * False for a program that waits until its start is recorded, if no start is recorded. A written record stays
 * while the machine runs, unless someone cut the journal.
 */
function mayHaveBegun(
  { process, place, offset }: OpenIntent,
  { context, wasCutBehind }: Pick<SettleDeps, 'context' | 'wasCutBehind'>,
): boolean {
  if (process !== null || !place?.isGated) return true;
  const here = context.processes.place;
  const isHere = isSameBoot(place.boot, here.boot) && !isOtherMachine(place, here);
  return !isHere || wasCutBehind(offset);
}

async function outcomeOf(
  record: Intended,
  target: string,
  left: string,
  deps: SettleDeps,
): Promise<SettledOutcome> {
  switch (record.class) {
    case 'write':
      return settleWrite(record, deps);
    case 'read':
    case 'control':
      return doNow(record, deps);
    case 'command':
    case 'check':
      return { how: 'unknown', result: failed(unknownText(target, left), 'interrupted') };
    default:
      return record.class satisfies never;
  }
}

const survivorText = (survivor: Leftover, where: string): string =>
  ({
    none: '',
    ended: ' It was still running and was ended.',
    still_running: ' It is still running and could not be ended.',
    may_run: ` It, or what it started, may still run${where}.`,
  })[survivor];

/** Uses what the state still knows of the intent: its tool, its files, and what became of its process. */
async function outcomeUnread(
  intent: OpenIntent,
  left: string,
  deps: SettleDeps,
): Promise<SettledOutcome> {
  const { tool, files } = intent;
  const isDone = files.length > 0 && (await allWritten(files, deps));
  const named = files.map(({ path }) => path).join(', ');
  const what = named === '' ? `a call of ${tool}` : `${tool} of ${named}`;
  const lost = `What it was called with can no longer be read.`;
  if (isDone) return { how: 'done', result: ok(`${tool} was done: ${named}. ${lost}`) };
  const text = `${unknownText(what, left)} ${lost}`;
  return { how: 'unknown', result: failed(text, 'interrupted') };
}

const notRunText = (target: string): string =>
  `Not run: ${target} had not begun when the run was cut off. Call it again if it is needed.`;

const notRun = (target: string): SettledOutcome => ({
  how: 'not_run',
  result: { ...failed(notRunText(target), 'not_run'), facts: { notStarted: true } },
});

const unknownText = (target: string, left: string): string =>
  `interrupted: outcome unknown. ${target} was begun when the run was cut off; ` +
  `it may have done all, some or none of its work.${left} ` +
  'It was not run again. Look at what is there before you run it again.';

function* changedFiles(
  { files, commandChanges }: Pick<RunState, 'files' | 'commandChanges'>,
  open: readonly OpenIntent[],
  context: ToolContext,
): Interruptible<readonly string[]> {
  const unsettled = new Set(open.flatMap((intent) => intent.files.map((file) => file.path)));
  const changed: string[] = [];
  for (const [file, { hash }] of Object.entries(files)) {
    if (unsettled.has(file)) continue;
    const now = yield* hashNow(file, context);
    // A file that the run's own command left is not news.
    const byCommand = own(commandChanges.files, file)?.after;
    if (now !== hash && now !== byCommand) changed.push(file);
    yield;
  }
  return changed;
}

function* hashNow(
  relative: string,
  context: ToolContext,
): Interruptible<string | null | 'unreadable'> {
  const { fs, workspace } = context;
  const options = { platform: fs.platform, forWrite: false };
  const found = resolveInWorkspace(fs, workspace, relative, options);
  return found.kind === 'inside' ? yield* hashingIfReadable(fs, found.absolute) : null;
}

/** For people: the files that it changes, otherwise the target that its tool names. */
function subjectOf({ tool, args, files }: Intended, tools: readonly Tool[]): string {
  const named = files.map((file) => file.path).join(', ');
  return named || formatTarget(targetOf(tools, tool, args)) || tool;
}
