/**
 * One tool call from its request to its durable outcome: loop guard, validation, gate, policy, prepare,
 * intent, run, outcome. The caller asks loop guard and gate; commands of the engine skip these two.
 * 1. A call that changes the world has a durable intent before it begins, and an outcome that is durable before
 *    the next effect or wait.
 * 2. Every call ends in exactly one `finished` record, unless an error says that the run cannot continue; its
 *    intent then stays open, and settling decides.
 * 3. Before a program starts, the files that it may change are kept; before its outcome, its actual changes are
 *    recorded.
 * 4. A failure of a tool is a result. Only `TardigradeError`s (full disk, lost lock, broken disk) and failures
 *    of the log are thrown.
 */

import type { Clock } from '../lib/clock.ts';
import type { ActionFacts, ActionStatus, ToolResult } from '../schema/actions.ts';
import { isCommand } from '../schema/capability.ts';
import type { ToolCall } from '../schema/model/messages.ts';
import type { RecordOf } from '../schema/records.ts';
import type { CallArgs } from './calls/args-schema.ts';
import { type ReadCall, readCall } from './calls/read-call.ts';
import type { ValidCall } from './calls/validate-call.ts';
import type { SplitCommand } from './commands/split-command.ts';
import type { CommandRequest, PerformHooks, Prepared, Tool, ToolContext } from './contract.ts';
import { type CallDecision, type Decide, policyRequestOf } from './decision.ts';
import { refusedBy } from './refused-by.ts';
import { failed } from './result.ts';
import { NotLogged, seam } from './seam.ts';
import { classOf, formatTarget, toolNamed } from './toolset.ts';

type Body<Type extends 'action_intended' | 'action_started' | 'action_finished'> = Omit<
  RecordOf<Type>,
  'type'
>;

/** Receives an action's records; each is written when its function returns. */
export interface ActionLog {
  intended(record: Body<'action_intended'>): void;
  started(record: Body<'action_started'>): void;
  finished(record: Body<'action_finished'>): void;
  /** Makes everything written durable before an effect. */
  barrier(before: Pick<Tool, 'touches'>): void | Promise<void>;
}

export interface FinishDeps {
  /** The hash of a result without what differs from run to run, for comparison by the loop guard. */
  resultHash(text: string): string;
  /** Stores the full text of a result that was cut for the model. */
  storeFullResult?(id: string, text: string): void;
  /** Revises a result before it is recorded: adds facts about files, and hints. */
  revise?(action: {
    readonly id: string;
    readonly tool: string;
    readonly args: CallArgs;
    readonly result: ToolResult;
    /** For a command, its parsed line; left out when settling ends it. */
    readonly line?: SplitCommand | null;
  }): Promise<ToolResult>;
}

/** Observes what a program does to the files of the workspace while it runs. */
export interface ChangeWatch {
  /** Resolves when everything that the program may change is kept durably. */
  begin(): Promise<void>;
  /**
   * Records the changes, and reports whether any of them counts as work.
   * @param id of the intent
   * @param isGiven whether someone allowed exactly this command
   * @param cmd its line; empty if a tool of another kind started the program
   */
  end(id: string, isGiven: boolean, cmd: string): Watched;
}

interface Watched {
  readonly facts: Pick<ActionFacts, 'changed' | 'workspace'>;
  /** The message for the model about it, or an empty text. */
  readonly message: string;
}

/** What carrying out a call needs, whoever wants it. */
export interface CarryOutDeps {
  readonly tools: readonly Tool[];
  readonly context: ToolContext;
  readonly log: Pick<ActionLog, 'intended' | 'started' | 'barrier'>;
  readonly signal: AbortSignal;
  /** `null` if a program's changes belong to nobody, as in a copy of the workspace. */
  readonly watch: ChangeWatch | null;
  /** The policy. */
  readonly decide: Decide;
  /**
   * Tries a command where it can do no harm. A result replaces its outcome, and the command must not run at its
   * intended place; `null`: it may run.
   * @param id of its intent
   */
  rehearse?(args: CommandRequest, id: string): Promise<ToolResult | null>;
  onOutput(text: string): void;
  /** Receives exceptions inside a tool, which are our bugs. */
  onInternalError?(error: unknown): void;
}

