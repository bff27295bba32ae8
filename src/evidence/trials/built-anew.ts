/**
 * Tells the outputs of a build from data that happens to lie where git ignores it. A build makes its outputs
 * from nothing, with all files as they were before the run. Then a program that the run wrote is missing, and
 * so is data that nothing makes.
 */
import { posix } from 'node:path';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { ensureDirectory } from '../../lib/files/durable-files.ts';
import { orNull } from '../../lib/or-null.ts';
import { SCRATCH_ID, type ScratchRun } from '../../schema/evidence.ts';
import { trialWords } from '../../shown/trials.ts';
import type { Decide } from '../../tools/decision.ts';
import { VERDICT_LIMITS } from '../../workspace/copy-limits.ts';
import { type AskerPort, isSkippingTrials, TrialsSkipped } from '../asker.ts';
import { filesBefore } from '../changes.ts';
import type { RecordsReader } from '../reading.ts';
import type { RunWork } from '../work.ts';
import { copyFor, runInCopy, type ScratchRecord } from './in-copy.ts';

/** Seconds. */
const MAX_SEC = 300;
const MAX_COMMANDS = 3;

/** A command line with its input and its folder. */
interface Ran {
  readonly cmd: string;
  readonly stdin?: string;
  readonly cwd?: string;
}

/** The command that changed a file last. */
export type ChangedBy = (path: string) => Ran | undefined;

export function readingChangedBy(): RecordsReader<ChangedBy> {
  const typed = new Map<string, Ran>();
  const last = new Map<string, Ran>();
  return {
    take(record) {
      if (record.type === 'action_intended') {
        const { cmd, stdin, cwd } = record.args;
        const rest = Object.entries({ stdin, cwd }).filter(
          ([, value]) => typeof value === 'string',
        );
        if (typeof cmd === 'string') typed.set(record.id, { cmd, ...Object.fromEntries(rest) });
      }
      if (record.type !== 'files_changed') return;
      const by = record.by === 'command' ? typed.get(record.id) : undefined;
      for (const { path } of [...record.files, ...(record.uncovered ?? [])])
        if (by) last.set(path, by);
        else last.delete(path);
    },
    result: () => (path) => last.get(path),
  };
}

interface BuiltAnew {
  /** Existing files that git ignores and that commands changed or removed. */
  readonly paths: readonly string[];
  readonly work: RunWork;
  readonly changedBy: ChangedBy;
  /** True for a command whose programs and settings are as they were, and that runs no tests. */
  readonly isBuild: (cmd: string) => boolean;
  /** Trials that ran before. */
  readonly answered: readonly ScratchRecord[];
  /** The policy for calls in the copy. */
  readonly decide: Decide;
}

/**
 * The files that their commands make anew. Whether the others can be made is unknown. Throws `TrialsSkipped`
 * if the user skips it.
 */
export async function builtAnew(run: AskerPort, asking: BuiltAnew): Promise<ReadonlySet<string>> {
  const { paths, work, changedBy, isBuild } = asking;
  const built = new Set<string>();
  const before = filesBefore(work.changed, work);
  if (before === null) return built;
  const without = paths.map((path) => [path, null] as const);
  const commands = new Map(paths.map((path) => [JSON.stringify(changedBy(path)), changedBy(path)]));
  const tried = [...commands.values()].flatMap((one) => one ?? []).slice(0, MAX_COMMANDS);
  for (const [at, command] of tried.entries()) {
    const count = { n: at + 1, of: tried.length };
    const was = await madeInCopy(
      { command, what: 'built' },
      count,
      [...before, ...without],
      run,
      asking,
    );
    const its = paths.filter((path) => changedBy(path)?.cmd === command.cmd);
    const areMade = its.every((path) => was?.scratch.made?.includes(path));
    // A build that fails with the old files makes nothing, so it is tried with the files as they are now.
    const now =
      was?.passed === false && !areMade && isBuild(command.cmd)
        ? await madeInCopy({ command, what: 'built_now' }, count, without, run, asking)
        : null;
    for (const path of [was, now].flatMap((one) => one?.scratch.made ?? [])) built.add(path);
  }
  return built;
}

async function madeInCopy(
  { command: { cwd, ...command }, what }: { readonly command: Ran; readonly what: string },
  count: { readonly n: number; readonly of: number },
  changes: readonly (readonly [string, Uint8Array | null])[],
  run: AskerPort,
  { paths, answered, decide }: BuiltAnew,
): Promise<ScratchRecord | null> {
  if (run.signal.aborted) return null;
  const copied = await copyFor(run, new Map(changes), { limits: VERDICT_LIMITS });
  if (copied.kind === 'not_possible') return null;
  const about = cwd === undefined ? command.cmd : `${command.cmd} (in ${cwd})`;
  const scratch = { what, about, tree: copied.tree };
  const earlier = answered.find(({ scratch: one }) => isSame(one, scratch));
  if (earlier) return earlier;
  const words = trialWords(scratch);
  if (isSkippingTrials(run)) throw new TrialsSkipped([words]);
  run.emit({ type: 'trial_started', ...count, words });
  const look = lookFor(paths, run);
  const ran = await runInCopy(run, command, {
    id: `${SCRATCH_ID}b${count.n}`,
    seconds: MAX_SEC,
    cwd,
    scratch,
    decide,
    look,
    skip: run.skipTrials,
  });
  if (ran?.record.scratch.skipped) throw new TrialsSkipped([words]);
  return ran?.record ?? null;
}

const isSame = (one: ScratchRun, other: Omit<ScratchRun, 'word'>): boolean =>
  one.what === other.what && one.about === other.about && one.tree === other.tree;

/**
 * Which of the files the command made. A new file beside a missing one counts, too: a build may put a hash
 * into its names. Called before the command, because it makes the folders of the files.
 */
function lookFor(
  paths: readonly string[],
  { scratch: { folder }, toolContext: { fs, workspace } }: AskerPort,
): () => Pick<ScratchRun, 'made'> {
  const { join } = pathsOf(fs.platform);
  const placeOf = (root: string, path: string): string =>
    join(root, ...posix.dirname(path).split('/'));
  const namesIn = (root: string, path: string): readonly string[] =>
    orNull(() => fs.readdir(placeOf(root, path))) ?? [];
  for (const path of paths) orNull(() => ensureDirectory(fs, placeOf(folder, path)));
  const was = new Map(paths.map((path) => [path, namesIn(folder, path)]));
  const isMade = (path: string): boolean => {
    const name = posix.basename(path);
    const now = namesIn(folder, path);
    const isGone = !namesIn(workspace, path).includes(name);
    return now.includes(name) || (isGone && now.some((one) => !was.get(path)?.includes(one)));
  };
  return () => ({ made: paths.filter(isMade) });
}
