/** The engine's own checks. They run like commands, with an intent, and are never presented as the model's. */

import { comparedToBefore } from '../evidence/as-before.ts';
import { removeLeftovers } from '../evidence/trials/in-copy.ts';
import { passedBefore } from '../evidence/trials/passed-before.ts';
import type { Installed } from '../languages/language.ts';
import { languageOf } from '../languages/languages.ts';
import { lacksPackage, testsThatRan } from '../languages/testing/test-output.ts';
import { type CheckDeps, type CheckResult, runCheck, runProof } from '../probe/checks.ts';
import type { ToolResult } from '../schema/actions.ts';
import { exampleText } from '../schema/model/brief.ts';
import type { Check, Proof } from '../schema/plan.ts';
import type { RecordOf } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import { type DueCheck, dueChecks } from '../steps/gate/claim.ts';
import type { DueExample } from '../steps/gate/examples.ts';
import { cutOutput } from '../tools/commands/cut-output.ts';
import type { CommandRequest } from '../tools/contract.ts';
import { executeCheck } from '../tools/execute.ts';
import { failed } from '../tools/result.ts';
import { commandCall } from '../tools/toolset.ts';
import { finishDeps, withInvolved } from './act.ts';
import { carryOutDeps } from './carry-out.ts';
import { driverIn } from './driver-view.ts';
import type { JudgedCall, ReadyStep } from './permission/judged-call.ts';
import { withAnswers } from './permission/with-answers.ts';
import type { RunPorts } from './run-ports.ts';

/** Runs check number `index` of the claim and records the result. */
export async function check(
  { index, judged }: Extract<ReadyStep, { do: 'check' }>,
  run: RunPorts,
): Promise<void> {
  const { state } = run.context;
  const due = dueChecks(state)[index];
  if (!due) throw new Error(`There is no check ${index}.`);
  await performCheck(due, { id: `${placeIn(state)}#c${index}`, judged }, run);
}

/** Runs the proof before the run is declared failed. `why` is the reason for failing. */
export async function prove(
  { why: failing, judged }: Extract<ReadyStep, { do: 'prove' }>,
  run: RunPorts,
): Promise<void> {
  const { state } = run.context;
  const proof = state.plan?.proof;
  if (!proof) throw new Error('The plan has no proof.');
  const id = `${placeIn(state)}#last`;
  await performCheck({ check: proof, isProof: true }, { id, judged, why: { failing } }, run);
}

const placeIn = ({ active, round }: RunState): string => `${active?.id ?? 'none'}#${round?.n ?? 0}`;

interface Looking {
  readonly id: string;
  readonly judged: JudgedCall | null;
  readonly why?: { readonly failing: string };
}

async function performCheck(
  { check: due, isProof }: DueCheck,
  { id, judged, why }: Looking,
  run: RunPorts,
): Promise<void> {
  const { state } = run.context;
  let isCommand = false;
  const readable = readableOutput(id, run);
  const deps: CheckDeps = {
    ...(readable ? { excerpt: readable.shown } : {}),
    readText: (path: string) => run.world.readText(path),
    // Files that the run itself wrote with consent reveal nothing new.
    needsApproval: (path: string) =>
      !run.policy.mayShow(path) && state.files[path]?.written !== true,
    exists: (path: string) => run.world.exists(path),
    prompts: Object.values(state.files).flatMap((file) => file.prompts),
    runCommand: async (cmd: string, stdin: string | undefined) => {
      isCommand = true;
      const result = await runCommand(id, { cmd, stdin }, run, judged);
      return { ...result, exitCode: result.facts?.exitCode ?? null };
    },
  };
  const check = 'example' in due ? exampleCheck(due, run.installed) : due;
  const asked = isProof ? withChosenInput(check as Proof, run) : check;
  const seen = isProof
    ? await runProof(asked as Proof, deps)
    : await runCheck(asked as Check, deps);
  if (run.signal.aborted) return;
  const result =
    'example' in due && !seen.passed ? await unlessPassedBefore(seen, due, asked, run) : seen;
  if (run.signal.aborted) return;
  readable?.keep();
  run.context.record({
    type: 'check_ran',
    id: isCommand ? id : null,
    subtask: state.active?.id ?? 'none',
    check: asked,
    proof: isProof,
    ...(isProof ? { when: 'after', ...redOf(result) } : {}),
    ...why,
    passed: result.passed,
    ...(result.isAside ? { aside: true } : {}),
    text: result.text,
    ...(isProof && result.printed !== undefined ? { printed: result.printed } : {}),
    facts: {
      ...factsOf(asked, result, run),
      ...(isProof ? asBefore(asked as Proof, result, run) : {}),
    },
  });
}

/** Characters of a failed command's output that a free driver's model sees. */
const MAX_SHOWN = 4000;

/** A free driver's model sees the failure and can read on in the rest. */
function readableOutput(id: string, run: RunPorts) {
  if (!driverIn(run).callsTools) return null;
  let whole: string | null = null;
  return {
    shown: (output: string): string => {
      const text = output.trim();
      const readOn = (from: number): string => run.toolContext.readOn?.(id, from) ?? '';
      const cut = cutOutput(text, Math.min(MAX_SHOWN, run.toolContext.maxResultChars), readOn);
      if (cut !== text) whole = text;
      return cut;
    },
    keep: (): void => {
      if (whole !== null) finishDeps(run).storeFullResult?.(id, whole);
    },
  };
}

/** Seconds that a proof may take when it only shows the state before the work. */
const MAX_BEFORE_SEC = 60;

