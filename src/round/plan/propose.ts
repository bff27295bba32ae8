/** A plan that the model proposes with a call: judged at the call, then adopted as the run's plan. */

import { quotedBrief } from '../../decompose/brief/stated-brief.ts';
import { fallbackPlan } from '../../decompose/parse-plan.ts';
import { faultOfTests, faultOfWork, planOfWork } from '../../decompose/proposed-work.ts';
import { runsTests } from '../../languages/testing/test-runs.ts';
import type { ToolResult } from '../../schema/actions.ts';
import type { PlanArgs } from '../../schema/model/proposed-plan.ts';
import type { Plan, Proof } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { hasEndedWell } from '../../steps/select.ts';
import type { Step } from '../../steps/step.ts';
import type { CallArgs } from '../../tools/calls/args-schema.ts';
import { driverIn, driverViewOf, type ViewPort } from '../driver-view.ts';
import type { ConversationPort } from '../model/send-to-model.ts';
import type { RunPorts } from '../run-ports.ts';
import { reportDeparture } from './agree.ts';
import { recordBrief } from './brief.ts';
import { joined, nextTask } from './joined-plan.ts';
import { missingPrograms } from './missing-programs.ts';

export type ProposePort = ViewPort & Pick<RunPorts, 'isInstalled' | 'toolContext'>;

/** The result of the call: the plan as it would be, or its faults. */
export async function proposed(
  result: ToolResult,
  args: CallArgs,
  run: ProposePort,
): Promise<ToolResult> {
  const asked = asGiven(args as PlanArgs, run.context.state);
  const { plan, withTests, givenProof } = run.context.state;
  const fault =
    faultOfWork(asked, plan?.proof ?? null) ??
    (withTests ? faultOfTests(asked, plan, run.world.exists) : null) ??
    (givenProof === undefined ? await faultOfProof(asked, run) : null);
  if (fault !== null) return { status: 'error', content: `This plan cannot be used: ${fault}` };
  const reply = driverIn(run).planReply(planOf(asked, run), driverViewOf(run));
  return { ...result, content: [reply, ...unallowedProof(asked, run)].join('\n') };
}

/**
 * Tells the model that its proof needs a yes, since it may know one that runs unasked. Otherwise the run
 * waits for a person once the work is done.
 */
function unallowedProof({ proof }: PlanArgs, { policy }: ProposePort): readonly string[] {
  const refused = proof === undefined ? null : policy.commandFault(proof.cmd.trim());
  return refused === null ? [] : [`${refused} ${WAITS}`];
}

const WAITS =
  'At its end the run waits for that. If another command shows the goal too and needs no yes, set the plan with that one as proof.';

/** A proof that a person gave replaces the plan's own. */
const asGiven = (asked: PlanArgs, { givenProof: cmd }: RunState): PlanArgs =>
  cmd === undefined ? asked : { ...asked, proof: { cmd } };

/** A proof that cannot run here would show nothing at the end. */
async function faultOfProof(
  { proof }: PlanArgs,
  { policy, isInstalled, toolContext }: ProposePort,
): Promise<string | null> {
  const cmd = proof?.cmd.trim() ?? '';
  if (cmd === '') return null;
  const refused = policy.judgeLine(cmd).kind === 'ask' ? null : policy.commandFault(cmd);
  if (refused !== null) return `Its proof could not be run. ${refused}`;
  const { platform } = toolContext.processes;
  const missing = (await missingPrograms([cmd], { platform, isInstalled })).get(cmd) ?? [];
  return missing.length > 0
    ? `Its proof could not be run: ${cmd}: ${missing.join(', ')} is not installed here.`
    : null;
}

/**
 * A separate step after the call. It needs no stored plan, because the same call in the same state gives the
 * same plan.
 */
export function adoptCall(run: ConversationPort & Pick<RunPorts, 'emit'>): void {
  const { context } = run;
  const { pending } = context.state;
  const call = pending?.calls[pending.next - 1];
  if (!call) throw new Error('No call proposed a plan.');
  const args = asGiven(context.journal.readBack(call.args) as PlanArgs, context.state);
  if (args.brief !== undefined) {
    const said = { kind: args.answer_only ? 'question' : 'work', stated: args.brief };
    recordBrief(run, said, quotedBrief(said));
  }
  setPlan(run, planOf(args, run), args.why?.trim() || 'as the model set it');
}

/** Makes the goal itself the plan: no plan came, or the model gave a text and changed nothing. */
export function planGoal(
  { why, isAnswer }: Extract<Step, { do: 'plan_goal' }>,
  run: ConversationPort & Pick<RunPorts, 'emit'>,
): void {
  const { state } = run.context;
  const plan = fallbackPlan(state.goal, nextTask(state.plan));
  const proof = isAnswer ? null : (given(state) ?? failedTests(state));
  const fresh: Plan = isAnswer
    ? { ...plan, fallback: false, answer_only: true }
    : { ...plan, ...(proof ? { proof, fallback: false } : {}) };
  if (!isAnswer) {
    const text = `No usable plan came (${why}); the goal is worked on as one subtask.`;
    run.emit({ type: 'notice', level: 'warning', text });
  }
  setPlan(run, joined(state, fresh), `the goal itself: ${why}`);
}

function planOf(args: PlanArgs, { context }: ConversationPort): Plan {
  const { state } = context;
  const read = planOfWork(args, nextTask(state.plan));
  const seen = read.answer_only || state.plan ? null : failedTests(state);
  const plan = read.proof || !seen ? read : { ...read, proof: seen };
  return joined(state, plan);
}

const given = ({ givenProof: cmd }: RunState): Proof | null => (cmd === undefined ? null : { cmd });

/** Failed tests that the model ran become the proof if none is named: their passing shows the work. */
function failedTests({ commands }: RunState): Proof | null {
  const tests = commands.findLast(({ cmd, isAsTyped = true }) => isAsTyped && runsTests(cmd));
  const isRed = tests && !hasEndedWell(tests) && typeof tests.exitCode === 'number';
  return isRed && tests.testsRan !== 'none' ? { cmd: tests.cmd } : null;
}

function setPlan(run: ConversationPort & Pick<RunPorts, 'emit'>, plan: Plan, why: string): void {
  reportDeparture(run, plan, why);
  const type = run.context.state.plan ? 'replanned' : 'plan_set';
  run.context.record({ type, plan, why });
}
