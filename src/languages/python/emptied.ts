/** Rewrites a Python file so that its new functions do nothing; Python itself does it from the syntax tree. */
import * as z from 'zod';
import { type InspectionDeps, runChecker } from '../files/inspection.ts';
import SCRIPT from './empty.py';

/** Precedes the single line of the answer, whatever else is printed. */
const MARK = 'PROBE-EMPTY:';

const Answer = z.object({ text: z.string().nullable() });

/** @param how `constant`: functions do their work and return one constant of its type; `no_value`: they end there */
export async function alteredPython(
  how: 'emptied' | 'constant' | 'no_value',
  { text: source, before }: { readonly text: string; readonly before: string | null },
  deps: InspectionDeps,
): Promise<string | null> {
  const python = await deps.program('python');
  if (python === null) return null;
  const args = ['-I', '-B', '-W', 'ignore', '-c', SCRIPT];
  const ran = await runChecker(python, args, JSON.stringify({ how, source, before }), deps);
  const line = ran?.output.split(/\r?\n/).findLast((one) => one.startsWith(MARK));
  if (!line) return null;
  try {
    return Answer.parse(JSON.parse(line.slice(MARK.length))).text;
  } catch {
    return null;
  }
}
