/** Inspects a Python file: one process that parses it and reports as JSON. */
import * as z from 'zod';
import { type Inspection, type InspectionDeps, NOTHING_OFFERED } from '../files/inspection.ts';
import { askPython } from './ask-python.ts';
import SCRIPT from './inspect.py';

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
  const report = await askPython(SCRIPT, { path, source: text }, Report, deps);
  if (report === null) return { ...NOTHING_OFFERED, problems: [], parses: null };
  const { error, defines, prompts } = report;
  return {
    problems: error ? [parseProblem(error)] : [],
    defines,
    prompts,
    parses: error === null,
  };
}

function parseProblem(error: { line: number; message: string; text: string }): string {
  const shown = error.text ? `: ${error.text}` : '';
  return `line ${error.line}: does not parse, ${error.message}${shown}`;
}
