/** Performs one step: ask, execute, or report a change. Each leaves at least one record. */

import { childOf } from '../context-manager/fold/work/children.ts';
import { removeLeftovers } from '../evidence/trials/in-copy.ts';
import { lookAsFound } from '../evidence/trials/passed-before.ts';
import { defined } from '../lib/defined.ts';
import { workedApart } from '../prompts/children.ts';
import {
  backgroundEnded,
  cutBehindCalls,
  doubtMessage,
  filesChanged,
  permittedMessage,
} from '../prompts/remarks.ts';
import type { ToolNames } from '../schema/actions.ts';
import type { ToolCall } from '../schema/model/messages.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';
import { completionGate } from '../steps/gate/gate.ts';
import { isLastSubtask } from '../steps/select.ts';
import type { PlannedCall, Step } from '../steps/step.ts';
import { execute, skipCall } from './act.ts';
import { ask } from './ask.ts';
import { check, prove, proveBefore } from './check.ts';
import { driverIn, driverViewOf, type ViewPort } from './driver-view.ts';
import { takeCandidate, tryCandidate } from './files/candidate.ts';
import { putBack } from './files/put-back.ts';
import { beginWork } from './model/begin-work.ts';
import { compact } from './model/compact.ts';
import { switchModel } from './model/failover.ts';
import { refuseClaim, sendFailedCheck, sendResult } from './model/send-result.ts';
import { type ConversationPort, sendToModel } from './model/send-to-model.ts';
import { beginWait, wait } from './model/wait.ts';
import type { ReadyStep } from './permission/judged-call.ts';
import { withAnswers } from './permission/with-answers.ts';
import { passOn } from './person-says.ts';
import { adoptBrief, cutGoal } from './plan/brief.ts';
import { adoptTry, beginTry, endTry } from './plan/plain-try.ts';
import { adoptPlan, startReplan } from './plan/planning.ts';
import { adoptCall, planGoal } from './plan/propose.ts';
import { runTestsBeforePlan } from './plan/tests-before-plan.ts';
import type { RunPorts } from './run-ports.ts';
import { switchDriver } from './switch-driver.ts';

/** Every step except those at the end of the loop. */
export type WorkStep = Exclude<
  ReadyStep,
  { do: 'pause' | 'verify' | 'swap' | 'agree_plan' | 'run_children' | 'join_child' | 'finish' }
>;

export async function perform(step: WorkStep, run: RunPorts): Promise<void> {
  const { context } = run;
  switch (step.do) {
    case 'ask':
      return ask(step, run);
    case 'begin_wait':
      return beginWait(step, run);
    case 'wait':
      return wait(run);
    case 'switch_model':
      return switchModel(step.to, run);
    case 'begin_work':
      return beginWork(run);
    case 'execute':
      return execute(step.judged, run);
    case 'check':
      return check(step, run);
    case 'prove':
      return prove(step, run);
    case 'cut_goal':
      return cutGoal(run);
    case 'adopt_brief':
      return adoptBrief(run);
    case 'look':
      return runTestsBeforePlan(run);
    case 'prove_before':
      return proveBefore(run);
    case 'look_as_found':
      await lookAsFound(run, step.cmd, withAnswers(run, run.scratch.policy.decide));
      return removeLeftovers(run);
    case 'tell':
      return sendResult(run);
    case 'pass_on':
      return passOn(run);
    case 'tell_changed':
      return sendToModel(run, {
        cause: 'resume',
        text: filesChanged(context.state.changedMeanwhile ?? []),
      });
    case 'tell_ended':
      return sendToModel(run, { cause: 'background_ended', text: endedText(run) });
    case 'skip_call':
      return skipCall(step.call, run);
    case 'try_candidate':
      return tryCandidate(step, run);
    case 'take_candidate':
      return takeCandidate(step, run);
    case 'tell_failed_check':
      return sendFailedCheck(step.isProof, run);
    case 'compact':
      return compact(run);
    case 'switch_driver':
      return switchDriver(run, step.to, step.why);
    case 'put_back':
      return putBack(step, run);
    case 'nudge':
      return sendToModel(run, { cause: 'nudge', text: nudgeText(run) });
    case 'tell_doubt':
      return sendToModel(run, { cause: 'doubt', text: doubtMessage(step), subtask: step.subtask });
    case 'tell_permitted':
      return sendToModel(run, {
        cause: 'permitted',
        text: permittedMessage(step),
        subtask: step.subtask,
      });
    case 'tell_cut':
      return sendToModel(run, { cause: 'cut_off', text: cutBehindCalls(step.why) });
    case 'claim_by_text':
      return claimByText(run);
    case 'refuse':
      return sendToModel(run, { cause: 'refusal', text: step.why, rewindTo: step.fromSeq });
    case 'rewind':
      context.record({ type: 'rewound', fromSeq: step.fromSeq, why: step.why });
      return;
    case 'open_branch':
    case 'close_branch': {
      const at = step.do === 'open_branch' ? 'open' : 'close';
      context.record({ type: 'branched', at, why: step.why });
      return;
    }
    case 'open_round':
      return openRound(step, run);
    case 'adopt_plan':
      return adoptPlan(run);
    case 'begin_try':
      return beginTry(run);
    case 'adopt_try':
      return adoptTry(run);
    case 'end_try':
      return endTry(step.why, run);
    case 'adopt_call':
      return adoptCall(run);
    case 'plan_goal':
      return planGoal(step, run);
    case 'replan':
      return startReplan(run, step.why);
    case 'start_subtask':
      return startSubtask(step.id, run);
    case 'tell_child':
      return tellChild(step.subtask, run);
    case 'finish_subtask':
      return finishSubtask(step, run);
    case 'refuse_claim':
      return refuseClaim(step.reason, run);
    default:
      throw new Error(`unknown step ${JSON.stringify(step satisfies never)}`);
  }
}

