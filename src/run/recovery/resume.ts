/** Settles what a crash left open, tells the user what was found, and tells the model what changed. */
import { ASIDE } from '../../drivers/chat/messages.ts';
import type { Layout } from '../../journal/layout.ts';
import { wasCutBehind } from '../../journal/quarantine.ts';
import { unlessDamaged } from '../../journal/read-journal.ts';
import { interruptibleRunner } from '../../lib/interruptible.ts';
import { VERSION } from '../../lib/version.ts';
import { filesChanged } from '../../prompts/remarks.ts';
import { type FinishPort, finishDeps } from '../../round/act.ts';
import type { RunPorts } from '../../round/run-ports.ts';
import type { Limits } from '../../schema/journal/limits.ts';
import { isWithheld } from '../../schema/journal/swap.ts';
import { callLabel } from '../../shown/calls.ts';
import { joinTool } from '../children/join-tool.ts';
import type { OpenedRun } from '../open.ts';
import { swap } from '../swap.ts';
import { settle } from './settle.ts';
import type { SettledIntent } from './settle-ports.ts';

/**
 * Does nothing for a run or conversation that has just begun. Throws E_INTERRUPTED when aborted while it checks
 * many files; the next start settles the rest.
 */
export async function resume(
  run: RunPorts,
  { isResumed, layout }: Pick<OpenedRun, 'isResumed' | 'layout'>,
  limits: Limits,
): Promise<void> {
  if (!isResumed) return;
  const { context } = run;
  // A run that ended may have trials left.
  const wasPaused = context.state.paused !== null || context.state.ended !== null;
  if (wasPaused) context.record({ type: 'run_resumed', version: VERSION, limits: { ...limits } });
  context.sync('effect');
  if (wasPaused && isWithheld(context.state)) await swap(run, 'run');
  for (const { id, cmd, left, where } of await run.background.endLeft()) {
    const text = `${id} (${cmd}) ran in the background when the run was cut off.${survivorText(left, where)}`;
    if (left !== 'none') run.emit({ type: 'notice', level: 'warning', text });
  }
  const changed = await settleOpen(run, layout);
  if (changed.length > 0) reportChangedFiles(run, changed);
}

/**
 * Reports the files to the person. A run tells its model before its next question, a conversation with its
 * next message.
 */
function reportChangedFiles(
  { context, emit }: Pick<RunPorts, 'context' | 'emit'>,
  paths: readonly string[],
): void {
  const { chat, pending } = context.state;
  const since = chat === undefined ? 'while the run was down' : 'since this session saw them';
  const text = `Changed by somebody else ${since}: ${paths.join(', ')}`;
  if (chat === undefined)
    context.record({ type: 'note', kind: 'changed_meanwhile', data: { paths } });
  emit({ type: 'notice', level: 'warning', text });
  if (chat !== undefined && pending === null)
    context.record({ ...ASIDE, text: filesChanged(paths), by: 'engine' });
}

/** Reports and records every settled intent. Returns the files that someone else changed meanwhile. */
async function settleOpen(
  run: FinishPort & Pick<RunPorts, 'beforeImages' | 'clock' | 'signal' | 'emit'>,
  { quarantine }: Pick<Layout, 'quarantine'>,
): Promise<readonly string[]> {
  const { context, toolContext, beforeImages, clock, signal } = run;
  const tools = [...run.tools, joinTool()];
  const { blobs } = context.journal;
  // Withheld files are not as the run left them. Changes by others show when the files are brought back.
  const seen = isWithheld(context.state) ? { ...context.state, files: {} } : context.state;
  const { settled, changedMeanwhile } = await settle(seen, {
    ...finishDeps({ ...run, tools }),
    tools,
    context: toolContext,
    log: { finished: (record) => context.recordAction({ type: 'action_finished', ...record }) },
    imageOf: (hash) => (blobs.has(hash) ? blobs.read(hash) : null),
    readIntent: (offset) => unlessDamaged(() => context.read(offset, 'action_intended')),
    recordingUnseen: (id) => beforeImages.recordingUnseen(id),
    runInterruptibly: interruptibleRunner(clock, signal),
    wasCutBehind: (offset) => wasCutBehind(toolContext.fs, quarantine, offset),
  });
  for (const one of settled) {
    run.emit({ type: 'notice', level: 'warning', text: settledText(one) });
    const { id, how, survivor } = one;
    context.record({ type: 'note', kind: 'settled', data: { id, how, survivor } });
  }
  return changedMeanwhile;
}

const survivorText = (survivor: SettledIntent['survivor'], where: string): string =>
  ({
    none: '',
    ended: ' It was still running and has been ended.',
    still_running: ' It is still running and could not be ended.',
    may_run: ` It, or what it started, may still run${where}: look, and end it yourself.`,
  })[survivor];

/** The result of settling, for people. */
export function settledText({ tool, target, how, survivor, where }: SettledIntent): string {
  const what = callLabel({ tool, target });
  const text = {
    done: `${what}: carried out before the crash.`,
    done_now: `${what}: begun before the crash, and done now.`,
    conflict: `${what}: the file was changed meanwhile and is left alone.`,
    unknown: `${what}: interrupted; its outcome is unknown, and it is not run again by itself.`,
    not_run: `${what}: had not begun when the run was cut off.`,
    run_again: `${what}: a check, run again.`,
  }[how];
  return text + survivorText(survivor, where);
}
