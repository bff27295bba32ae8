/**
 * One tool call from its wish to its durable outcome.
 * 1. What changes the world has a durable intent before it begins, and an outcome after it.
 * 2. Every call ends in exactly one `finished`, unless an error says that the run cannot go on;
 *    then its intent stays open and settling decides.
 * 3. A failure of a tool is a result. Only `TardigradeError`s (full disk, lost lock, broken disk)
 *    and failures of the log come out as exceptions.
 */
import type { Clock } from '../lib/clock.ts';
import { errorCode, isDiskFull, storageError } from '../lib/durable-files.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { ActionStatus, ToolResult } from '../schema/actions.ts';
import type { ToolCall } from '../schema/messages.ts';
import type { RecordOf } from '../schema/records.ts';
import { diskFull } from '../workspace/files.ts';
import type { PerformHooks, Prepared, Tool, ToolContext } from './contract.ts';
import { failed } from './result.ts';
import { type ValidCall, validateCall } from './validate-call.ts';

type Body<Type extends 'action_intended' | 'action_started' | 'action_finished'> = Omit<
  RecordOf<Type>,
  'type'
>;

/** Where an action's records go; each is durable when its function returns. */
export interface ActionLog {
  intended(record: Body<'action_intended'>): void;
  started(record: Body<'action_started'>): void;
  finished(record: Body<'action_finished'>): void;
}

export interface FinishDeps {
  /** Hash of a result without what differs from run to run; the loop guard compares it. */
  resultHash(text: string): string;
  /** Stores the whole text of a result that was cut for the model. */
  keepFullResult?(id: string, text: string): void;
  /** The last word on a result before it is recorded: facts about files, hints. */
  revise?(action: {
    readonly tool: string;
    readonly args: { readonly [name: string]: unknown };
    readonly result: ToolResult;
  }): Promise<ToolResult>;
}

export interface ExecuteDeps extends FinishDeps {
  readonly tools: readonly Tool[];
  readonly context: ToolContext;
  readonly log: ActionLog;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly signal: AbortSignal;
  onOutput(text: string): void;
  /** Why the loop guard holds a call back; `null`: it does not. */
  blockReason(signature: string): string | null;
  /** Why a gate or the policy denies a call; `null`: it does not. */
  denyReason?(tool: string, args: { readonly [name: string]: unknown }): string | null;
  /** An exception inside a tool, which is our bug. */
  onInternalError?(error: unknown): void;
}

export interface ExecutedAction {
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  readonly args: { readonly [name: string]: unknown };
  readonly signature: string;
  readonly status: ActionStatus;
  readonly content: string;
  readonly facts: Body<'action_finished'>['facts'];
  readonly hashes: Body<'action_finished'>['hashes'];
}

/** @param id `subtask#round#index`, the same whenever this call is carried out again. */
export async function executeCall(
  call: ToolCall,
  id: string,
  deps: ExecuteDeps,
): Promise<ExecutedAction> {
  const valid = validateCall(call, deps.tools);
  const started = deps.clock.monotonic();
  const result = await resultOf(valid, id, deps);
  const isRun = !['blocked', 'denied'].includes(result.status) && valid.kind === 'valid';
  const durationMs = Math.round(deps.clock.monotonic() - started);
  const facts = isRun ? { durationMs, ...result.facts } : result.facts;
  return finishAction(
    {
      id,
      callId: call.id,
      tool: typeof valid.tool === 'string' ? valid.tool : valid.tool.name,
      args: valid.kind === 'valid' ? valid.args : call.args,
      signature: valid.signature,
      result: facts === undefined ? result : { ...result, facts },
    },
    deps,
  );
}

