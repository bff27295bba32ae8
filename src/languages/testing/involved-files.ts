/**
 * The files that may have caused a failure, the most telling first: those that its output names (a traceback names the
 * file that broke), those that the command names, what these import, and what they read by a name in their text. Pure,
 * except for the texts that it asks for.
 */
import type { InvolvedFile, Involvement } from '../../schema/actions.ts';
import { isTestPath, languageOf } from '../languages.ts';
import { runsTests } from './test-runs.ts';

export interface FailedCommand {
  readonly cmd: string;
  readonly output: string;
}

interface Workspace {
  /** Relative with `/`. */
  readonly files: readonly string[];
  /** `null` for a file that is no text. */
  readText(path: string): string | null;
}

const MAX = 10;
/** The number of tests examined if neither command nor output names one. */
const TESTS_LOOKED_AT = 5;
const MAX_TEXT = 200_000;

export function involvedFiles(
  { cmd, output }: FailedCommand,
  { files, readText }: Workspace,
): readonly InvolvedFile[] {
  const said = mentioned(output, files);
  const run = mentioned(cmd, files);
  const isKnown = [...said, ...run].length > 0;
  const tests =
    !isKnown && runsTests(cmd) ? files.filter(isTestPath).slice(0, TESTS_LOOKED_AT) : [];
  const found = new Map<string, Involvement>();
  for (const path of said) found.set(path, 'said');
  for (const path of [...run, ...tests]) if (!found.has(path)) found.set(path, 'run');
  // Added files are examined as well: a map also iterates over entries added during the loop.
  for (const path of found.keys()) {
    if (found.size >= MAX) break;
    for (const used of usedBy(path, files, readText)) if (!found.has(used)) found.set(used, 'used');
  }
  return [...found].slice(0, MAX).map(([path, how]) => ({ path, how }));
}

/** The last mention tells most: a traceback ends there. */
const mentioned = (text: string, files: readonly string[]): readonly string[] =>
  files
    .map((path) => ({ path, at: lastMention(text, path) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => other.at - one.at || (one.path < other.path ? -1 : 1))
    .map(({ path }) => path);

function lastMention(text: string, path: string): number {
  const plain = text.replaceAll('\\', '/');
  for (let at = plain.lastIndexOf(path); at >= 0; at = plain.lastIndexOf(path, at - 1)) {
    const isWhole =
      !/[\w.-]/.test(plain[at - 1] ?? ' ') && !/[\w-]/.test(plain[at + path.length] ?? ' ');
    if (isWhole) return at;
    if (at === 0) break;
  }
  return -1;
}

/** The lines of a file that an output names: `app.py:12`, `File "app.py", line 12`. */
export const linesNamedIn = (output: string, path: string): readonly number[] =>
  output.split('\n').flatMap((line) => {
    const at = lastMention(line, path);
    const number = at < 0 ? null : /^"?(?::|, line )(\d+)/.exec(line.slice(at + path.length));
    return number ? [Number(number[1])] : [];
  });

function usedBy(
  path: string,
  files: readonly string[],
  readText: Workspace['readText'],
): readonly string[] {
  const text = languageOf(path).runs ? readText(path)?.slice(0, MAX_TEXT) : null;
  if (!text) return [];
  const imported = new Set(languageOf(path).imports?.(path, text) ?? []);
  const literals = new Set(
    [...text.matchAll(/(["'`])([^"'`\n]{1,100})\1/g)].map(([, , literal = '']) =>
      literal.replaceAll('\\', '/').replace(/^\.\//, ''),
    ),
  );
  return files.filter(
    (file) =>
      file !== path && (imported.has(file) || [...literals].some((one) => names(one, file))),
  );
}

/** A literal with an extension: a word such as `add` names no file. */
const names = (literal: string, file: string): boolean =>
  literal.includes('.') && (file === literal || file.endsWith(`/${literal}`));
