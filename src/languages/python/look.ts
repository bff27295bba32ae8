/** Looks at a Python file: one process that parses it and reports as JSON. */

import { z } from 'zod';
import { isTestPath } from '../../lib/test-path.ts';
import { type Look, type LookDeps, runChecker } from '../look-deps.ts';
import { LOOK_MARK } from './script.ts';
import { PYTHON_LOOK_SCRIPT } from './script-names.ts';

const Report = z.object({
  error: z.object({ line: z.number(), message: z.string(), text: z.string() }).nullable(),
  problems: z.array(z.string()),
  defines: z.array(z.object({ name: z.string(), signature: z.string() })),
  prompts: z.array(z.string()),
  hasMain: z.boolean(),
});

/** `null` where python is missing or gave no report; that says nothing about the file. */
export async function lookAtPython(
  path: string,
  text: string,
  deps: LookDeps,
): Promise<Look | null> {
  if (!deps.python) return null;
  const args = ['-I', '-B', '-W', 'ignore', '-c', PYTHON_LOOK_SCRIPT];
  const stdin = JSON.stringify({ path, source: text, planned: deps.planned });
  const ran = await runChecker(deps.python, args, stdin, deps);
  const report = ran && readReport(ran.output);
  if (!report) return null;
  const { error, defines, prompts, hasMain } = report;
  const problems = error ? [parseProblem(error)] : report.problems;
  const description = { defines, prompts, hasMain, isTest: isTestPath(path) };
  return { problems, description, parses: error === null };
}

function parseProblem(error: { line: number; message: string; text: string }): string {
  const shown = error.text ? `: ${error.text}` : '';
  return `line ${error.line}: does not parse, ${error.message}${shown}`;
}

function readReport(output: string): z.infer<typeof Report> | null {
  const line = output.split(/\r?\n/).findLast((one) => one.startsWith(LOOK_MARK));
  if (!line) return null;
  try {
    return Report.parse(JSON.parse(line.slice(LOOK_MARK.length)));
  } catch {
    return null;
  }
}