/** The message comes before the record, so that a run cut off between them still sends it exactly once. */
function startSubtask(id: string, run: ViewPort): void {
  const { context } = run;
  const { state } = context;
  const subtask = state.plan && subtasksOf(state.plan).find((one) => one.id === id);
  if (!state.plan || !subtask) throw new Error(`The plan has no subtask ${id}.`);
  if (!isReported(state)) {
    const text = driverIn(run).subtaskStarted(state.plan, subtask, driverViewOf(run));
    sendToModel(run, { cause: 'subtask_started', text });
  }
  context.advance(id);
}

function tellChild(subtask: string, run: ConversationPort): void {
  const child = childOf(run.context.state, subtask);
  if (child) sendToModel(run, { cause: 'child_joined', text: workedApart(child) });
}

/** True when a result already named the subtask, or when the model's text is its answer. */
function isReported({ conversation, lastTurn, child }: RunState): boolean {
  const { cause, seq = 0 } = conversation.at(-1) ?? {};
  // A message from before the child began was about another subtask.
  if (child !== undefined && seq < child.seq) return false;
  return cause === 'subtask_started' || cause === 'border' || lastTurn?.decoded === 'text';
}

function openRound(step: Extract<Step, { do: 'open_round' }>, run: ViewPort): void {
  const { state } = run.context;
  const planned =
    step.calls.length > 0 ? step.calls : driverIn(run).openingCalls(step.origin, driverViewOf(run));
  // Calls from a plain try may be stored outside their record.
  const calls = planned.map(
    (call) => run.context.journal.readBack(asCall(call, run.names)) as ToolCall,
  );
  run.context.record({
    type: 'round_started',
    n: state.counters.rounds + 1,
    subtask: state.active?.id ?? 'none',
    origin: step.origin,
    ...(calls.length > 0 ? { calls: [...calls] } : {}),
    ...defined({ file: step.file }),
  });
}

/** Characters of a subtask's summary that a text provides. */
const MAX_SUMMARY = 600;

/**
 * Calls the completion tool on the model's behalf, in a round of its own. The text is the answer if the last
 * subtask ends and the run wrote nothing: a text is then its only possible result.
 */
function claimByText(run: ViewPort): void {
  const { context } = run;
  const { state } = context;
  const { lastTurn } = state;
  const { plainTry } = state.guided;
  const offset = plainTry?.is === 'answered' ? plainTry.offset : (lastTurn?.offset ?? 0);
  const turn = context.read(offset, 'turn_finished');
  const text = context.textOf(turn.response.content).trim();
  const isResult = isLastSubtask(state) && !Object.values(state.files).some((file) => file.written);
  const args = {
    success: true,
    reason: text.replace(/\s+/g, ' ').slice(0, MAX_SUMMARY),
    ...(isResult ? { answer: text } : { summary: text }),
  };
  const id = `said_${turn.turn}`;
  openRound(
    { do: 'open_round', origin: 'decision', calls: [{ id, name: run.names.ends_subtasks, args }] },
    run,
  );
}

const asCall = ({ id, args, ...call }: PlannedCall, names: ToolNames): ToolCall => ({
  id,
  name: 'name' in call ? call.name : names[call.does],
  args,
});

function finishSubtask(step: Extract<Step, { do: 'finish_subtask' }>, run: ConversationPort): void {
  run.context.markSubtaskComplete({
    subtask: step.id,
    status: step.status,
    summary: step.summary,
    ...(step.answer === null ? {} : { answer: run.context.textOf(step.answer) }),
    ...(step.report === undefined ? {} : { report: run.context.textOf(step.report) }),
  });
}

const endedText = ({ context }: ConversationPort): string =>
  (context.state.background?.unreported ?? []).map(backgroundEnded).join('\n');

function nudgeText(run: ViewPort): string {
  const gate = completionGate(run.context.state, { hasReason: true });
  return driverIn(run).nudge(driverViewOf(run), gate.allows ? '' : gate.reason);
}
