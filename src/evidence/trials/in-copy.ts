/** Runs a command in the engine's scratch copy of the workspace and journals it as a check. */
import type { ContextManager } from '../../context-manager/context-manager.ts';
import { isCache, isInstalled, packageLinks, variablesInCopy } from '../../languages/languages.ts';
import type { Clock } from '../../lib/clock.ts';
import { defined } from '../../lib/defined.ts';
import { errorCode } from '../../lib/files/durable-files.ts';
import { interruptibleRunner, isInterrupt } from '../../lib/interruptible.ts';
import { raced } from '../../lib/raced.ts';
import { sha256 } from '../../lib/sha256.ts';
import { runProof, shortOutput } from '../../probe/checks.ts';
import type { ToolResult } from '../../schema/actions.ts';
import type { Emit } from '../../schema/events/events.ts';
import { AS_FOUND, type ScratchRun } from '../../schema/evidence.ts';
import type { Proof } from '../../schema/plan.ts';
import type { RecordOf } from '../../schema/records.ts';
import type { CommandRequest, Tool, ToolContext } from '../../tools/contract.ts';
import type { Decide } from '../../tools/decision.ts';
import { type CarryOutDeps, executeCheck } from '../../tools/execute.ts';
import { commandCall } from '../../tools/toolset.ts';
import type { CopyLimits } from '../../workspace/copy-limits.ts';
import type { KeptCopy } from '../../workspace/kept-copy.ts';
import { isStateFolder } from '../../workspace/path-rules.ts';
import { type Copied, type CopyRequest, copyWorkspace } from '../../workspace/scratch.ts';
import { sweepFolder } from '../../workspace/sweep-folder.ts';
import { comparedToBefore, failingIn } from '../as-before.ts';
import { comparable } from '../compare.ts';
import { builtInPlace } from './built-in-place.ts';

export interface CopyPort {
  readonly context: ContextManager;
  readonly tools: readonly Tool[];
  readonly toolContext: ToolContext;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  readonly beforeEffect?: (() => Promise<void>) | undefined;
  readonly scratch: {
    /** Absolute path of the copy. The folder exists only while the copy is in use. */
    readonly folder: string;
    readonly kept?: KeptCopy;
  };
  logError(error: unknown): void;
}

/** Dependencies for carrying out a command, in the workspace or in a copy. */
export const plainDeps = (
  run: Omit<CopyPort, 'clock' | 'scratch'>,
): Omit<CarryOutDeps, 'watch' | 'decide' | 'rehearse'> => ({
  tools: run.tools,
  context: run.toolContext,
  signal: run.signal,
  log: {
    intended: (record) => run.context.recordAction({ type: 'action_intended', ...record }),
    started: (record) => run.context.recordAction({ type: 'action_started', ...record }),
    barrier: ({ touches }) => {
      run.context.sync('effect');
      const isOutside = touches === 'process' || touches === 'network';
      if (!isOutside || run.beforeEffect === undefined) return;
      return raced(run.beforeEffect(), run.signal, () => {});
    },
  },
  onOutput: (text) => run.emit({ type: 'action_output', text }),
  onInternalError: (error) => run.logError(error),
});

interface CopyOptions {
  /** True for links to the packages that are installed in the workspace. */
  readonly hasInstalled?: boolean;
  /** True for paths that commands make anew in the copy. */
  readonly isOutput?: ((path: string) => boolean) | undefined;
  /** Left out: those of copies that are made while the run works. */
  readonly limits?: CopyLimits;
}

/** @param changes contents that differ in the copy; `null`: the file is left out */
export async function copyFor(
  run: Pick<CopyPort, 'context' | 'toolContext' | 'scratch' | 'clock' | 'signal' | 'emit'>,
  changes: ReadonlyMap<string, Uint8Array | null>,
  { hasInstalled = false, isOutput = () => false, limits }: CopyOptions = {},
): Promise<Copied> {
  const { fs, workspace } = run.toolContext;
  const isLeftOut = leftOutOfCopy(fs.platform);
  const built = builtInPlace(run);
  const request: CopyRequest = {
    fs,
    runInterruptibly: interruptibleRunner(run.clock, run.signal),
    workspace,
    folder: run.scratch.folder,
    changes: new Map([...changes].filter(([path]) => !built.isWithin(path) && !isOutput(path))),
    isLeftOut: (path, name) => isLeftOut(path, name) || built.isLeft(path) || isOutput(path),
    // Caches of test runners would steer the next trial.
    isBuildCache: (name) => !isCache(name) && (isOutput(name) || built.isFolder(name)),
    relocated: built.relocated,
    packageLinks,
    hasLinks: true,
    onMany: (files) => {
      const text = `Copying ${files.toLocaleString('en')} files, to try the work in a copy`;
      run.emit({ type: 'notice', level: 'info', text });
    },
    ...(hasInstalled ? { hasInstalled } : {}),
    ...defined({ kept: run.scratch.kept }),
  };
  const copied = await copyWorkspace(request, limits);
  return copied.kind === 'copied' && built.isCold() ? { ...copied, isCold: true } : copied;
}

