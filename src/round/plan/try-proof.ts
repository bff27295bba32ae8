/** Tries the answer to a plain try in the scratch copy, before anything of it is written. */
import { copyFor, removeLeftovers, runInCopy } from '../../evidence/trials/in-copy.ts';
import { isCodePath, isTestPath } from '../../languages/languages.ts';
import { failureLines } from '../../languages/testing/short-failure.ts';
import { runsTests } from '../../languages/testing/test-runs.ts';
import { own } from '../../lib/own.ts';
import { SCRATCH_ID, TRY } from '../../schema/evidence.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { Plan, Proof } from '../../schema/plan.ts';
import type { RecordOf } from '../../schema/records.ts';
import { USAGE } from '../../steps/gate/inconclusive.ts';
import { ownFile } from '../../steps/select.ts';
import { withAnswers } from '../permission/with-answers.ts';
import type { RunPorts } from '../run-ports.ts';

const TRIAL_SECONDS = 60;

/**
 * Runs the proof of the answer in a copy that contains its files. If it fails, nothing of the answer reaches
 * the workspace and the question is asked anew: a small model repeats a mistake that it sees, but a fresh
 * answer often lacks it. Tests of the answer must fail without its code; otherwise they show nothing.
 * @param failed how many earlier answers failed
 * @returns the fault; `null` if the proof passes, or shows nothing
 */
export async function proofFault(
  calls: readonly ToolCall[],
  { plan: { tasks, proof }, failed }: { readonly plan: Plan; readonly failed: number },
  run: RunPorts,
): Promise<string | null> {
  if (!proof) return failed > 0 ? 'nothing can be run that shows that it works' : null;
  // Files that the plan leaves out stay as they are.
  const planned = new Set(tasks.flatMap(({ subtasks }) => subtasks.map(ownFile)));
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

/** `null`: the failure says nothing about the answer. */
function failureOf({ facts, scratch, text }: Ran, { cmd }: Proof, { context }: RunPorts) {
  const { failedBefore = {}, givenProof } = context.state;
  // What a person gave, and tests, may take their time.
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
  /** Which of the answer's trials it is, from 0. */
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
