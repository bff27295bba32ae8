/**
 * Finds commands of a run, such as builds, that made what its proof may need, and the files that they made.
 * Pure.
 * 1. What such a command made is output: no tool wrote it, and it is new or git ignores it.
 * 2. A command that changed anything else did work. It is not a build and is not repeated.
 * 3. Nor is a command repeated that made a file which the goal or the plan names, or code without a source:
 *    that is work, too.
 */
import { posix } from 'node:path';
import { runsTests } from '../../languages/testing/test-runs.ts';
import type { FileChange } from '../../schema/actions.ts';
import { isCommand } from '../../schema/capability.ts';
import { SCRATCH_ID } from '../../schema/evidence.ts';
import type { JournalRecord, RecordOf } from '../../schema/records.ts';
import type { CommandRequest } from '../../tools/contract.ts';
import { allFiles } from '../../workspace/before-images/all-files.ts';
import type { RecordsReader } from '../reading.ts';

/** A command of the run as it was typed. */
export type CommandOfRun = Pick<CommandRequest, 'cmd' | 'stdin' | 'cwd' | 'env'>;

/** A command that succeeded, and what became of files while it ran. */
export interface CommandSeenChanging {
  readonly command: CommandOfRun;
  readonly durationMs: number;
  readonly files: readonly Pick<FileChange, 'path' | 'before'>[];
  /** Folders that the command made. */
  readonly folders: readonly string[];
  /** The list is cut: further files changed whose names are unknown. */
  readonly isCut: boolean;
}

/** The commands that changed something, oldest first. */
export type MadeByCommands = readonly CommandSeenChanging[];

/** A record names at most so many files without kept contents. */
const UNCOVERED_NAMED = 50;

/** @param readBlob for lists that do not fit into a record */
export function readingMadeByCommands(
  readBlob: (hash: string) => Uint8Array,
): RecordsReader<MadeByCommands> {
  const typed = new Map<string, CommandOfRun>();
  const changes = new Map<string, RecordOf<'files_changed'>>();
  const seen: CommandSeenChanging[] = [];
  const end = (id: string | null, isGood: boolean, durationMs = 0): void => {
    const [command, changed] = [typed.get(id ?? ''), changes.get(id ?? '')];
    if (isGood && command && changed)
      seen.push({ command, durationMs, ...changedIn(changed, readBlob) });
  };
  return {
    take(record: JournalRecord) {
      if (record.type === 'action_intended' && !record.id.startsWith(SCRATCH_ID))
        for (const command of typedIn(record.args)) typed.set(record.id, command);
      if (record.type === 'files_changed' && record.by === 'command')
        changes.set(record.id, record);
      // Only tools that run commands count: another tool may have an argument named `cmd`.
      if (record.type === 'action_finished' && isCommand(record))
        end(record.id, record.facts.exitCode === 0, record.facts.durationMs);
      if (record.type === 'check_ran' && !record.scratch)
        end(record.id, record.facts.exitCode === 0);
    },
    result: () => seen,
  };
}

function typedIn({
  cmd,
  stdin,
  cwd,
  env,
  background,
}: RecordOf<'action_intended'>['args']): readonly CommandOfRun[] {
  if (typeof cmd !== 'string' || background === true) return [];
  return [
    {
      cmd,
      ...(typeof stdin === 'string' ? { stdin } : {}),
      ...(typeof cwd === 'string' ? { cwd } : {}),
      ...(typeof env === 'object' && env !== null ? { env: env as Record<string, string> } : {}),
    },
  ];
}

function changedIn(
  record: RecordOf<'files_changed'>,
  readBlob: (hash: string) => Uint8Array,
): Pick<CommandSeenChanging, 'files' | 'folders' | 'isCut'> {
  const { folders = [], uncovered = [] } = record;
  // Removed files need no rebuilding.
  const others = uncovered
    .filter(({ became }) => became !== 'removed')
    .map(({ path, became }) => ({ path, before: became === 'made' ? null : '' }));
  const files = allFiles(record, readBlob).filter(({ after }) => after !== null);
  return { files: [...files, ...others], folders, isCut: uncovered.length >= UNCOVERED_NAMED };
}

/** Commands to repeat in a copy, and their outputs, which are therefore not copied. */
export interface Made {
  readonly commands: readonly CommandOfRun[];
  /** Empty folders that the copy gets before the commands run. */
  readonly folders: readonly string[];
  /** True for an output of the commands, or a path below one. */
  isOutput(path: string): boolean;
  /** Files that a command made in the workspace and that still exist. */
  outputsOf(command: CommandOfRun): readonly string[];
  /** Milliseconds that the commands took in the workspace. */
  readonly ms: number;
}

export interface Replays extends Made {
  /** The commands, and everything that they are known to run, are as they were before the run. */
  readonly areUnchangedByRun: boolean;
}

interface ReplaysInput {
  /** True for a file that a tool of this run wrote. */
  isWritten(path: string): boolean;
  readonly written: readonly string[];
  /**
   * The folder that holds the file and in which builds keep what they make, else the outermost ignored folder that holds
   * it, or the file if git ignores only that; `null`: none.
   */
  ignoredRoot(path: string): string | null;
  /** True for a file that the goal or the plan names. */
  isNamed(path: string): boolean;
  isCode(path: string): boolean;
  /** The files of the workspace. */
  readonly files: readonly string[];
  /**
   * True if everything that the command runs is as it was before the run, and no code stands in the command.
   */
  isOld(command: CommandOfRun): boolean;
  /** True for caches and logs, which are nobody's. */
  isNobodys(path: string): boolean;
  isThere(path: string): boolean;
  installs(cmd: string): boolean;
  /** The command line of the proof, which runs anyway. */
  readonly proof: string;
}