export interface ExecuteDeps extends CarryOutDeps, FinishDeps {
  readonly log: ActionLog;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Why the loop guard blocks the call; `null`: it does not. */
  readonly blocked: string | null;
  /** Why the gate of the active subtask denies the call; `null`: it does not. */
  readonly denied?: string | null;
}

export interface ExecutedAction {
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  readonly args: CallArgs;
  readonly signature: string;
  readonly status: ActionStatus;
  readonly content: string;
  readonly facts: Body<'action_finished'>['facts'];
  readonly hashes: Body<'action_finished'>['hashes'];
}

/**
 * @param id `subtask#round#index`, the same whenever this call is carried out again
 * @param read left out: the call is parsed here
 */
export async function executeCall(
  call: ToolCall,
  id: string,
  deps: ExecuteDeps,
  read: ReadCall = readCall(call, deps),
): Promise<ExecutedAction> {
  const { valid } = read;
  const started = deps.clock.monotonic();
  const result = await resultOf(read, id, deps);
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
      line: read.line,
    },
    deps,
  );
}

/** Records an outcome. Settling also uses it to end what a crash left open. */
export async function finishAction(
  action: Pick<ExecutedAction, 'id' | 'callId' | 'tool' | 'args' | 'signature'> & {
    readonly result: ToolResult;
    readonly line?: SplitCommand | null;
  },
  deps: FinishDeps & { readonly tools: readonly Tool[]; readonly log: Pick<ActionLog, 'finished'> },
): Promise<ExecutedAction> {
  const { id, callId, tool, args, signature, line = null } = action;
  const revised = await deps.revise?.({ id, tool, args, result: action.result, line });
  const result = revised ?? action.result;
  if (result.fullContent !== undefined) deps.storeFullResult?.(id, result.fullContent);
  const { status, content, facts = {} } = result;
  const hashes = { ...result.hashes };
  const resultHash = deps.resultHash(content);
  deps.log.finished({
    ...{ id, tool, ...aboutCall(deps.tools, tool, args), signature, callId, status },
    ...{ result: content, resultHash, facts, hashes },
    ...(result.claim ? { claim: result.claim } : {}),
    ...(result.givesUp ? { givesUp: result.givesUp } : {}),
  });
  return { id, callId, tool, args, signature, status, content, facts, hashes };
}

/** What the fold must know about a call, because it does not know the tools. */
export function aboutCall(
  tools: readonly Tool[],
  name: string,
  args: CallArgs,
): Pick<Body<'action_finished'>, 'touches' | 'does' | 'target'> {
  const tool = toolNamed(tools, name);
  const target = tool?.target?.(args) ?? null;
  // Starting a command proves nothing about its result.
  const does = target?.isLeftRunning ? undefined : tool?.does;
  return {
    touches: tool?.touches ?? 'nothing',
    ...(does ? { does } : {}),
    target: formatTarget(target),
  };
}

async function resultOf(
  { valid, line }: ReadCall,
  id: string,
  deps: ExecuteDeps,
): Promise<ToolResult> {
  if (deps.signal.aborted) return failed('Cancelled before it began.', 'cancelled');
  const { blocked, denied = null } = deps;
  if (blocked !== null) return failed(blocked, 'blocked');
  if (valid.kind === 'invalid') {
    const fault = toolNamed(deps.tools, valid.tool) === null ? 'tool' : 'arguments';
    return { ...failed(valid.message), facts: { fault } };
  }
  if (denied !== null) return failed(denied, 'denied');
  return permitted({ ...valid, line }, { id, class: classOf(valid.tool) }, deps);
}

/**
 * A command of the engine itself, for a check or the proof. It passes neither loop guard nor gate, its intent
 * has the class `check`, and the caller records its outcome.
 * @param id `subtask#round#cN`, the same whenever this check is run again
 */
