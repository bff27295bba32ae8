/** Finds what a proof runs as its program. Pure. */
import {
  changedBuilds,
  linesBehind,
  onlyChecks,
  takeBuilds,
} from '../languages/commands/allowed-commands.ts';
import type { BuildTexts } from '../languages/commands/command-rule.ts';
import { isTestPath } from '../languages/languages.ts';
import { filesRunBy, runsTests } from '../languages/testing/test-runs.ts';
import type { Proof } from '../schema/plan.ts';
import type { ChangedFile } from './work.ts';

interface Changed {
  readonly changed: readonly ChangedFile[];
  readonly readText: (path: string) => string | null;
  /** The build files' texts when the run opened; `null`: there were none. */
  readonly builds: BuildTexts | null;
  readonly workspace: string;
}

/**
 * Files that existed before the run, that the proof runs or that say what it runs, and that the run changed: by them
 * alone a proof can be made to pass. Files that a test runner picks up by their names are not among them.
 */
export function changedPrograms(
  { cmd }: Pick<Proof, 'cmd'>,
  { changed, readText, builds, workspace }: Changed,
): readonly string[] {
  const old = changed.filter(({ before, after }) => before !== null && before !== after);
  const [program = '', ...args] = wordsOf(cmd);
  const today = takeBuilds({ readText });
  const now = { taken: builds, now: () => today, hasChanged: () => false };
  const scripts = linesBehind(program, args, now)?.texts ?? [];
  const settings = changedBuilds(program, args, now);
  const runs = [cmd, ...scripts]
    .flatMap((line) => line.split(/&&|\|\||[;|]/))
    .map(wordsOf)
    .filter((words) => !onlyChecks(words))
    .flatMap((words) => [...filesRunBy(words), ...(runsTests(words.join(' ')) ? words : [])])
    .map((word) => inWorkspace(word, workspace));
  const isRun = (path: string): boolean =>
    !isTestPath(path) && (runs.includes(path) || runs.includes(path.replace(/\.\w+$/, '')));
  return old.map(({ path }) => path).filter((path) => isRun(path) || settings.includes(path));
}

const wordsOf = (line: string): readonly string[] =>
  line
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/^["']|["']$/g, ''));

const inWorkspace = (word: string, workspace: string): string => {
  const path = word.replaceAll('\\', '/');
  const root = `${workspace.replaceAll('\\', '/')}/`;
  return path.startsWith(root) ? path.slice(root.length) : path.replace(/^(?:\.\/)+/, '');
};
