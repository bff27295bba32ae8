/** Pure: one line on how programs, packages and tests are laid out in the language at hand. */
import { type Plan, plannedFiles } from '../schema/plan.ts';

export interface Installed {
  /** The name that works here (`python`, `python3`, `py`), `null` where none does. */
  readonly python: string | null;
  readonly pytest: boolean;
  readonly node: boolean;
}

export type Language = 'python' | 'javascript';

const JAVASCRIPT =
  /\b(?:javascript|node\.?js|(?:in|with|for|using) node|npm|typescript|express|ecmascript)\b|\.[cm]?[jt]sx?\b/i;
const PYTHON = /\b(?:python3?|pytest|pip|django|flask|pandas|numpy)\b|\.py\b/i;

/** The languages a run is about: those its goal and plan name, else what a script is written in here. */
export function languagesOf(
  goal: string,
  plan: Plan | null,
  installed: Installed,
): readonly Language[] {
  const text = [goal, ...plannedFiles(plan), plan?.proof?.cmd ?? ''].join(' ');
  const named: Language[] = [
    ...(PYTHON.test(text) ? (['python'] as const) : []),
    ...(JAVASCRIPT.test(text) ? (['javascript'] as const) : []),
  ];
  if (named.length > 0) return named;
  if (installed.python) return ['python'];
  return installed.node ? ['javascript'] : [];
}

/** The notes for the system prompt: a line a language, '' where nothing is known. Constant in a run. */
export function environmentNotes(goal: string, plan: Plan | null, installed: Installed): string {
  return languagesOf(goal, plan, installed)
    .map((language) => (language === 'python' ? pythonNote(installed) : javascriptNote(installed)))
    .join('\n');
}

function pythonNote({ python, pytest, node }: Installed): string {
  if (!python)
    return `Python is not installed here: its files can be written but not run.${node ? ' JavaScript can be run by: node NAME.mjs' : ''}`;
  const program = 'Python: a program is one file NAME.py that runs its main function at the end';
  const layout = 'a package is a folder NAME with NAME/__init__.py';
  const tests = pytest
    ? `tests are functions test_... in a file test_NAME.py that imports what it tests, run by: ${python} -m pytest -q; an expected error is tested by: with pytest.raises(ValueError): CALL`
    : `tests are methods test_... of a unittest.TestCase in a file test_NAME.py that imports what it tests, run by: ${python} -m unittest; an expected error is tested by: with self.assertRaises(ValueError): CALL; pytest is not installed`;
  return `${program}, run by: ${python} NAME.py; ${layout}; ${tests}`;
}

function javascriptNote({ node }: Installed): string {
  const layout =
    "JavaScript: a program is one file NAME.mjs that calls its main function at the end, run by: node NAME.mjs; what others use is exported: export function NAME; tests are test('...', () => { assert... }) in a file NAME.test.mjs that begins with: import test from 'node:test'; import assert from 'node:assert/strict'; and imports what it tests from './NAME.mjs', run by: node --test";
  return node ? layout : `${layout}; node is not installed here, so nothing can be run`;
}
