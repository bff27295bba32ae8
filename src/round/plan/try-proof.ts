/** Tries the answer to a plain try in the scratch copy, before anything of it is written. */
import { copyFor, removeLeftovers, runInCopy } from '../../evidence/trials/in-copy.ts';
import { failureLines } from '../../languages/testing/short-failure.ts';
import { runsTests } from '../../languages/testing/test-runs.ts';
import { own } from '../../lib/own.ts';
import { SCRATCH_ID, TRY } from '../../schema/evidence.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { Plan, Proof } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { ownFile } from '../../steps/select.ts';
import { withAnswers } from '../permission/with-answers.ts';
import type { RunPorts } from '../run-ports.ts';

/** The usual exit code of a program that lacks arguments. */
const USAGE = 2;
const TRIAL_SECONDS = 60;

/**
 * Runs the proof of the answer in a copy that holds its files. If it fails, nothing of the answer reaches the workspace
 * and the question is asked anew: a small model that sees its own mistake repeats it, while another answer often lacks it.
 * @param failed how many earlier answers failed
 * @returns the failure; `null` if the proof passes, or shows nothing
 */
export async function proofFault(
  calls: readonly ToolCall[],
  { plan: { tasks, proof }, failed }: { readonly plan: Plan; readonly failed: number },
  run: RunPorts,
): Promise<string | null> {
  if (!proof) return failed > 0 ? 'nothing can be run that shows that it works' : null;
  const { context } = run;
  const { failedBefore = {} } = context.state;
  // Files that the plan leaves out stay as they are.
  const planned = new Set(tasks.flatMap(({ subtasks }) => subtasks.map(ownFile)));
  const written = calls.filter(({ args }) => planned.has(String(args.path)));
  const known = trialOf(context.state);
  const record =
    known === undefined
      ? await ranInCopy(written, { proof, failed }, run)
      : context.read(known, 'check_ran');
  if (record === null || record.passed) return null;
  const { facts, scratch } = record;
  if (scratch?.endless) return `${proof.cmd} does not end`;
  const { exitCode, asksForInput, asBefore } = facts;
  const showsNothing =
    typeof exitCode !== 'number' ||
    asksForInput !== undefined ||
    (asBefore === true && own(failedBefore, proof.cmd) !== undefined) ||
    (exitCode === USAGE && !runsTests(proof.cmd));
  if (showsNothing) return null;
  const failure = failureLines(context.textOf(record.text)).join(' ');
  return `${proof.cmd}: ${failure || `exit code ${exitCode}`}`;
}

const trialOf = ({ guided }: RunState): number | undefined =>
  guided.plainTry?.is === 'answered' ? guided.plainTry.trial : undefined;

/** A trial that ran before a crash is not repeated. `null`: it could not be run. */
async function ranInCopy(
  calls: readonly ToolCall[],
  { proof, failed }: { readonly proof: Proof; readonly failed: number },
  run: RunPorts,
) {
  const files = calls.map(
    ({ args }) => [String(args.path), Buffer.from(String(args.content))] as const,
  );
  try {
    const copied = await copyFor(run, new Map(files));
    if (copied.kind !== 'copied') return null;
    const ran = await runInCopy(run, proof, {
      id: `${SCRATCH_ID}${TRY}#${failed}`,
      seconds: TRIAL_SECONDS,
      isEnough: true,
      scratch: { what: TRY, about: '', tree: copied.tree },
      decide: withAnswers(run, run.scratch.policy.decide),
    });
    return ran?.record ?? null;
  } finally {
    await removeLeftovers(run);
  }
}