/** Runs the proof while everything is as the run found it. */
export async function proveBefore(run: RunPorts): Promise<void> {
  const { state } = run.context;
  const proof = state.plan?.proof;
  if (!proof) throw new Error('There is no proof to run.');
  const id = 'before#proof';
  // A plan only guesses the output, so missing output is not a failure of what was there.
  const check = { cmd: proof.cmd, ...(proof.stdin === undefined ? {} : { stdin: proof.stdin }) };
  const result = await runProof(check, {
    readText: (path) => run.world.readText(path),
    exists: (path) => run.world.exists(path),
    runCommand: async (cmd, stdin) => {
      const ran = await runCommand(id, { cmd, stdin, timeout_sec: MAX_BEFORE_SEC }, run);
      return { ...ran, exitCode: ran.facts?.exitCode ?? null };
    },
  });
  if (run.signal.aborted) return;
  run.context.record({
    type: 'check_ran',
    id,
    subtask: state.active?.id ?? 'none',
    check,
    proof: true,
    when: 'before',
    ...(lacksPackage(result.output ?? '') ? { red: 'unknown' as const } : redOf(result)),
    passed: result.passed,
    text: result.text,
    facts: {
      ...result.facts,
      ...asBefore(proof, result, run),
    },
  });
}

const asBefore = ({ cmd }: Proof, { facts, output = '' }: CheckResult, run: RunPorts) =>
  comparedToBefore(run.context.state, {
    cmd,
    output,
    folder: run.toolContext.workspace,
    exitCode: facts.exitCode ?? null,
  });

/** An example that held before any change describes how things were, not what is wanted. */
async function unlessPassedBefore(
  seen: CheckResult,
  { file }: DueExample,
  asked: Check | Proof,
  run: RunPorts,
): Promise<CheckResult> {
  const wasThere = (run.context.state.files[file]?.baseline ?? null) !== null;
  if (!wasThere || !('cmd' in asked)) return seen;
  const decide = withAnswers(run, run.scratch.policy.decide);
  const held = await passedBefore(run, asked, decide);
  await removeLeftovers(run);
  return held
    ? { passed: true, isAside: true, text: `set aside, it was so before: ${asked.cmd}`, facts: {} }
    : seen;
}

/** The check is built from names and values; what is installed decides how the language runs it. */
export function exampleCheck(
  { example, file, words = [], isWhole }: DueExample,
  installed: Installed,
): Extract<Check, { type: 'goal_example' }> {
  const { runs } = languageOf(file);
  const { input, gives } = example;
  const says = exampleText(example);
  const type = 'goal_example';
  if (input.how === 'call') {
    const cmd = runs?.evaluates?.(file)?.({ name: input.name, args: input.args, gives }, installed);
    if (cmd == null) throw new Error(`${file} cannot be tried.`);
    return { type, says, cmd, prints: 'gives', isValue: true };
  }
  const run = isWhole ? '' : runs?.run(file, installed);
  if (run == null) throw new Error(`${file} cannot be run.`);
  const cmd = [run, ...words.map(quoted)].filter(Boolean).join(' ');
  const prints = String(gives);
  return input.how === 'stdin'
    ? { type, says, cmd, stdin: `${input.text}\n`, prints }
    : { type, says, cmd, prints };
}

const quoted = (word: string): string => (/^[^\s"']+$/.test(word) ? word : `"${word}"`);

/** The facts of a failure, with the files to look at for a driver that makes repairs. */
const factsOf = (
  asked: Check | Proof,
  { passed, output = '', facts }: CheckResult,
  run: RunPorts,
) =>
  passed || !('cmd' in asked) || !driverIn(run).mendsByItself
    ? facts
    : withInvolved(facts, { cmd: asked.cmd, output }, run);

/** A program that ran to its end failed by itself. If something else stopped it, the result is unknown. */
function redOf({ passed, facts, output = '' }: CheckResult): Pick<RecordOf<'check_ran'>, 'red'> {
  if (passed) return {};
  const areSkipped = facts.exitCode === 0 && testsThatRan(output) !== null;
  if (facts.testsRan === 'none' || areSkipped) return { red: 'absent' };
  return { red: typeof facts.exitCode === 'number' ? 'failing' : 'unknown' };
}

/**
 * A guided plan guesses a proof's input before the code exists, so an input that was chosen later replaces
 * it. Not replaced are proofs of a person, proofs that state their output, and proofs of a leading model.
 */
function withChosenInput(proof: Proof, run: RunPorts): Proof {
  const { commands, givenProof } = run.context.state;
  const isGuess =
    driverIn(run).mendsByItself && proof.cmd !== givenProof && proof.prints === undefined;
  const chosen = commands.findLast((one) => one.cmd === proof.cmd && one.stdin !== null);
  return isGuess && chosen?.stdin ? { cmd: proof.cmd, stdin: chosen.stdin } : proof;
}

async function runCommand(
  id: string,
  args: CommandRequest,
  run: RunPorts,
  judged: JudgedCall | null = null,
): Promise<ToolResult> {
  const deps = carryOutDeps(run);
  if (judged !== null && isAbout(judged, args)) {
    const { call, read, decision } = judged;
    return executeCheck(call, id, { ...deps, decide: async () => decision }, read);
  }
  const call = commandCall(run.tools, args);
  return call === null
    ? failed('There is no tool to run commands with.')
    : executeCheck(call, id, deps);
}

/** The input may have been chosen after the plan named the command. */
const isAbout = ({ call }: JudgedCall, { cmd, stdin }: CommandRequest): boolean =>
  call.args.cmd === cmd && call.args.stdin === stdin;
