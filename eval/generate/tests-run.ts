/** Runs tests: given ones as they were, and those that a run wrote. */
import { type Evidence, missed, reached, type Verdict } from '../goal.ts';
import { testsHold } from '../python-tests.ts';
import { filesIn, textOf } from '../workspace-files.ts';
import type { Files } from './generator.ts';
import { put, read } from './look.ts';
import type { ProgramLanguage } from './programs-made.ts';

const TIMEOUT_MS = 10_000;

/** The given tests pass, as they were, whatever the run made of them and of their settings. */
export async function givenTestsPass(
  evidence: Evidence,
  given: Files,
  paths: readonly string[],
): Promise<Verdict> {
  const cwd = evidence.workspace;
  for (const path of paths) {
    if (read(evidence, path) !== given[path]) return missed(`the given ${path} was changed`);
  }
  const settings = ['pytest.ini', 'conftest.py', 'tox.ini', 'setup.cfg', 'pyproject.toml'];
  put(evidence, Object.fromEntries(settings.map((path) => [path, given[path] ?? null])));
  for (const path of paths) {
    const how = { cwd, timeoutMs: TIMEOUT_MS };
    const run = path.endsWith('.py')
      ? await evidence.programs.python(['-m', 'pytest', '-q', '-p', 'no:cacheprovider', path], how)
      : await evidence.programs.node([path], how);
    if (run.timedOut) return missed(`${path} does not end`);
    if (run.exitCode !== 0) return missed(`${path} fails: ${run.output.trim().slice(-200)}`);
  }
  return reached('the given tests pass');
}

/** Tests that the run wrote pass, and fail when every function of the code answers nothing. */
export function ownTestsHold(
  evidence: Evidence,
  language: ProgramLanguage,
  module: string,
): Promise<Verdict> {
  const stem = module.replace(/\.\w+$/, '').replace(/^.*\//, '');
  return language === 'python'
    ? testsHold(evidence, {
        least: 2,
        imports: new RegExp(`^\\s*(from|import)\\s.*\\b${stem}\\b`, 'm'),
      })
    : nodeTestsHold(evidence, module);
}

const NODE_TEST = /\.test\.[cm]?js$|(^|\/)test(\/|-|_|s\/|\.)|[-_]test\.[cm]?js$/;

const NODE_ASSERTION =
  /\bassert\s*\(|\bexpect\s*\(|\b(ok|(not)?(deep)?(strict)?equal|throws|rejects|match)\s*\(/gi;

async function nodeTestsHold(evidence: Evidence, module: string): Promise<Verdict> {
  const { workspace } = evidence;
  const tests = filesIn(workspace).filter(
    (path) => /\.[cm]?js$/.test(path) && NODE_TEST.test(path),
  );
  if (tests.length === 0) return missed('there is no test file');
  const texts = tests.map((path) => textOf(workspace, path)).join('\n');
  const asserts = texts.match(NODE_ASSERTION)?.length ?? 0;
  if (asserts < 2) return missed(`only ${asserts} assertions in the tests`);
  const first = await runNodeTests(evidence, tests);
  if (!first.reached) return first;
  const isEmptied = await emptyModule(evidence, module);
  if (!isEmptied) return missed(`${module} exports nothing`);
  const again = await runNodeTests(evidence, tests);
  return again.reached ? missed('the tests pass even when every function answers nothing') : first;
}

async function runNodeTests(evidence: Evidence, tests: readonly string[]): Promise<Verdict> {
  const run = await evidence.programs.node(['--test', ...tests], {
    cwd: evidence.workspace,
    timeoutMs: 2 * TIMEOUT_MS,
  });
  if (run.timedOut) return missed('the tests do not end');
  if (run.exitCode !== 0) return missed(`the tests fail: ${run.output.trim().slice(-200)}`);
  return reached('the tests pass');
}

const STUBS = `
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
const loaded = await import(pathToFileURL(resolve(process.argv.at(-1))));
const names = Object.keys({ ...(typeof loaded.default === 'object' ? loaded.default : {}), ...loaded });
console.log('\\n' + JSON.stringify(names.filter((name) => /^[A-Za-z_$][\\w$]*$/.test(name) && name !== 'default' && name !== 'module.exports')));
process.exit(0);
`;

/** Puts a module in its place that exports the same names, all of which answer nothing. */
async function emptyModule(evidence: Evidence, module: string): Promise<boolean> {
  const run = await evidence.programs.node(['--input-type=module', '-e', STUBS, module], {
    cwd: evidence.workspace,
  });
  const line = run.stdout.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('[')) return false;
  const names = JSON.parse(line) as string[];
  const text = read(evidence, module) ?? '';
  const isModule = /^\s*export\s/m.test(text) || module.endsWith('.mjs');
  const stub = 'function () {}';
  put(evidence, {
    [module]: isModule
      ? `${names.map((name) => `export const ${name} = ${stub};`).join('\n')}\nexport default ${stub};\n`
      : `module.exports = ${stub};\n${names.map((name) => `module.exports.${name} = ${stub};`).join('\n')}\n`,
  });
  return true;
}
