/**
 * Reads the answer of whoever is shown a plan, which may be a function of the embedding program.
 * 1. A value that is no answer leaves the plan waiting: no work begins, and nobody has said no.
 * 2. The promise settles when the signal aborts, whatever the function does.
 */
import * as z from 'zod';
import { thrownText } from '../../lib/callback.ts';
import { raced } from '../../lib/raced.ts';
import type { AskPlan, PlanAnswer } from './plan-review.ts';

const Answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['yes', 'no', 'none']) }),
  z.object({ kind: z.literal('edited'), text: z.string() }),
]);

/** Throws for anything that is no answer. */
export function readPlanAnswer(value: unknown): PlanAnswer {
  const read = Answer.safeParse(value);
  if (!read.success) throw new Error('the answer was none of yes, no, none and edited with a text');
  return read.data;
}

/** Never rejects. @param warn called with errors of the function itself */
export const safeAskPlan =
  (ask: AskPlan, warn: (text: string) => void): AskPlan =>
  async (question, signal) => {
    if (signal.aborted) return { kind: 'none' };
    const answer = (async () => readPlanAnswer(await ask(question, signal)))().catch(
      (error: unknown): PlanAnswer => {
        warn(`Whoever was asked about the plan failed, so it waits: ${thrownText(error)}`);
        return { kind: 'none' };
      },
    );
    return raced(answer, signal, () => ({ kind: 'none' }));
  };
