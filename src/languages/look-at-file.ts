/** The generic look at a file just written: what speaks against it, and what it offers to others. */
import { isTestPath } from '../lib/test-path.ts';
import type { FileFacts } from '../schema/actions.ts';
import { lookAtJavaScript } from './javascript/look.ts';
import { jsonProblem } from './json/json-look.ts';
import type { FileDescription, Look, LookDeps } from './look-deps.ts';
import { lookAtPython } from './python/look.ts';
import { extensionOf, textProblems } from './text/text-looks.ts';

export type { FileDescription, LookDeps } from './look-deps.ts';

export interface LookOptions {
  /** True when the answer it came from ended at a length limit. */
  readonly cutOff?: boolean;
}

/** Larger files are not parsed: nothing a model writes in one answer is near it. */
const MAX_LENGTH = 400_000;
const MAX_PROBLEMS = 6;

/**
 * Facts and description of one file, with at most one process (two for a `.js` file).
 * @param path relative to the workspace, with `/`, already confined to it.
 */
export async function examineFile(
  path: string,
  deps: LookDeps,
  options: LookOptions = {},
): Promise<{ readonly facts: FileFacts; readonly description: FileDescription }> {
  const text = deps.readText(path);
  if (text === null) {
    const exists = deps.exists(path);
    const problems = exists ? [] : ['the file does not exist: write it'];
    return { facts: { path, exists, problems }, description: emptyDescription(path) };
  }
  const look = text.length <= MAX_LENGTH ? await lookByLanguage(path, text, deps) : null;
  const problems = [
    ...(options.cutOff ? ['the answer was cut off by its length limit: write a shorter file'] : []),
    ...textProblems(path, text, look?.parses ?? null),
    ...(look?.problems ?? []),
  ].slice(0, MAX_PROBLEMS);
  const description = look?.description ?? emptyDescription(path);
  return { facts: { path, exists: true, problems, ...offeredBy(description) }, description };
}

/** What speaks against a file; empty when nothing does. */
export async function lookAtFile(
  path: string,
  deps: LookDeps,
  options: LookOptions = {},
): Promise<FileFacts> {
  return (await examineFile(path, deps, options)).facts;
}

/** What a file offers to others. */
export async function describeFile(path: string, deps: LookDeps): Promise<FileDescription> {
  return (await examineFile(path, deps)).description;
}

/** Only what there is: facts are journalled with every write. */
function offeredBy({ defines, prompts, isTest }: FileDescription): Partial<FileFacts> {
  return {
    ...(defines.length > 0 && !isTest ? { defines: defines.map((one) => one.signature) } : {}),
    ...(prompts.length > 0 ? { prompts: [...prompts] } : {}),
  };
}

async function lookByLanguage(path: string, text: string, deps: LookDeps): Promise<Look | null> {
  if (text.trim() === '') return null;
  const extension = extensionOf(path);
  if (extension === 'py') return lookAtPython(path, text, deps);
  if (['js', 'mjs', 'cjs'].includes(extension)) return lookAtJavaScript(path, text, deps);
  if (extension !== 'json') return null;
  const problem = jsonProblem(path, text);
  const problems = problem === null ? [] : [problem];
  return { problems, description: emptyDescription(path), parses: problem === null };
}

function emptyDescription(path: string): FileDescription {
  return { defines: [], prompts: [], hasMain: false, isTest: isTestPath(path) };
}
