/** Rewrites a Python file so that its new functions do nothing; Python itself does it from the syntax tree. */
import * as z from 'zod';
import type { InspectionDeps } from '../files/inspection.ts';
import { askPython } from './ask-python.ts';
import SCRIPT from './empty.py';

const Answer = z.object({ text: z.string().nullable() });

/** @param how `constant`: functions do their work and return one constant of its type; `no_value`: they end there */
export async function alteredPython(
  how: 'emptied' | 'constant' | 'no_value',
  { text: source, before }: { readonly text: string; readonly before: string | null },
  deps: InspectionDeps,
): Promise<string | null> {
  const answer = await askPython(SCRIPT, { how, source, before }, Answer, deps);
  return answer?.text ?? null;
}
