/** Calls carried out through the one path that every call takes, and their outcomes. */
import { createHash } from 'node:crypto';
import { blockReason, normaliseResult } from '../context-manager/loop-detector.ts';
import { examineFiles } from '../languages/examine-file.ts';
import { problemIn } from '../prompts/remarks.ts';
import { keepResult } from '../round/keep-result.ts';
import { originalText } from '../round/original-text.ts';
import { asAnswered, withAnswers } from '../round/permission/decide.ts';
import { withWholeText } from '../round/text-now.ts';
import type { ActionStatus, ToolResult } from '../schema/actions.ts';
import type { ToolCall } from '../schema/messages.ts';
import { aboutCall, executeCall, type FinishDeps } from '../tools/execute.ts';
import { signatureOf } from '../tools/signature.ts';
import { toolNamed } from '../tools/toolset.ts';
import type { LiveSession } from './live-session.ts';

/** The same call always has the same one: message, turn, place in the reply. */
export function callId({ context: { state } }: Pick<LiveSession, 'context'>): string {
  const { pending, chat } = state;
  return `m${chat.open?.seq ?? 0}#t${pending?.turn ?? 0}#${pending?.next ?? 0}`;
}

/** Carries out the call that is next. */
export async function act(live: LiveSession, folded: ToolCall): Promise<void> {
  const { context, signal, clock, tools, toolContext } = live;
  // The fold holds long arguments by reference.
  const call = await asAnswered(context.journal.readBack(folded) as ToolCall, live);
  live.tell({ type: 'action_started', id: callId(live), call });
  await executeCall(call, callId(live), {
    ...finishDeps(live),
    ...{ tools, signal, clock },
    context: toolContext,
    log: {
      intended: (record) => context.record({ type: 'action_intended', ...record }),
      started: (record) => context.record({ type: 'action_started', ...record }),
      finished: (record) => context.record({ type: 'action_finished', ...record }),
      barrier: () => context.sync('effect'),
    },
    watch: live.keeper,
    decide: withAnswers(live, live.policy.decide),
    blockReason: (signature) => blockReason(context.state.loop, signature),
    onOutput: (text) => live.tell({ type: 'action_output', text }),
  });
  // What a tool found is told at once; the next request brings the barrier.
  context.sync('effect');
}

/** What every finished action goes through, also one that settling ends. */
export const finishDeps = (live: LiveSession): FinishDeps => ({
  resultHash: (text) =>
    createHash('sha256').update(normaliseResult(text)).digest('hex').slice(0, 16),
  revise: (action) => revise(action, live),
  keepFullResult: (id, text) =>
    keepResult({ ...live, keeps: live.request.run.keptOutput }, id, text),
});

/** Looks at files just written, and says what speaks against them in the result itself. */
async function revise(
  { id, tool, result }: { readonly id: string; readonly tool: string; readonly result: ToolResult },
  live: LiveSession,
): Promise<ToolResult> {
  if (result.misfit !== undefined) return withWholeText(result, result.misfit, live);
  if (result.status !== 'ok' || toolNamed(live.tools, tool)?.touches !== 'files') return result;
  const paths = Object.entries(result.hashes ?? {}).flatMap(([path, hash]) =>
    hash === null ? [] : [path],
  );
  const looks = await examineFiles(
    paths,
    () => live.lookDeps(),
    (path) => originalText(live, id, path),
  );
  const problems = looks.flatMap(({ path, problems: found }) =>
    found.map((problem) => problemIn(path, problem)),
  );
  return {
    ...result,
    content: [result.content, ...problems].join('\n'),
    facts: { ...result.facts, files: looks },
  };
}

/** A call that is not carried out; its id gets a result all the same. */
export function skipCall(
  live: LiveSession,
  folded: ToolCall,
  why: string,
  status: ActionStatus = 'not_run',
): void {
  const { context, tools } = live;
  const call = context.journal.readBack(folded) as ToolCall;
  context.record({
    type: 'action_finished',
    id: callId(live),
    tool: call.name,
    ...aboutCall(tools, call.name, call.args),
    signature: signatureOf(call.name, call.args),
    callId: call.id,
    status,
    result: why,
    resultHash: '',
    facts: {},
    hashes: {},
  });
}
