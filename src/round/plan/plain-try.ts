/**
 * The plain try before a plan: its question in a separate conversation, and the plan that results from its
 * answer.
 */
import { fallbackPlan } from '../../decompose/parse-plan.ts';
import { planOfFiles } from '../../decompose/tried-plan.ts';
import { copyFor, removeLeftovers, runInCopy } from '../../evidence/trials/in-copy.ts';
import { isCodePath, isTestPath } from '../../languages/languages.ts';
import { failureLines } from '../../languages/testing/short-failure.ts';
import { runsTests } from '../../languages/testing/test-runs.ts';
import { own } from '../../lib/own.ts';
import { SCRATCH_ID, TRY } from '../../schema/evidence.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import { type Plan, type Proof, subtasksOf } from '../../schema/plan.ts';
import type { RecordOf } from '../../schema/records.ts';
import { USAGE } from '../../steps/gate/inconclusive.ts';
import { subtaskFile } from '../../steps/select.ts';
import { PATIENCE } from '../../steps/step.ts';
import { driverIn, driverViewOf, type ViewPort } from '../driver-view.ts';
import { type ConversationPort, sendToModel } from '../model/send-to-model.ts';
import { withAnswers } from '../permission/with-answers.ts';
import type { RunPorts } from '../run-ports.ts';
import { nextTask } from './joined-plan.ts';
import { type PlanningPort, planContextOf } from './planning.ts';

/** Asks the question. If the folder does not fit into it, the goal is planned at once. */
export function beginTry(run: ViewPort): void {
  const { context } = run;
  const words = driverIn(run).plainTry(driverViewOf(run));
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

const TRIAL_SECONDS = 60;

/**
 * Runs the proof of the answer in a copy that contains its files. If it fails, nothing of the answer reaches
 * the workspace and the question is asked anew: a small model repeats a mistake that it sees, but a fresh
 * answer often lacks it. Tests of the answer must fail without its code; otherwise they show nothing.
 * @param failed how many earlier answers failed
 * @returns the fault; `null` if the proof passes, or shows nothing
 */
async function proofFault(
  calls: readonly ToolCall[],
  { plan: { tasks, proof }, failed }: { readonly plan: Plan; readonly failed: number },
  run: RunPorts,
): Promise<string | null> {
  if (!proof) return failed > 0 ? 'nothing can be run that shows that it works' : null;
  // Files that the plan leaves out stay as they are.
  const planned = new Set(tasks.flatMap(({ subtasks }) => subtasks.map(subtaskFile)));
  const files = calls.filter(({ args }) => planned.has(String(args.path)));
  const record = await ranInCopy(files, { proof, failed, n: 0 }, run);
  if (record === null) return null;
  if (!record.passed) return failureOf(record, proof, run);
  const tests = files.filter(({ args }) => isTestPath(String(args.path)));
  const hasCode = files.some(
    ({ args: { path } }) => isCodePath(`${path}`) && !isTestPath(`${path}`),
  );
  if (tests.length === 0 || !hasCode || !runsTests(proof.cmd)) return null;
  const without = await ranInCopy(tests, { proof, failed, n: 1 }, run);
  return without?.passed ? `${proof.cmd} passes without the code, too` : null;
}

/** The fault of the answer; `null`: the failure says nothing about it. */
function failureOf({ facts, scratch, text }: Ran, { cmd }: Proof, { context }: RunPorts) {
  const { failedBefore = {}, givenProof } = context.state;
  // A proof that a person gave, and a test run, may take long.
  if (scratch?.endless) return cmd === givenProof || runsTests(cmd) ? null : `${cmd} does not end`;
  const { exitCode, asksForInput, asBefore } = facts;
  const showsNothing =
    typeof exitCode !== 'number' ||
    asksForInput !== undefined ||
    (asBefore === true && own(failedBefore, cmd) !== undefined) ||
    (exitCode === USAGE && !runsTests(cmd));
  if (showsNothing) return null;
  const failure = failureLines(context.textOf(text)).join(' ');
  return `${cmd}: ${failure || `exit code ${exitCode}`}`;
}

type Ran = Omit<RecordOf<'check_ran'>, 'type'>;

interface Trial {
  readonly proof: Proof;
  readonly failed: number;
  /** The number of this trial among the answer's trials, from 0. */
  readonly n: number;
}

/** A trial that ran before a crash is not repeated. `null`: it could not be run. */
async function ranInCopy(
  calls: readonly ToolCall[],
  { proof, failed, n }: Trial,
  run: RunPorts,
): Promise<Ran | null> {
  const { context } = run;
  const { plainTry } = context.state.guided;
  const known = plainTry?.is === 'answered' ? plainTry.trials?.[n] : undefined;
  if (known !== undefined) return context.read(known, 'check_ran');
  const files = calls.map(
    ({ args }) => [String(args.path), Buffer.from(String(args.content))] as const,
  );
  try {
    const copied = await copyFor(run, new Map(files));
    if (copied.kind !== 'copied') return null;
    const ran = await runInCopy(run, proof, {
      id: `${SCRATCH_ID}${TRY}#${failed}#${n}`,
      seconds: TRIAL_SECONDS,
      isEnough: true,
      scratch: { what: TRY, about: n === 0 ? '' : 'the tests alone', tree: copied.tree },
      decide: withAnswers(run, run.scratch.policy.decide),
    });
    return ran?.record ?? null;
  } finally {
    await removeLeftovers(run);
  }
}
