// The best that a subtask had while it was mended, so that it can come back; pure.
import type { ActionFacts } from '../../schema/actions.ts';
import type { BestSoFar, KnownFile } from '../../schema/run-facts.ts';
import type { ActiveSubtask, RunState } from '../../schema/state.ts';
import { type Finished, writesFile } from './finished.ts';

/** How a command of the subtask ended. */
interface Ran {
  readonly cmd: string;
  readonly passed: boolean;
  readonly facts: ActionFacts;
}

/** A command shows how good the files are now: what is better, or as good and newer, is the best. */
export function judged(
  active: ActiveSubtask,
  { cmd, passed, facts }: Ran,
  files: RunState['files'],
): ActiveSubtask {
  const score = [classOf(passed, facts), 0 - problemsIn(files), 0 - (facts.failingTests ?? 0)];
  const { best } = active;
  const order = best?.cmd === cmd ? compare(score, best.score) : 1;
  // What ran to its end and printed something else was bent to a wish since: the first one stays.
  const isBent = order === 0 && facts.shortfall !== undefined;
  return order < 0 || isBent ? active : { ...active, best: { cmd, score, since: {} } };
}

/** Passed, ran to its end, ran its tests, broke. */
function classOf(passed: boolean, { exitCode, failingTests, overwrites }: ActionFacts): number {
  if (overwrites !== undefined) return 0;
  if (passed) return 3;
  if (exitCode === 0) return 2;
  return exitCode === 1 && failingTests !== undefined ? 1 : 0;
}

const problemsIn = (files: RunState['files']): number =>
  Object.values(files).filter(({ written, problems }) => written && problems.length > 0).length;

/** By their first figures that differ. */
function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

/** What a written file held before, once for each since the best. */
export function changedSince(
  best: BestSoFar,
  files: { readonly [path: string]: KnownFile },
  record: Finished,
): BestSoFar {
  if (!writesFile(record) || record.status !== 'ok')
    return withoutOthers(best, files, record.hashes);
  const before = Object.keys(record.hashes)
    .filter((path) => !Object.hasOwn(best.since, path))
    .map((path): [string, string | null] => [path, files[path]?.hash ?? null]);
  return { ...best, since: { ...best.since, ...Object.fromEntries(before) } };
}

/** A file that holds now what this run did not write is somebody else's: it never comes back. */
export function withoutOthers(
  best: BestSoFar,
  files: { readonly [path: string]: KnownFile },
  seen: { readonly [path: string]: string | null },
): BestSoFar {
  const isTheirs = (path: string): boolean =>
    Object.hasOwn(seen, path) && files[path]?.hash !== seen[path];
  const since = Object.entries(best.since).filter(([path]) => !isTheirs(path));
  return { ...best, since: Object.fromEntries(since) };
}
