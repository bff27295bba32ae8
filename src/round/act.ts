/** Carries out calls and reports their outcomes to the model. */

import { normaliseResult } from '../context-manager/loop-detector.ts';
import { driverOf } from '../drivers/driver-of.ts';
import { comparedToBefore } from '../evidence/as-before.ts';
import { onlyChecks } from '../languages/commands/allowed-commands.ts';
import { examineFiles } from '../languages/files/examine-file.ts';
import { involvedFiles } from '../languages/testing/involved-files.ts';
import { runsTests } from '../languages/testing/test-runs.ts';
import { sha256 } from '../lib/sha256.ts';
import {
  AFTER_GIVING_UP,
  completion,
  NOT_RUN,
  notRunFor,
  PLAN_DONE,
  problemIn,
} from '../prompts/remarks.ts';
import type { ActionFacts, ActionStatus, Claim, ToolResult } from '../schema/actions.ts';
import { endsSubtask, isCommand, setsPlan } from '../schema/capability.ts';
import type { ToolCall } from '../schema/model/messages.ts';
import type { RunState } from '../schema/state.ts';
import { completionGate } from '../steps/gate/gate.ts';
import { isLastSubtask } from '../steps/select.ts';
import { signatureOf } from '../tools/calls/validate-call.ts';
import { aboutCall, executeCall, type FinishDeps } from '../tools/execute.ts';
import { formatTarget, toolNamed } from '../tools/toolset.ts';
import { type CarryOutPort, carryOutDeps } from './carry-out.ts';
import { claimDetails } from './deny.ts';
import { driverIn } from './driver-view.ts';
import { storeResult } from './files/keep-result.ts';
import { originalText } from './files/original-text.ts';
import { withTextNow } from './files/text-now.ts';
import type { ConversationPort } from './model/send-to-model.ts';
import type { JudgedCall } from './permission/judged-call.ts';
import { type ProposePort, proposed } from './plan/propose.ts';
import type { RunPorts } from './run-ports.ts';
import { withinTime } from './within-time.ts';

/** What finishing an action needs. */
export type FinishPort = ProposePort &
  Pick<RunPorts, 'tools' | 'inspectionDeps' | 'world' | 'toolContext' | 'outputLimits'>;

export type ExecutePort = FinishPort &
  CarryOutPort &
  Pick<RunPorts, 'clock' | 'names' | 'limits' | 'elapsedMs'>;

/**
 * The id of an action: subtask, round and position; in a conversation, message, turn and position. The same
 * call always gets the same id.
 */
export function actionId({ active, round, chat, pending }: RunState): string {
  return chat === undefined
    ? `${active?.id ?? 'none'}#${round?.n ?? 0}#${round?.actions ?? 0}`
    : `m${chat.open?.seq ?? 0}#t${pending?.turn ?? 0}#${pending?.next ?? 0}`;
}

export async function execute(
  { call, read, blocked, denied, decision, answered }: JudgedCall,
  run: ExecutePort,
): Promise<void> {
  const { context } = run;
  if (waitsForEnd(call, run)) return skipCall(call, run);
  const id = actionId(context.state);
  const deps = carryOutDeps(run);
  const by = answered.length === 0 ? {} : { answered };
  run.emit({ type: 'action_started', id, call });
  await withinTime(run, (signal) =>
    executeCall(
      call,
      id,
      {
        clock: run.clock,
        ...finishDeps(run),
        ...deps,
        signal,
        log: {
          ...deps.log,
          intended: (record) => deps.log.intended({ ...record, ...by }),
          finished: (record) => context.recordAction({ type: 'action_finished', ...record, ...by }),
        },
        blocked,
        denied,
        decide: async () => decision,
      },
      read,
    ),
  );
}

/** The steps that every finished action passes through, including one that settling ends. */
export const finishDeps = (run: FinishPort): FinishDeps => ({
  resultHash: (text) => sha256(normaliseResult(text)).slice(0, 16),
  revise: (action) => revise(action, run),
  storeFullResult: (id, text) => storeResult(run, id, text),
});

type Revised = Parameters<NonNullable<FinishDeps['revise']>>[0];

/** Checks files that were just written and reports their problems in the result itself. */
async function revise(action: Revised, run: FinishPort): Promise<ToolResult> {
  const { id, tool, result } = action;
  if (result.misfit !== undefined) return withTextNow(result, result.misfit, run);
  if (result.status !== 'ok') return driverIn(run).hasVerdict ? failedResult(action, run) : result;
  if (result.claim) return claimed(result, result.claim, run);
  if (setsPlan(toolNamed(run.tools, tool) ?? {})) return proposed(result, action.args, run);
  if (toolNamed(run.tools, tool)?.touches !== 'files') return result;
  const paths = Object.entries(result.hashes ?? {}).flatMap(([path, hash]) =>
    hash === null ? [] : [path],
  );
  const before = (path: string): string | null => originalText(run, id, path);
  const looks = await examineFiles(paths, () => run.inspectionDeps(), before);
  const problems = looks.flatMap((facts) =>
    facts.problems.map((problem) => problemIn(facts.path, problem)),
  );
  return {
    ...result,
    content: [result.content, ...problems].join('\n'),
    facts: { ...result.facts, files: looks },
  };
}