/** Among more commands the builds cannot be told apart. */
const MAX_COMMANDS = 8;

/** Returns `null` if no command of the run has to be repeated. */
export function replaysOf(seen: MadeByCommands, input: ReplaysInput): Made | null {
  const { proof, installs, isThere } = input;
  const isBuild = ({ cmd }: CommandOfRun): boolean =>
    cmd !== proof && !runsTests(cmd) && !installs(cmd);
  const made = new Set<string>();
  for (const { path, before } of seen.flatMap(({ files }) => files))
    if (before === null) made.add(path);
  const isOutput = (path: string): boolean =>
    !input.isWritten(path) && (made.has(path) || input.ignoredRoot(path) !== null);
  const isWork = workIn(made, input);
  const builds = seen.filter(
    ({ command, files, isCut }) =>
      !isCut &&
      isBuild(command) &&
      files.every(
        ({ path }) => input.isNobodys(path) || (isOutput(path) && !isWork(path, command)),
      ),
  );
  const still = builds.filter(({ files, folders }) =>
    [...files.map(({ path }) => path), ...folders].some(isThere),
  );
  // A command that made only folders is not repeated: the copy gets the folders by themselves, and it could
  // fail where they exist.
  const making = still.filter(({ files }) => files.length > 0);
  const commands = inOrder(making.map(({ command }) => command));
  if (commands.length === 0 || commands.length > MAX_COMMANDS) return null;
  const others = seen.filter((one) => !still.includes(one) && !runsTests(one.command.cmd));
  const kept = others.flatMap(({ files }) => files.map(({ path }) => path));
  const roots = rootsOf(still, {
    isOutput: (path) => isOutput(path) && !input.isNobodys(path),
    kept: [...input.written, ...kept],
    outermost: (path) => (made.has(path) ? path : (input.ignoredRoot(path) ?? path)),
  });
  const empty = still.filter(({ files }) => files.length === 0).flatMap((one) => one.folders);
  return {
    ...{ commands, folders: [...new Set(empty)] },
    isOutput: (path) => roots.some((root) => path === root || path.startsWith(`${root}/`)),
    outputsOf: (command) => {
      const its = making.filter((one) => keyOf(one.command) === keyOf(command));
      const paths = its.flatMap(({ files }) => files.map(({ path }) => path));
      return [...new Set(paths)].filter((path) => !input.isNobodys(path) && isThere(path));
    },
    ms: timeOf(still),
  };
}

/**
 * Finds outputs that are work. Code without a source counts as written by its command, unless git ignores it
 * and what made it is older than the run.
 */
function workIn(
  made: ReadonlySet<string>,
  { isNamed, isCode, isOld, ignoredRoot, files }: ReplaysInput,
): (path: string, command: CommandOfRun) => boolean {
  const sources = new Set(files.filter((path) => isCode(path) && !made.has(path)).map(stemOf));
  return (path, command) =>
    isNamed(path) ||
    (isCode(path) && !sources.has(stemOf(path)) && !(ignoredRoot(path) !== null && isOld(command)));
}

/** `out/src/calc.js` is made of `src/calc.ts`. */
const stemOf = (path: string): string => posix.basename(path, posix.extname(path));

const keyOf = (command: CommandOfRun): string => JSON.stringify(command);

interface Outputs {
  isOutput(path: string): boolean;
  /** Files that stay in the copy. */
  readonly kept: readonly string[];
  /**
   * The outermost path that is made anew together with a file: a copied old output may not work in a copy.
   */
  outermost(path: string): string;
}

/** Folders in which the builds made everything, and the files that they made elsewhere. */
function rootsOf(
  builds: readonly CommandSeenChanging[],
  { isOutput, kept, outermost }: Outputs,
): readonly string[] {
  const isBelow = (folder: string) => (path: string) => path.startsWith(`${folder}/`);
  const isWhole = (folder: string): boolean => !kept.some(isBelow(folder));
  const folders = new Set(builds.flatMap((one) => one.folders.filter(isWhole)));
  const files = builds.flatMap((one) => one.files.map(({ path }) => path)).filter(isOutput);
  const loose = files.map((path) => (isWhole(outermost(path)) ? outermost(path) : path));
  const all = new Set([...folders, ...loose]);
  return [...all].filter((path) => ![...folders].some((folder) => isBelow(folder)(path)));
}

/**
 * Each command once. If the last runs came in another order than the first, they follow in that order, too:
 * one command may need what another made.
 */
function inOrder(all: readonly CommandOfRun[]): readonly CommandOfRun[] {
  const keys = all.map(keyOf);
  const firsts = [...new Set(keys)];
  const lasts = [...new Set(keys.toReversed())].reverse();
  const order = firsts.join() === lasts.join() ? firsts : [...firsts, ...lasts];
  return order
    .filter((key, at) => key !== order[at - 1])
    .map((key) => JSON.parse(key) as CommandOfRun);
}

/** The sum over all commands, each with its longest run. */
function timeOf(builds: readonly CommandSeenChanging[]): number {
  const longest = new Map<string, number>();
  for (const { command, durationMs } of builds) {
    const key = keyOf(command);
    longest.set(key, Math.max(longest.get(key) ?? 0, durationMs));
  }
  return [...longest.values()].reduce((sum, ms) => sum + ms, 0);
}
