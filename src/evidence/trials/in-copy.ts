/** Runs a command in the engine's scratch copy of the workspace and journals it as a check. */
import type { ContextManager } from '../../context-manager/context-manager.ts';
import { isCache, isInstalled, packageLinks, variablesInCopy } from '../../languages/languages.ts';
import type { Clock } from '../../lib/clock.ts';
import { defined } from '../../lib/defined.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
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
import { CACHE_TAG, CMAKE_CACHE, cacheTag, isBuiltByCMake } from '../../workspace/cache-folders.ts';
import { gitIgnores } from '../../workspace/git-ignored.ts';
import { isStateFolder } from '../../workspace/path-rules.ts';
import {
  type Copied,
  type CopyRequest,
  copyWorkspace,
  sweepFolder,
} from '../../workspace/scratch.ts';
import { walkExcept } from '../../workspace/walk.ts';
import { comparedToBefore, failingIn } from '../as-before.ts';
import { comparable } from '../compare.ts';
import { hasOtherIgnores, isNobodysPath } from '../users-files.ts';

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
}

/** @param changes contents that differ in the copy; `null`: the file is left out */
export function copyFor(
  {
    context,
    toolContext: { fs, workspace },
    scratch,
    clock,
    signal,
  }: Pick<CopyPort, 'context' | 'toolContext' | 'scratch' | 'clock' | 'signal'>,
  changes: ReadonlyMap<string, Uint8Array | null>,
  { hasInstalled = false, isOutput = () => false }: CopyOptions = {},
): Promise<Copied> {
  const isLeftOut = leftOutOfCopy(fs.platform);
  const { files, commandChanges } = context.state;
  // A cache tag that this run wrote does not count: it could keep a folder from being tried.
  const isOwn = (tag: string): boolean =>
    files[tag]?.written === true || commandChanges.files[tag] !== undefined;
  const isIgnoredFolder = gitIgnores(fs, workspace, 'folder');
  const isIgnored = hasOtherIgnores(context.state, isIgnoredFolder) ? () => false : isIgnoredFolder;
  const known = new Map<string, boolean>();
  const isCacheFolder = (path: string): boolean => {
    const is = known.get(path) ?? isUsedInPlace(path);
    known.set(path, is);
    return is;
  };
  const isUsedInPlace = (path: string): boolean => {
    const folder = pathsOf(fs.platform).join(workspace, ...path.split('/'));
    return (
      (cacheTag(fs, folder) !== null && !isOwn(`${path}/${CACHE_TAG}`)) ||
      (isBuiltByCMake(fs, folder) && !hidesSources(path))
    );
  };
  const { uncovered } = commandChanges;
  /**
   * True if a folder may only look like a build: a tool wrote its cache file, or a command made that beside
   * files that git keeps.
   */
  const hidesSources = (path: string): boolean => {
    const tag = `${path}/${CMAKE_CACHE}`;
    const isMade = (one: string): boolean =>
      commandChanges.files[one]?.before === null || uncovered[one] === 'made';
    if (files[tag]?.written === true) return true;
    return isMade(tag) && !isIgnored(path) && !isAllMade(path, isMade, { fs, workspace });
  };
  const isInCache = (path: string): boolean =>
    path.split('/').some((_, at, parts) => at > 0 && isCacheFolder(parts.slice(0, at).join('/')));
  return copyWorkspace({
    fs,
    runInterruptibly: interruptibleRunner(clock, signal),
    workspace,
    folder: scratch.folder,
    changes: new Map([...changes].filter(([path]) => !isInCache(path) && !isOutput(path))),
    isLeftOut: (path, name) => isLeftOut(path, name) || isOutput(path) || isCacheFolder(path),
    // Build caches stay for the next trial. Caches of test runners do not: they would influence it.
    isBuildCache: (name) => !isCache(name) && (isOutput(name) || isCacheFolder(name)),
    packageLinks,
    hasLinks: true,
    ...(hasInstalled ? { hasInstalled } : {}),
  });
}

const MAX_MADE = 5_000;

/** True for a folder that holds nothing but what commands of the run made. */
function isAllMade(
  folder: string,
  isMade: (path: string) => boolean,
  { fs, workspace }: Pick<ToolContext, 'fs' | 'workspace'>,
): boolean {
  let count = 0;
  const absolute = pathsOf(fs.platform).join(workspace, ...folder.split('/'));
  for (const { path, info } of walkExcept(fs, absolute, () => false, `${folder}/`)) {
    count += 1;
    const isOurs = info.kind === 'directory' || isMade(path) || isNobodysPath(path);
    if (count > MAX_MADE || !isOurs) return false;
  }
  return true;
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
