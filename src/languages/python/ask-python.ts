/** Asks Python itself about a file: one process runs a script of ours, and answers with JSON. */
import type * as z from 'zod';
import { fitting, jsonIn } from '../../lib/json-value.ts';
import { type InspectionDeps, runChecker } from '../files/inspection.ts';

/** Precedes the single line of the answer, whatever else is printed. */
const MARK = 'PROBE:';

/** `null` if Python is missing or gives no such answer. */
export async function askPython<Answer>(
  script: string,
  question: object,
  answer: z.ZodType<Answer>,
  deps: InspectionDeps,
): Promise<Answer | null> {
  const python = await deps.program('python');
  if (python === null) return null;
  const args = ['-I', '-B', '-W', 'ignore', '-c', script];
  const ran = await runChecker(python, args, JSON.stringify(question), deps);
  const line = ran?.output.split(/\r?\n/).findLast((one) => one.startsWith(MARK));
  return fitting(jsonIn(line?.slice(MARK.length) ?? ''), answer);
}