/** Records an outcome; settling ends what a crash left open through it too. */
export async function finishAction(
  action: Pick<ExecutedAction, 'id' | 'callId' | 'tool' | 'args' | 'signature'> & {
    readonly result: ToolResult;
  },
  deps: FinishDeps & { readonly log: Pick<ActionLog, 'finished'> },
): Promise<ExecutedAction> {
  const { id, callId, tool, args, signature } = action;
  const result = (await deps.revise?.({ tool, args, result: action.result })) ?? action.result;
  if (result.fullContent !== undefined) deps.keepFullResult?.(id, result.fullContent);
  const { status, content, facts = {} } = result;
  const hashes = { ...result.hashes };
  const resultHash = deps.resultHash(content);
  deps.log.finished({
    ...{ id, tool, signature, callId, status },
    ...{ result: content, resultHash, facts, hashes },
  });
  return { id, callId, tool, args, signature, status, content, facts, hashes };
}

async function resultOf(valid: ValidCall, id: string, deps: ExecuteDeps): Promise<ToolResult> {
  if (deps.signal.aborted) return failed('Cancelled before it began.', 'cancelled');
  const blocked = deps.blockReason(valid.signature);
  if (blocked !== null) return failed(blocked, 'blocked');
  if (valid.kind === 'invalid') return failed(valid.message);
  const denied = deps.denyReason?.(valid.tool.name, valid.args) ?? null;
  if (denied !== null) return failed(denied, 'denied');
  const prepared = await seam(valid.tool, deps, () => valid.tool.prepare(valid.args, deps.context));
  if ('status' in prepared) return prepared;
  if (prepared.kind === 'refused') return prepared.result;
  if (deps.signal.aborted) return failed('Cancelled before it began.', 'cancelled');
  return carryOut(valid, id, prepared, deps);
}

async function carryOut(
  { tool, args, signature }: Extract<ValidCall, { kind: 'valid' }>,
  id: string,
  prepared: Extract<Prepared, { kind: 'ready' }>,
  deps: ExecuteDeps,
): Promise<ToolResult> {
  if (tool.class !== 'read' && tool.class !== 'control') {
    const files = [...prepared.files];
    deps.log.intended({
      id,
      class: tool.class,
      tool: tool.name,
      args: { ...args },
      signature,
      files,
    });
  }
  return withStartLogged(id, deps, (hooks) => seam(tool, deps, () => prepared.perform(hooks)));
}

/** A start that cannot be logged ends the process and comes out when it has ended. */
async function withStartLogged(
  id: string,
  deps: ExecuteDeps,
  perform: (hooks: PerformHooks) => Promise<ToolResult>,
): Promise<ToolResult> {
  const stop = new AbortController();
  let failure: { readonly error: unknown } | null = null;
  const hooks: PerformHooks = {
    signal: AbortSignal.any([deps.signal, stop.signal]),
    onOutput: (text) => deps.onOutput(text),
    onSpawn: (pid, startTime) => {
      try {
        deps.log.started({ id, pid, startTime });
      } catch (error) {
        failure = { error };
        stop.abort();
      }
    },
  };
  const result = await perform(hooks);
  // The compiler does not see that the callback may have set it.
  const known = failure as { readonly error: unknown } | null;
  if (known !== null) throw known.error;
  return result;
}

/** The one place where an exception inside a tool becomes a result. */
async function seam<Value>(
  tool: Tool,
  deps: ExecuteDeps,
  work: () => Promise<Value>,
): Promise<Value | ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TardigradeError) throw error;
    if (isDiskFull(error)) throw diskFull(error);
    const code = errorCode(error);
    if (code === 'EIO' && tool.class === 'write') throw storageError(error, `running ${tool.name}`);
    if (error instanceof Error && error.name === 'AbortError') {
      return failed('Cancelled.', 'cancelled');
    }
    if (code !== '') return failed(`${tool.name} failed: the system answered ${code}.`);
    deps.onInternalError?.(error);
    const reason = error instanceof Error ? error.message : String(error);
    return failed(`${tool.name} failed inside: ${reason}. Try another way.`);
  }
}
