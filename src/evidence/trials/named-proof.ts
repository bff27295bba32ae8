/**
 * Decides whether the user chose the proof by naming tests. Pure; it compares names with the goal and
 * interprets no words.
 */
import { languageOf } from '../../languages/languages.ts';
import { namesFile, stands } from '../../probe/names-file.ts';
import type { Proof } from '../../schema/plan.ts';

interface NamedProofInput {
  readonly goal: string;
  /** Test files that existed before the run. */
  readonly tests: readonly string[];
  readonly readText: (path: string) => string | null;
}

/** True when the proof runs a test, or a test file, whose exact name appears in the goal. */
export function takesTheirPlace(
  { cmd }: Proof,
  { goal, tests, readText }: NamedProofInput,
): boolean {
  const isRun = (name: string): boolean => stands(cmd, name);
  return tests.some((path) => {
    if (namesFile(goal, path) && namesFile(cmd, path)) return true;
    const text = readText(path) ?? '';
    return testsIn(path, text).some((name) => isRun(name) && isNamed(goal, name));
  });
}

const QUOTED = /"([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`/g;
const MARKS = /["'`\u2018-\u201f\u00ab\u00bb\u300c-\u300f]/u;

/** Names that the test file defines, and its string literals: some runners name tests by strings. */
const testsIn = (path: string, text: string): readonly string[] => [
  ...(languageOf(path).definedNames?.(text) ?? []).filter((name) => text.includes(name)),
  ...[...text.matchAll(QUOTED)].map((found) => found.slice(1).find(Boolean) ?? ''),
];

/** A single plain word could occur in any goal, so it must be quoted there. */
function isNamed(goal: string, name: string): boolean {
  if (/[_\s]|[a-z][A-Z]/.test(name)) return stands(goal, name);
  const at = goal.indexOf(name);
  return at > 0 && MARKS.test(goal[at - 1] ?? '') && MARKS.test(goal[at + name.length] ?? '');
}
