/** The text that replaces the messages a compaction left out. Pure. */
import { onOneLine } from '../lib/text/one-line.ts';
import { stepText } from '../prompts/subtask.ts';
import { traitsOf } from '../schema/driver.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';
import { sum } from './prompt-size.ts';

/** How many recently failed subtasks are listed; every replan leaves one. */
const FAILED_KEPT = 2;

/**
 * Built from the state alone. If `maxChars` is too small for everything, the newest and the most general lines
 * are kept.
 * @param facts the probe's text without errors, which come from the state
 * @param withoutMended omits errors that have been repaired, for drivers that have no use for them
 */
export function compactionText(
  state: Pick<
    RunState,
    'goal' | 'plan' | 'active' | 'recentErrors' | 'counters' | 'replan' | 'person' | 'settings'
  >,
  facts: string,
  maxChars: number,
  withoutMended = false,
): string {
  const subtasks = state.plan ? subtasksOf(state.plan) : [];
  const ended = subtasks
    .filter(({ status }) => status === 'completed' || status === 'unverified')
    .map((subtask) => {
      const note = subtask.summary ? `: ${subtask.summary}` : '';
      return `- subtask ${subtask.id} ${subtask.status}, ${stepText(subtask)}${note}`;
    });
  const actions = (state.active?.actions ?? []).map(
    (action) => `- ${action.tool} ${action.target} (${action.status}): ${onOneLine(action.head)}`,
  );
  const active = subtasks.find((subtask) => subtask.id === state.active?.id);
  // A first plan that was requested separately stays in the conversation; any other plan is repeated here.
  const open = subtasks.filter((subtask) => subtask.status === 'pending' && subtask !== active);
  const leads = state.settings !== null && traitsOf(state.settings).callsTools;
  const isTold = state.counters.replans > 0 || leads;
  const isRevised = isTold && !state.replan && open.length > 0;
  const proof = leads ? state.plan?.proof : undefined;
  const failed = subtasks
    .filter(({ status }) => status === 'failed')
    .map((subtask) => `subtask ${subtask.id}: ${subtask.summary || stepText(subtask)}`);
  const fromUser = (state.person?.told ?? []).map(onOneLine);
  const errors = state.recentErrors.filter((one) => !withoutMended || !one.isMended);
  const frame = [
    'Earlier in this run (older messages are left out here):',
    `GOAL: ${clip(state.goal, Math.max(200, Math.floor(maxChars / 4)))}`,
    ...(active ? [`ACTIVE SUBTASK ${active.id}: ${clip(stepText(active), 200)}`] : []),
    ...(isRevised ? [clip(`STILL TO DO: ${open.map(stepText).join('; ')}`, maxChars / 6)] : []),
    ...(proof ? [`VERIFIED AT THE END BY: ${clip(proof.cmd, 200)}`] : []),
    ...(fromUser.length > 0 ? [clip(`THE USER SAID: ${fromUser.join(' / ')}`, maxChars / 6)] : []),
    ...failures([...failed.slice(-FAILED_KEPT), ...errors.map(({ text }) => text)], maxChars / 4),
    ...(facts ? [clip(facts, Math.max(160, Math.floor(maxChars / 3)))] : []),
  ];
  const room = maxChars - sum(frame.map((line) => line.length + 1));
  const done = [...ended, ...(actions.length ? ['Done in this subtask:', ...actions] : [])];
  return [...frame, ...newestThatFit(done, room)].join('\n').slice(0, maxChars);
}

/** Failures come before successes. */
function failures(errors: readonly string[], maxChars: number): readonly string[] {
  if (errors.length === 0) return [];
  const each = Math.floor(maxChars / errors.length);
  return ['FAILED:', ...errors.map((error) => `- ${clip(onOneLine(error), Math.max(60, each))}`)];
}

function newestThatFit(lines: readonly string[], room: number): readonly string[] {
  const kept: string[] = [];
  let left = room - 40;
  for (const line of lines.toReversed()) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.unshift(line);
  }
  const missing = lines.length - kept.length;
  return missing > 0 && room > 40 ? [`(${missing} older lines left out)`, ...kept] : kept;
}

function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, Math.floor(max) - 1)}…`;
}