/** A claim of the last subtask is a claim of the goal, which checks and proof judge next. */
function claimed(result: ToolResult, claim: Claim, run: ConversationPort): ToolResult {
  const { state } = run.context;
  const { success } = claim;
  const gate = completionGate(state, claimDetails(state, claim));
  const facts: ActionFacts = { evidence: !success || (gate.allows && gate.evidence) };
  return success
    ? { ...result, facts, content: completion(!isLastSubtask(state)) }
    : { ...result, facts };
}

/**
 * Adds facts to a failed result: places to look, for a driver that makes repairs, and for every driver whether
 * the command only looked and so says nothing about the work.
 */
function failedResult({ tool, args, result, line }: Revised, run: FinishPort): ToolResult {
  const known = toolNamed(run.tools, tool);
  if (known?.isReadOnly && result.facts?.refused === true)
    return { ...result, facts: { ...result.facts, onlyLooked: true } };
  if (!isCommand(known ?? {})) return result;
  const target = known?.target?.(args) ?? null;
  const cmd = String(args.cmd);
  const looks = () => run.policy.isReadOnly(cmd, target?.folder, line ?? undefined);
  if (result.facts?.refused === true && looks())
    return { ...result, facts: { ...result.facts, onlyLooked: true } };
  if (result.output === undefined) return result;
  const { output } = result;
  const facts: ActionFacts = {
    ...result.facts,
    ...comparedToBefore(run.context.state, {
      cmd: formatTarget(target) || cmd,
      exitCode: result.facts?.exitCode ?? null,
      output,
      folder: run.toolContext.workspace,
    }),
  };
  if (driverIn(run).mendsByItself)
    return { ...result, facts: withInvolved(facts, { cmd, output }, run) };
  const onlyLooked = looks() && !runsTests(cmd) && !onlyChecks(cmd.trim().split(/\s+/));
  return { ...result, facts: onlyLooked ? { ...facts, onlyLooked } : facts };
}

const MAX_FILES = 200;

/** Keeps the files that a failed command is about for a later repair. */
export function withInvolved(
  facts: ActionFacts,
  failed: { readonly cmd: string; readonly output: string },
  { world }: Pick<RunPorts, 'world'>,
): ActionFacts {
  const files = world.files(MAX_FILES);
  const involved = involvedFiles(failed, { files, readText: (path) => world.readText(path) });
  return involved.length === 0 ? facts : { ...facts, involved: [...involved] };
}

/** True for the end of a subtask after a refused one, because subtasks run in the order of the plan. */
const waitsForEnd = (
  { name }: ToolCall,
  { context: { state }, tools }: Pick<RunPorts, 'context' | 'tools'>,
): boolean => state.pending?.haltedBy !== undefined && endsSubtask(toolNamed(tools, name) ?? {});

function notRunText({ pending, settings, givenUp }: RunState): string {
  if (givenUp) return AFTER_GIVING_UP;
  if (pending?.haltedBy) return notRunFor(pending.haltedBy);
  return driverOf(settings).callsTools && !pending?.isHalted ? PLAN_DONE : NOT_RUN;
}

/**
 * Gives a result to a call that is not carried out.
 * @param why left out: an earlier call of the reply ended neither ok nor with an error
 */
export function skipCall(
  folded: ToolCall,
  { context, tools }: ConversationPort & Pick<RunPorts, 'tools'>,
  why = notRunText(context.state),
  status: ActionStatus = 'not_run',
): void {
  giveResult({ context, tools }, folded, { status, result: why, facts: {} });
}

/** Records the result of a call that is not carried out here. */
export function giveResult(
  { context, tools }: ConversationPort & Pick<RunPorts, 'tools'>,
  folded: ToolCall,
  given: { readonly status: ActionStatus; readonly result: string; readonly facts: ActionFacts },
): void {
  const { id: callId, name: tool, args } = context.journal.readBack(folded) as ToolCall;
  context.record({
    type: 'action_finished',
    id: actionId(context.state),
    tool,
    ...aboutCall(tools, tool, args),
    signature: signatureOf(tool, args),
    callId,
    ...given,
    resultHash: '',
    hashes: {},
  });
}
