/** The plain try before a plan: its question in a conversation of its own, and the plan that its answer is. */
import { fallbackPlan } from '../../decompose/parse-plan.ts';
import { planOfFiles } from '../../decompose/tried-plan.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import { subtasksOf } from '../../schema/plan.ts';
import { driverIn, type ViewPort, viewOf } from '../driver-view.ts';
import { type ConversationPort, sendToModel } from '../model/send-to-model.ts';
import { nextTask } from './joined-plan.ts';
import { type PlanningPort, planContextOf } from './planning.ts';

/** Where the folder does not fit into it the goal is planned at once. */
export function beginTry(run: ViewPort): void {
  const { context } = run;
  const words = driverIn(run).plainTry(viewOf(run));
  if (words === null) {
    endTry('the folder does not fit into one question', run);
    return;
  }
  // A crash may have come between the two.
  if (context.state.mainConversation === null)
    context.record({ type: 'branched', at: 'open', why: 'a plain try before a plan' });
  sendToModel(run, { cause: 'try_question', ...words });
}

/** Files are the subtasks of a plan; a sentence answers a question; of anything else nothing is used. */
export async function adoptTry(run: PlanningPort): Promise<void> {
  const { context } = run;
  const { guided, plan, goal, brief } = context.state;
  const { plainTry } = guided;
  if (plainTry?.is !== 'answered') throw new Error('No plain try was answered.');
  const { decoded, status, detail } = context.read(plainTry.offset, 'turn_finished');
  if (status.kind !== 'success') return endTry(detail || 'its answer was cut off', run);
  switch (decoded.kind) {
    case 'text': {
      if (brief?.kind === 'work') return endTry('it is a sentence, and work is asked for', run);
      const answer = { ...fallbackPlan(goal, nextTask(plan)), fallback: false, answer_only: true };
      context.record({ type: 'plan_set', plan: answer, why: 'a plain try: it is a sentence' });
      return;
    }
    case 'calls': {
      const tried = await planOfCalls(decoded.calls, run);
      // What was looked up while the run was ended says nothing: it is looked up again.
      if (run.signal.aborted) return;
      if (tried === null) return endTry('it changes only what was given', run);
      context.record({ type: 'plan_set', plan: tried, why: 'a plain try' });
      return;
    }
    default:
      return endTry(decoded.kind === 'invalid' ? decoded.error : 'it is no file', run);
  }
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
