/** Turns the model's answer into a plan, or makes the goal itself the only subtask. */

import {
  fallbackPlan,
  type ParsedPlan,
  parsePlan,
  plannedCommands,
} from '../../decompose/parse-plan.ts';
import { MAX_FILES, type PlanContext } from '../../decompose/plan-context.ts';
import { plannableOf } from '../../decompose/plan-schema.ts';
import { planExamples } from '../../languages/plan-examples.ts';
import { goalToTell } from '../../prompts/goal.ts';
import { planQuestionAgain } from '../../prompts/plan.ts';
import { CUT_OFF } from '../../prompts/remarks.ts';
import { isWholeWrite } from '../../schema/capability.ts';
import { type Plan, subtasksOf } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { PATIENCE } from '../../steps/step.ts';
import { type RenewPort, renewTools } from '../model/known-tools.ts';
import { leavesSchema } from '../model/schema-left.ts';
import { type ConversationPort, sendToModel } from '../model/send-to-model.ts';
import type { RunPorts } from '../run-ports.ts';
import { type DriverSwitchPort, switchDriver } from '../switch-driver.ts';
import { reportDeparture } from './agree.ts';
import { joined, nextTask, provedAsGiven } from './joined-plan.ts';
import { missingPrograms } from './missing-programs.ts';

export type PlanningPort = DriverSwitchPort &
  Pick<
    RunPorts,
    'world' | 'installed' | 'isInstalled' | 'tools' | 'emit' | 'policy' | 'toolContext' | 'signal'
  >;

/** Takes the answer to the plan question: adopt a plan, ask again once with the exact fault, or fall back. */
export async function adoptPlan(run: PlanningPort): Promise<void> {
  const { state } = run.context;
  const turn = state.lastTurn;
  if (!turn) return;
  const answer = String(run.context.read(turn.offset, 'turn_finished').response.content);
  if (leavesSchema(state, answer))
    return switchDriver(run, 'free', 'its server does not hold its answers to a schema');
  const firstTask = nextTask(state.plan);
  const isLastTry = state.counters.planTries >= PATIENCE.planTries;
  const parsed =
    turn.status.kind === 'success'
      ? await parsedAnswer(run, answer, { firstTask, isLastTry })
      : { kind: 'fault' as const, fault: CUT_OFF.plan };
  // The programs were looked up while the run was being stopped, so the result is unreliable; the next start
  // repeats it.
  if (run.signal.aborted) return;
  if (parsed.kind === 'plan') {
    const { plan, doubt } = parsed;
    setPlan(run, plan, doubt ? `taken with a fault: ${doubt}` : 'as the model proposed');
    return;
  }
  if (!isLastTry) return askAgain(run, parsed.fault);
  run.emit({
    type: 'notice',
    level: 'warning',
    text: `No usable plan came (${parsed.fault}); the goal is worked on as one subtask.`,
  });
  const plan = provedAsGiven(fallbackPlan(state.goal, firstTask), state);
  setPlan(run, plan, `fallback: ${parsed.fault}`);
}

/** The question replaces itself and the refused answer: with that in view, the model would only repeat it. */
function askAgain(run: ConversationPort, fault: string): void {
  const { context } = run;
  const question = context.state.conversation.findLast(({ role }) => role === 'user');
  if (question === undefined) throw new Error('A plan was answered without a question.');
  const [asked] = context.messagesOf([question]);
  sendToModel(run, {
    cause: 'plan_refused',
    text: planQuestionAgain(asked?.content ?? '', goalToTell(context.state), fault),
    shows: question.shows ?? [],
    rewindTo: question.seq,
  });
}

async function parsedAnswer(
  run: PlanningPort,
  answer: string,
  asked: Pick<PlanContext, 'firstTask' | 'isLastTry'>,
): Promise<ParsedPlan> {
  const commands = plannedCommands(answer, plannableOf(run.tools));
  return parsePlan(answer, await planContextOf(run, commands, asked));
}

/** @param commands that the plan may name; the programs that they need are looked up */
export async function planContextOf(
  run: PlanningPort,
  commands: readonly string[],
  asked: Pick<PlanContext, 'firstTask' | 'isLastTry'>,
): Promise<PlanContext> {
  const { context, world, policy, installed } = run;
  const { state } = context;
  const { plainTry } = state.guided;
  const tools = plannableOf(run.tools);
  const { platform } = run.toolContext.processes;
  const missing = await missingPrograms(commands, {
    platform,
    isInstalled: (program) => run.isInstalled(program),
  });
  return {
    goal: state.goal,
    brief: state.brief,
    examples: planExamples(installed, state.goal),
    installed,
    files: world.files(MAX_FILES),
    withTests: state.withTests === true,
    givenProof: state.givenProof,
    saidSentence: plainTry?.is === 'over' && plainTry.isText === true,
    testsFail: state.testsBeforePlan?.failed === true,
    finishedFiles: state.plan ? finishedFiles(state.plan) : [],
    exists: (path) => world.exists(path),
    readText: (path) => (policy.mayShow(path) ? world.readText(path) : null),
    commandFault: (cmd) => policy.commandFault(cmd),
    missingProgram: (cmd) => missing.get(cmd) ?? null,
    tools,
    ...asked,
  };
}

const finishedFiles = (plan: Plan): readonly string[] =>
  subtasksOf(plan).flatMap(({ step, status }) =>
    status === 'completed' && step && isWholeWrite(step) ? [step.target] : [],
  );

function setPlan(run: ConversationPort & Pick<RunPorts, 'emit'>, plan: Plan, why: string): void {
  const { state } = run.context;
  if (!state.replan || !state.plan) {
    run.context.record({ type: 'plan_set', plan, why });
    return;
  }
  const next = joined(state, plan);
  reportDeparture(run, next, why);
  run.context.record({ type: 'replanned', plan: next, why });
}

export function startReplan(run: RenewPort, why: string): void {
  const { counters }: RunState = run.context.state;
  run.context.record({ type: 'replan_started', n: counters.replans + 1, why });
  renewTools(run);
}
