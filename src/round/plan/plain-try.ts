/**
 * The plain try before a plan: its question in a separate conversation, and the plan that results from its
 * answer.
 */
import { fallbackPlan } from '../../decompose/parse-plan.ts';
import { planOfFiles } from '../../decompose/tried-plan.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import { subtasksOf } from '../../schema/plan.ts';
import { PATIENCE } from '../../steps/step.ts';
import { driverIn, type ViewPort, viewOf } from '../driver-view.ts';
import { type ConversationPort, sendToModel } from '../model/send-to-model.ts';
import type { RunPorts } from '../run-ports.ts';
import { nextTask } from './joined-plan.ts';
import { type PlanningPort, planContextOf } from './planning.ts';
import { proofFault } from './try-proof.ts';

/** Asks the question. If the folder does not fit into it, the goal is planned at once. */
export function beginTry(run: ViewPort): void {
  const { context } = run;
  const words = driverIn(run).plainTry(viewOf(run));
  if (words === null) {
    endTry('the folder does not fit into one question', run);
    return;
  }
  // A crash may have come between the two records.
  if (context.state.mainConversation === null)
    context.record({ type: 'branched', at: 'open', why: 'a plain try before a plan' });
  sendToModel(run, { cause: 'try_question', ...words });
}

/** Files become the subtasks of a plan, and a sentence answers a question; any other answer is dropped. */
export async function adoptTry(run: RunPorts): Promise<void> {
  const { context } = run;
  const { guided, plan, goal, brief, givenProof } = context.state;
  const { plainTry } = guided;
  if (plainTry?.is !== 'answered') throw new Error('No plain try was answered.');
  const { decoded, status, detail } = context.read(plainTry.offset, 'turn_finished');
  if (status.kind !== 'success') return endTry(detail || 'its answer was cut off', run);
  switch (decoded.kind) {
    case 'text': {
      if (brief?.kind === 'work' || givenProof !== undefined)
        return endTry('it is a sentence, and work is asked for', run);
      const answer = { ...fallbackPlan(goal, nextTask(plan)), fallback: false, answer_only: true };
      context.record({ type: 'plan_set', plan: answer, why: 'a plain try: it is a sentence' });
      return;
    }
    case 'calls':
      return adoptFiles(decoded.calls, plainTry, run);
    default:
      return endTry(decoded.kind === 'invalid' ? decoded.error : 'it is no file', run);
  }
}

/** An answer whose proof fails in a copy is not written while another one may be asked for. */
async function adoptFiles(
  calls: readonly ToolCall[],
  { failed = 0 }: { readonly failed?: number },
  run: RunPorts,
): Promise<void> {
  const { context } = run;
  const plan = await planOfCalls(calls, run);
  const fault = plan === null ? null : await proofFault(calls, { plan, failed }, run);
  // The programs were looked up while the run was being stopped, so the result is unreliable; the next start
  // repeats it.
  if (run.signal.aborted) return;
  if (plan === null) return endTry('it changes only what was given', run);
  if (fault === null) context.record({ type: 'plan_set', plan, why: 'a plain try' });
  else if (failed + 1 < PATIENCE.plainTries)
    context.record({ type: 'try_ended', why: fault, again: true });
  else endTry(fault, run);
}

async function planOfCalls(calls: readonly ToolCall[], run: PlanningPort) {
  const files = calls.map(({ args }) => ({ path: String(args.path), text: String(args.content) }));
  const asked = { firstTask: nextTask(run.context.state.plan), isLastTry: true };
  const plan = planOfFiles(files, await planContextOf(run, [], asked), run.context.state.brief);
  return plan !== null && subtasksOf(plan).length > 0 ? plan : null;
}

export function endTry(why: string, { context }: ConversationPort): void {
  context.record({ type: 'try_ended', why });
}
