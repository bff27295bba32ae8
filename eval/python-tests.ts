/** Do the tests pass, do they test anything, and do they notice when the code is gone? */

import { type Evidence, missed, reached, type Verdict } from './goal.ts';
import { filesIn, isTestFile, pythonSources, textOf } from './workspace-files.ts';

const TIMEOUT_MS = 60_000;

/** Replaces the body of every function outside tests, constructors and the like aside, by `return None`. */
const MUTATE = `
import ast, sys
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith(("test", "__")):
            node.body = [ast.Return(value=ast.Constant(value=None))]
    with open(path, "w", encoding="utf-8") as file:
        file.write(ast.unparse(ast.fix_missing_locations(tree)))
`;

const runPytest = (evidence: Evidence) =>
  evidence.programs.python(['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
    cwd: evidence.workspace,
    timeoutMs: TIMEOUT_MS,
  });

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

/** Whether pytest passes with at least `least` tests; nothing else. */
export async function testsPass(evidence: Evidence, least: number): Promise<Verdict> {
  const run = await runPytest(evidence);
  if (run.timedOut) return missed('the tests do not end');
  const passed = Number(/(\d+) passed/.exec(lastLine(run.stdout))?.[1] ?? 0);
  if (run.exitCode !== 0) {
    return missed(`pytest ends with ${run.exitCode}: ${lastLine(run.stdout)}`);
  }
  return passed < least
    ? missed(`only ${passed} tests, ${least} are wanted`)
    : reached(`${passed} tests pass`);
}

/**
 * Tests that pass, import the code, assert at least `least` times, and fail once every function of the code returns
 * None. Spoils the workspace.
 */
export async function testsHold(
  evidence: Evidence,
  options: { readonly least: number; readonly imports: RegExp },
): Promise<Verdict> {
  const { workspace, programs } = evidence;
  const tests = filesIn(workspace, '.py').filter(isTestFile);
  if (tests.length === 0) return missed('there is no test file');
  const real = tests
    .map((path) => textOf(workspace, path))
    .filter((text) => options.imports.test(text));
  if (real.length === 0) return missed('no test imports the code');
  const asserts =
    real.join('\n').match(/\bassert\b|\bself\.assert\w+|pytest\.raises/g)?.length ?? 0;
  if (asserts < options.least) return missed(`only ${asserts} assertions in the tests`);
  const passing = await testsPass(evidence, 1);
  if (!passing.reached) return passing;
  const mutated = await programs.python(['-c', MUTATE, ...pythonSources(workspace)], {
    cwd: workspace,
  });
  if (mutated.exitCode !== 0) return missed(`the code does not parse: ${lastLine(mutated.output)}`);
  const again = await runPytest(evidence);
  return again.exitCode === 0
    ? missed('the tests pass even when every function returns None')
    : passing;
}
