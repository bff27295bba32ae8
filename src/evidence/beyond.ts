/**
 * Finds what a proof that passed does not show: changed files that it passes without, and subtasks that are about
 * nothing else. It never speaks against the claim. Pure except for the one trial it requests.
 */
import { bearsOnTests, isCodePath, isDependency, languageOf } from '../languages/languages.ts';
import { type Plan, type Subtask, subtasksOf } from '../schema/plan.ts';
import { type AskTrial, listed } from './evidence.ts';
import type { RecordsReader } from './reading.ts';
import { isCode, type RunWork } from './work.ts';

/**
 * Changed files that the proof may know nothing about; one trial puts all of them back at once. Empty if
 * nothing else was changed, because a proof that fails without any change shows nothing new.
 * @param isMeant false for files that a command only left behind
 */
export function maybeUncovered(
  { changed }: Pick<RunWork, 'changed'>,
  isMeant: (path: string) => boolean,
): readonly string[] {
  const work = changed
    .filter((file) => file.before !== file.after)
    .map(({ path }) => path)
    .filter((path) => isMeant(path) && !bearsOnTests(path) && !isDependency(path));
  const isAside = work.some(canRun) ? (path: string) => !canRun(path) : isProse;
  const aside = work.filter(isAside);
  return aside.length < work.length ? aside : [];
}

const canRun = (path: string): boolean =>
  isCode(path) && languageOf(path).onlyDeclares?.(path) !== true;

const isProse = (path: string): boolean => !isCodePath(path);

/** The files without whose changes the proof passes; empty also if that is unknown. */
export async function uncoveredFiles(
  aside: readonly string[],
  ask: AskTrial,
): Promise<readonly string[]> {
  if (aside.length === 0) return [];
  const answer = await ask({ what: 'put_back', paths: aside });
  return answer.kind === 'ran' && answer.passed ? aside : [];
}

/** The end of a verdict's sentence; '' for no files. */
export function uncoveredText(files: readonly string[]): string {
  const [change, it] = files.length > 1 ? ['changes', 'them'] : ['change', 'it'];
  return files.length === 0
    ? ''
    : `; it also passes without the ${change} of ${listed(files)}, so it says nothing about ${it}`;
}

/** Ids of ended subtasks that neither a check of their own nor the proof shows to be done. */
export function uncoveredSubtasks(
  plan: Plan | null,
  { changed }: Pick<RunWork, 'changed'>,
  files: readonly string[],
  touched: FilesBySubtask,
): readonly string[] {
  const shown = new Set(
    changed.filter((file) => file.before !== file.after).map(({ path }) => path),
  );
  for (const path of files) shown.delete(path);
  const isShown = (subtask: Subtask): boolean => {
    const { id, status, checks, step, files: declared = [] } = subtask;
    if (status !== 'completed') return false;
    const own = [...(step ? [step.target] : []), ...declared, ...(touched.get(id) ?? [])];
    const isBeyond = own.some((path) => files.includes(path));
    return !isBeyond && (checks.length > 0 || own.some((path) => shown.has(path)));
  };
  return (plan ? subtasksOf(plan) : [])
    .filter((one) => one.status === 'completed' || one.status === 'unverified')
    .filter((one) => !isShown(one))
    .map(({ id }) => id);
}

/** The files that were written while each subtask was worked on, by its id. */
export type FilesBySubtask = ReadonlyMap<string, ReadonlySet<string>>;

export function readingFilesBySubtask(): RecordsReader<FilesBySubtask> {
  const touched = new Map<string, Set<string>>();
  let active = '';
  return {
    take(record) {
      if (record.type === 'subtask_started') active = record.subtask;
      if (record.type !== 'action_intended' && record.type !== 'files_changed') return;
      const files = touched.get(active) ?? new Set();
      for (const { path } of record.files) files.add(path);
      touched.set(active, files);
    },
    result: () => touched,
  };
}