export async function executeCheck(
  call: Omit<ToolCall, 'id'>,
  id: string,
  deps: CarryOutDeps,
  { valid, line }: ReadCall = readCall({ ...call, id }, deps),
): Promise<ToolResult> {
  if (valid.kind === 'invalid') return failed(valid.message);
  return permitted({ ...valid, line }, { id, class: 'check' }, deps);
}

type Valid = Extract<ValidCall, { kind: 'valid' }> & Pick<ReadCall, 'line'>;
type Intent = Pick<Body<'action_intended'>, 'id' | 'class'>;
type Allowed = Extract<CallDecision, { kind: 'allow' }>;

/** The steps from the policy on. A refusal after a cancellation may rest on a program that was cut off. */
async function permitted(valid: Valid, intent: Intent, deps: CarryOutDeps): Promise<ToolResult> {
  const { tool, args, line } = valid;
  const decision = await seam(tool, deps, () =>
    deps.decide(policyRequestOf(tool, args, intent.class === 'check' ? 'engine' : 'model', line)),
  );
  if ('status' in decision) return decision;
  if (decision.kind !== 'allow') return refusedBy(decision, valid, deps);
  const prepared = await seam(tool, deps, () =>
    tool.prepare(args, deps.context, line ?? undefined),
  );
  if ('status' in prepared) return prepared;
  if (deps.signal.aborted) return failed('Cancelled before it began.', 'cancelled');
  if (prepared.kind === 'refused') return prepared.result;
  const harm = isCommand(tool) ? await deps.rehearse?.(args as CommandRequest, intent.id) : null;
  if (harm) return harm;
  if (deps.signal.aborted) return failed('Cancelled before it began.', 'cancelled');
  return carryOut(valid, { intent, decision }, prepared, deps);
}

async function carryOut(
  { tool, args, signature }: Valid,
  { intent, decision }: { readonly intent: Intent; readonly decision: Allowed },
  prepared: Extract<Prepared, { kind: 'ready' }>,
  deps: CarryOutDeps,
): Promise<ToolResult> {
  const watch = tool.touches === 'process' || tool.mayWrite === true ? deps.watch : null;
  await watch?.begin();
  if (deps.signal.aborted) return failed('Cancelled before it began.', 'cancelled');
  if (tool.afterCrash !== 'repeat') {
    const files = [...prepared.files];
    const place = tool.touches === 'process' ? { place: deps.context.processes.place } : {};
    const called = { tool: tool.name, args: { ...args }, signature, files };
    deps.log.intended({ ...intent, ...called, ...place });
  }
  const waiting = reachesOut(tool) ? deps.log.barrier(tool) : undefined;
  await waiting;
  if (waiting && deps.signal.aborted) return failed('Cancelled before it began.', 'cancelled');
  const result = await seam(tool, deps, () =>
    prepared.perform({
      ...hooksFor(intent.id, deps),
      isUnsandboxed: decision.isUnsandboxed === true,
    }),
  );
  if (!watch) return result;
  const { facts, message } = watch.end(
    intent.id,
    decision.isAllowedByUser === true,
    isCommand(tool) ? String(args.cmd) : '',
  );
  const seen = { ...result, facts: { ...result.facts, ...facts } };
  // The output of a check is read by its caller, so no message is added.
  return message === '' || intent.class === 'check'
    ? seen
    : { ...seen, content: `${result.content.trimEnd()}\n${message}` };
}

/** Reads need no barrier, because they can be repeated. */
const reachesOut = ({ afterCrash, touches }: Tool): boolean =>
  afterCrash !== 'repeat' || touches === 'process' || touches === 'network';

/** If a start cannot be logged, the process is ended and the log's own error is thrown. */
const hooksFor = (id: string, deps: CarryOutDeps): PerformHooks => ({
  id,
  signal: deps.signal,
  onOutput: (text) => deps.onOutput(text),
  onSpawn: (pid, startTime) => {
    try {
      deps.log.started({ id, pid, startTime });
    } catch (cause) {
      throw new NotLogged('the start could not be recorded', { cause });
    }
  },
});
