/** Inspects a file that was just written: its problems, and what it offers to other files. */
import type { FileFacts } from '../../schema/actions.ts';
import { isTestPath, LANGUAGES, languageOf } from '../languages.ts';
import { fenceProblems } from '../text/text-problems.ts';
import type { Inspection, InspectionDeps } from './inspection.ts';

/** Larger files are not parsed; no answer of a model is nearly as long. */
const MAX_LENGTH = 400_000;

/**
 * The facts of one file, with at most one process (two for a file that may be read in two ways), and as many again for
 * its former text if there are problems.
 * @param path relative to the workspace, with `/`, already confined to it.
 * @param before its text before the run: a problem that it already had does not count; `null`: there was no file
 */
export async function examineFile(
  path: string,
  deps: InspectionDeps,
  before: string | null = null,
): Promise<FileFacts> {
  const text = deps.readText(path);
  if (text === null) {
    const exists = deps.exists(path);
    return { path, exists, problems: exists ? [] : ['the file does not exist: write it'] };
  }
  const inspection = await inspectByLanguage(path, text, deps);
  const found = problemsIn(path, text, inspection);
  const had = before === null || found.length === 0 ? [] : await hadIn(path, before, deps);
  const problems = found.filter((one) => !had.includes(withoutPlace(one)));
  return { path, exists: true, problems, ...(inspection ? offeredBy(path, inspection) : {}) };
}

const problemsIn = (
  path: string,
  text: string,
  inspection: Inspection | null,
): readonly string[] => [
  ...(text.trim() === ''
    ? emptyProblems(path)
    : fenceProblems(path, text, inspection?.parses ?? null)),
  ...(inspection?.problems ?? []),
];

/** Without line numbers, which shift. */
const withoutPlace = (problem: string): string => problem.replaceAll(/\bline \d+\b/g, 'line');

/** The problems that the former text had. */
async function hadIn(
  path: string,
  before: string,
  deps: InspectionDeps,
): Promise<readonly string[]> {
  const inspection = await inspectByLanguage(path, before, deps);
  return problemsIn(path, before, inspection).map(withoutPlace);
}

/** The number of parallel inspections, so that a patch of a hundred files does not start a hundred programs at once. */
const AT_ONCE = 4;

/** The same for several files, in their order. */
export async function examineFiles(
  paths: readonly string[],
  depsNow: () => InspectionDeps,
  before: (path: string) => string | null = () => null,
): Promise<FileFacts[]> {
  const facts: FileFacts[] = [];
  const waiting = paths.entries();
  const work = async (): Promise<void> => {
    for (const [index, path] of waiting)
      facts[index] = await examineFile(path, depsNow(), before(path));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return facts;
}

async function inspectByLanguage(
  path: string,
  text: string,
  deps: InspectionDeps,
): Promise<Inspection | null> {
  if (text.trim() === '' || text.length > MAX_LENGTH) return null;
  return (await languageOf(path).inspect?.(path, text, deps)) ?? null;
}

/** A file whose name begins with a dot, or a log, may be empty on purpose. */
function emptyProblems(path: string): readonly string[] {
  const mayBeEmpty =
    /(?:^|\/)\.[^/]+$|\.log$/.test(path) || LANGUAGES.some((one) => one.mayBeEmpty?.(path));
  return mayBeEmpty ? [] : ['the file is empty: write its whole content'];
}

/** Only non-empty facts, which are journalled with every write. Nobody uses what tests define. */
function offeredBy(path: string, { defines, prompts }: Inspection): Partial<FileFacts> {
  return {
    ...(defines.length > 0 && !isTestPath(path) ? { defines: [...defines] } : {}),
    ...(prompts.length > 0 ? { prompts: [...prompts] } : {}),
  };
}