/** Paths that are not copied: dependencies, caches, our own state. */
export const leftOutOfCopy =
  (platform: NodeJS.Platform): CopyRequest['isLeftOut'] =>
  (path, name) =>
    name === '.git' || isStateFolder(name) || isCache(name) || isInstalled(path, platform);

interface ScratchCommand {
  /** Starts with `SCRATCH_ID`. */
  readonly id: string;
  /** Time limit in seconds. */
  readonly seconds: number;
  /** Set when exceeding the time limit is itself an answer: the command never ends. */
  readonly isEnough?: true;
  /** The folder within the copy; left out: the copy itself. */
  readonly cwd?: string | undefined;
  /** Variables that the call set. */
  readonly env?: CommandRequest['env'];
  readonly scratch: Omit<ScratchRun, 'word'>;
  /** The policy for calls in the copy. */
  readonly decide: Decide;
  readonly variables?: { readonly [name: string]: string };
  /** What else to record of the whole output, and of the copy after the command. */
  look?(output: string): Pick<ScratchRun, 'red' | 'seen' | 'made'>;
  /** When aborted, the command is cut off and gives no answer. */
  readonly skip?: AbortSignal;
}

export interface RanInCopy {
  readonly record: ScratchRecord;
  /** `null` when no tool runs commands. */
  readonly result: ToolResult | null;
}

export type ScratchRecord = Omit<RecordOf<'check_ran'>, 'scratch'> & {
  readonly scratch: ScratchRun;
};

/** Returns `null`, and records nothing, when the run was interrupted. */
export async function runInCopy(
  run: CopyPort,
  command: Proof,
  place: ScratchCommand,
): Promise<RanInCopy | null> {
  const { folder } = run.scratch;
  const { skip } = place;
  const variables = {
    ...variablesInCopy(folder, run.toolContext.fs.platform),
    ...place.variables,
  };
  const deps = {
    ...plainDeps(run),
    ...(skip === undefined ? {} : { signal: AbortSignal.any([run.signal, skip]) }),
    context: { ...run.toolContext, workspace: folder, variables },
    decide: place.decide,
    onOutput: () => {},
    // Changes in the copy belong to nobody, so they are not watched.
    watch: null,
  };
  let ran: ToolResult | null = null;
  const { passed, facts } = await runProof(command, {
    readText: () => null,
    exists: () => false,
    runCommand: async (cmd, stdin) => {
      const { seconds: timeout_sec, cwd, env } = place;
      const call = commandCall(run.tools, { cmd, stdin, timeout_sec, cwd, env });
      if (call === null) return { status: 'error', exitCode: null };
      ran = await executeCheck(call, place.id, deps);
      return { ...ran, exitCode: ran.facts?.exitCode ?? null };
    },
  });
  if (run.signal.aborted) return null;
  const { output = '', content = '', fullContent, status } = (ran ?? {}) as Partial<ToolResult>;
  const hasEnded = typeof facts.exitCode === 'number';
  const { exitCode = null } = facts;
  const { cmd } = command;
  const { asBefore } = comparedToBefore(run.context.state, { cmd, exitCode, output, folder });
  const failing =
    place.scratch.what === AS_FOUND ? (passed ? [] : failingIn(output, folder)) : undefined;
  const record = {
    type: 'check_ran',
    id: place.id,
    subtask: 'none',
    check: command,
    proof: false,
    passed,
    text: shortOutput(hasEnded ? output : content),
    facts: { ...facts, ...defined({ asBefore, failing }) },
    scratch: {
      ...place.scratch,
      word: sha256(comparable(output, folder)).slice(0, 16),
      ...(hasEnded ? place.look?.(fullContent ?? output) : {}),
      ...(place.isEnough && isOverTime(ran, facts) ? { endless: true as const } : {}),
      ...(skip?.aborted && status === 'cancelled' ? { skipped: true as const } : {}),
    },
  } as const;
  run.context.record(record);
  return { record, result: ran };
}

/** True also for a server that still accepts connections at the limit: it has neither failed nor ended. */
const isOverTime = (
  result: Pick<ToolResult, 'status'> | null,
  { exitCode }: ToolResult['facts'] & object,
): boolean =>
  result?.status === 'timeout' || (result?.status === 'ok' && typeof exitCode !== 'number');

/** Removes leftover copies. One that cannot be removed now is removed at the next start. */
export async function removeLeftovers({
  toolContext,
  scratch,
  clock,
  signal,
}: Pick<CopyPort, 'toolContext' | 'scratch' | 'clock' | 'signal'>): Promise<void> {
  try {
    await interruptibleRunner(clock, signal)(sweepFolder(toolContext.fs, scratch.folder));
  } catch (error) {
    if (errorCode(error) === '' && !isInterrupt(error)) throw error;
  }
}
