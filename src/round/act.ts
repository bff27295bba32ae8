/** Calls carried out, and their outcomes told to the model. */
import { createHash } from 'node:crypto';
import { blockReason, normaliseResult } from '../context-manager/loop-detector.ts';
import { examineFile } from '../languages/examine-file.ts';
import { isTellingLine } from '../languages/test-output.ts';
import { checkFailed } from '../prompts/questions.ts';
import { shortError } from '../prompts/short-error.ts';
import type { ActionFacts, ToolResult } from '../schema/actions.ts';
import type { ToolCall } from '../schema/messages.ts';
import type { RunState } from '../schema/state.ts';
import { completionGate } from '../steps/gate.ts';
import { isOpen, subtasksOf } from '../steps/look.ts';
import { executeCall, type FinishDeps } from '../tools/execute.ts';
import { signatureOf } from '../tools/signature.ts';
import type { Run } from './run.ts';
import { say } from './say.ts';

/** A repair that repairs nothing. */
const UNCHANGED = 'it is the same as before, so it fails as before: something must change';

/** Longest failed check told in json mode, in characters. */
const MAX_FAILURE = 1000;

/** Ids name subtask, round and place in it: the same call always has the same one. */
export function actionId(state: RunState): string {
  const subtask = state.active?.id ?? 'none';
  return `${subtask}#${state.round?.n ?? 0}#${state.round?.actions ?? 0}`;
}

export async function execute(folded: ToolCall, run: Run): Promise<void> {
  const { context } = run;
  // The fold holds long arguments by reference.
  const call = context.journal.inflate(folded) as ToolCall;
  const id = actionId(context.state);
  await executeCall(call, id, {
    ...finishDeps(run),
    tools: run.tools,
    context: run.toolContext,
    clock: run.clock,
    signal: run.signal,
    log: {
      intended: (record) => context.record({ type: 'action_intended', ...record }),
      started: (record) => context.record({ type: 'action_started', ...record }),
      finished: (record) => context.record({ type: 'action_finished', ...record }),
    },
    onOutput: (text) => run.emit({ type: 'action_output', text }),
    blockReason: (signature) => blockReason(context.state.loop, signature),
    denyReason: (tool, args) => denyReason(context.state, tool, args),
    onInternalError: (error) => run.logError(error),
  });
}

/** What every finished action goes through, also one that settling ends. */
export const finishDeps = (run: Run): FinishDeps => ({
  resultHash: (text) =>
    createHash('sha256').update(normaliseResult(text)).digest('hex').slice(0, 16),
  revise: (action) => revise(action, run),
  keepFullResult: (id, text) => {
    const blob = run.context.journal.blobs.keep(Buffer.from(text));
    run.context.record({ type: 'note', kind: 'full_result', data: { id, blob } });
  },
});

/** The gate, for modes that cannot leave a closed action out of the question. */
function denyReason(
  state: RunState,
  tool: string,
  args: { readonly [name: string]: unknown },
): string | null {
  if (tool !== 'mark_subtask_complete' || args.success !== true) return null;
  const gate = completionGate(state);
  return gate.isOpen ? null : `${gate.reason} Then call mark_subtask_complete again.`;
}

/** Looks at files just written, and says what speaks against them in the result itself. */
async function revise(
  action: {
    readonly tool: string;
    readonly args: { readonly [name: string]: unknown };
    readonly result: ToolResult;
  },
  run: Run,
): Promise<ToolResult> {
  const { tool, args, result } = action;
  if (result.status !== 'ok') return result;
  if (tool === 'mark_subtask_complete') return { ...result, facts: claimFacts(args, run) };
  if (tool !== 'write_file' && tool !== 'edit_file') return result;
  const paths = Object.keys(result.hashes ?? {});
  const looks = await Promise.all(paths.map((path) => examineFile(path, run.lookDeps())));
  const isSame = run.context.state.round?.origin === 'repair' && result.facts?.changed === false;
  const problems = looks.flatMap((facts) =>
    [...facts.problems, ...(isSame ? [UNCHANGED] : [])].map(
      (problem) => `Problem in ${facts.path}: ${problem}`,
    ),
  );
  return {
    ...result,
    content: [result.content, ...problems].join('\n'),
    facts: { ...result.facts, files: looks },
  };
}

function claimFacts(args: { readonly [name: string]: unknown }, run: Run): ActionFacts {
  const gate = completionGate(run.context.state);
  return { evidence: args.success !== true || (gate.isOpen && gate.evidence) };
}

/** A call behind one that ended neither ok nor error; its id gets a result all the same. */
export function skipCall(call: ToolCall, run: Run): void {
  const result = 'Not run: a call before it did not come to an end.';
  run.context.record({
    type: 'action_finished',
    id: actionId(run.context.state),
    tool: call.name,
    signature: signatureOf(call.name, call.args),
    callId: call.id,
    status: 'not_run',
    result,
    resultHash: '',
    facts: {},
    hashes: {},
  });
}

/** The outcome of the last action, as the answer to its call. */
export function tell(run: Run): void {
  const { state } = run.context;
  const untold = state.pending?.untold;
  if (!untold) return;
  const finished = run.context.read(untold.offset, 'action_finished');
  const isCompletion = untold.tool === 'mark_subtask_complete' && finished.status === 'ok';
  const text = isCompletion ? completionText(state) : String(finished.result);
  say(run, { cause: 'tool_result', text, call: { id: untold.callId, tool: untold.tool } });
}

/** The last completion of a plan ends the goal, as far as the model is concerned. */
function completionText(state: RunState): string {
  if (state.active) return 'Noted. The plan is looked at again.';
  const isLeft = state.plan !== null && subtasksOf(state.plan).some(isOpen);
  return JSON.stringify({ status: isLeft ? 'subtask_complete' : 'goal_complete' });
}

/** A failed check is the answer to the completion call. */
export function tellFailedCheck(isProof: boolean, run: Run): void {
  const { state } = run.context;
  const untold = state.pending?.untold;
  const failed = state.commands.at(-1);
  const heads = state.active?.claim?.checks.filter((check) => !check.passed) ?? [];
  const record = failed && isProof ? run.context.readAny(failed.offset) : null;
  const text =
    record?.type === 'check_ran' ? String(record.text) : heads.map((one) => one.text).join('\n');
  say(run, {
    cause: isProof ? 'proof_failed' : 'check_failed',
    text: checkFailed(
      state.settings?.mode === 'json' ? shortError(text, MAX_FAILURE, isTellingLine) : text,
    ),
    ...(untold ? { call: { id: untold.callId, tool: untold.tool } } : {}),
  });
}
