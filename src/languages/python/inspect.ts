/** Inspects a Python file: one process that parses it and reports as JSON. */

import * as z from 'zod';
import {
  type Inspection,
  type InspectionDeps,
  NOTHING_OFFERED,
  runChecker,
} from '../files/inspection.ts';
import SCRIPT from './inspect.py';

/** Precedes the single line of the report, whatever else is printed. */
const MARK = 'PROBE-LOOK:';

const Report = z.object({
  error: z.object({ line: z.number(), message: z.string(), text: z.string() }).nullable(),
  defines: z.array(z.string()),
  prompts: z.array(z.string()),
});

/** If Python is missing or gives no report, only the text itself is examined. */
export async function inspectPython(
  path: string,
  text: string,
  deps: InspectionDeps,
): Promise<Inspection> {
  const report = await reportOn(path, text, deps);
  if (report === null) return { ...NOTHING_OFFERED, problems: [], parses: null };
  const { error, defines, prompts } = report;
  return {
    problems: error ? [parseProblem(error)] : [],
    defines,
    prompts,
    parses: error === null,
  };
}

async function reportOn(
  path: string,
  source: string,
  deps: InspectionDeps,
): Promise<z.infer<typeof Report> | null> {
  const python = await deps.program('python');
  if (python === null) return null;
  const args = ['-I', '-B', '-W', 'ignore', '-c', SCRIPT];
  const stdin = JSON.stringify({ path, source });
  const ran = await runChecker(python, args, stdin, deps);
  return ran && readReport(ran.output);
}

function parseProblem(error: { line: number; message: string; text: string }): string {
  const shown = error.text ? `: ${error.text}` : '';
  return `line ${error.line}: does not parse, ${error.message}${shown}`;
}

function readReport(output: string): z.infer<typeof Report> | null {
  const line = output.split(/\r?\n/).findLast((one) => one.startsWith(MARK));
  if (!line) return null;
  try {
    return Report.parse(JSON.parse(line.slice(MARK.length)));
  } catch {
    return null;
  }
}
