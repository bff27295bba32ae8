/** Performs one step: ask, execute, or report a change. */

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

/** A row for each step: every one leaves at least one record. */
const STEPS: {
  readonly [Do in WorkStep['do']]: (
    step: WorkStep & { readonly do: Do },
    run: RunPorts,
  ) => Promise<void> | void;
} = {
  ask,
  begin_wait: beginWait,
  wait: (_, run) => wait(run),
  switch_model: ({ to }, run) => switchModel(to, run),
  begin_work: (_, run) => beginWork(run),
  execute: ({ judged }, run) => execute(judged, run),
  check,
  prove,
  cut_goal: (_, run) => cutGoal(run),
  adopt_brief: (_, run) => adoptBrief(run),
  look: (_, run) => runTestsBeforePlan(run),
  prove_before: (_, run) => proveBefore(run),
  look_as_found: async ({ cmd }, run) => {
    await lookAsFound(run, cmd, withAnswers(run, run.scratch.policy.decide));
    return removeLeftovers(run);
  },
  tell: (_, run) => sendResult(run),
  pass_on: (_, run) => passOn(run),
  tell_changed: (_, run) => {
    const text = filesChanged(run.context.state.changedMeanwhile ?? []);
    sendToModel(run, { cause: 'resume', text });
  },
  tell_ended: (_, run) => sendToModel(run, { cause: 'background_ended', text: endedText(run) }),
  skip_call: ({ call }, run) => skipCall(call, run),
  try_candidate: tryCandidate,
  take_candidate: takeCandidate,
  tell_failed_check: ({ isProof }, run) => sendFailedCheck(isProof, run),
  compact: (_, run) => compact(run),
  switch_driver: ({ to, why }, run) => switchDriver(run, to, why),
  put_back: putBack,
  nudge: (_, run) => sendToModel(run, { cause: 'nudge', text: nudgeText(run) }),
  tell_doubt: (step, run) => {
    const { subtask } = step;
    sendToModel(run, { cause: 'doubt', text: doubtMessage(step), subtask });
  },
  tell_permitted: (step, run) => {
    const { subtask } = step;
    sendToModel(run, { cause: 'permitted', text: permittedMessage(step), subtask });
  },
  tell_cut: ({ why }, run) => sendToModel(run, { cause: 'cut_off', text: cutBehindCalls(why) }),
  claim_by_text: (_, run) => claimByText(run),
  refuse: ({ why: text, fromSeq: rewindTo }, run) =>
    sendToModel(run, { cause: 'refusal', text, rewindTo }),
  rewind: ({ fromSeq, why }, { context }) => void context.record({ type: 'rewound', fromSeq, why }),
  open_branch: ({ why }, { context }) => void context.record({ type: 'branched', at: 'open', why }),
  close_branch: ({ why }, { context }) =>
    void context.record({ type: 'branched', at: 'close', why }),
  open_round: openRound,
  adopt_plan: (_, run) => adoptPlan(run),
  begin_try: (_, run) => beginTry(run),
  adopt_try: (_, run) => adoptTry(run),
  end_try: ({ why }, run) => endTry(why, run),
  adopt_call: (_, run) => adoptCall(run),
  plan_goal: planGoal,
  replan: ({ why }, run) => startReplan(run, why),
  start_subtask: ({ id }, run) => startSubtask(id, run),
  tell_child: ({ subtask }, run) => tellChild(subtask, run),
  finish_subtask: finishSubtask,
  refuse_claim: ({ reason }, run) => refuseClaim(reason, run),
};

export async function perform(step: WorkStep, run: RunPorts): Promise<void> {
  const work = STEPS[step.do] as (step: WorkStep, run: RunPorts) => Promise<void> | void;
  await work(step, run);
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
