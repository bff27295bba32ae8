/**
 * Reads the answer of whoever is asked, which may be a function of the embedding program.
 * 1. Only an exact yes is a yes. Everything else is a no, with its reason.
 * 2. The promise settles when the signal aborts, whatever the function does; if it throws, the answer is no.
 */
import * as z from 'zod';
import { thrownText } from '../../lib/callback.ts';
import { defined as present } from '../../lib/defined.ts';
import { raced } from '../../lib/raced.ts';
import type { Giver } from '../../schema/journal/permissions.ts';
import type { AskPerson, PermissionQuestion, PersonsAnswer } from './person.ts';

const YES = z.enum(['once', 'run', 'always']);
const Name = z.string().max(200).optional();
const GIVER = { by: Name, door: Name };
const Answer = z.union([
  YES.transform((kind) => ({ kind })),
  z.strictObject({ kind: YES, input: z.record(z.string(), z.unknown()).optional(), ...GIVER }),
  z.literal('no').transform((kind) => ({ kind, why: '' })),
  z.strictObject({ kind: z.literal('no'), why: z.string().default(''), ...GIVER }),
  z.literal('none').transform((kind) => ({ kind })),
  z.strictObject({ kind: z.literal('none') }),
]);

/** What `ask` may resolve with; a kind may also be given by its name alone. */
export type AskAnswer =
  | Exclude<PersonsAnswer, { kind: 'no' }>
  | ({ readonly kind: 'no'; readonly why?: string } & Giver)
  | PersonsAnswer['kind'];

/**
 * Called when no rule decides. `signal` is aborted when the run stops or someone else has answered. If it
 * throws or resolves with anything other than an `AskAnswer`, the answer is no.
 */
export type Ask = (question: PermissionQuestion, signal: AbortSignal) => Promise<AskAnswer>;

/** An `Ask` whose person is not always present. */
export interface Asker {
  readonly ask: Ask;
  /** True if somebody can be asked at this moment. */
  isThere(): boolean;
}

const NOT_UNDERSTOOD = 'the answer was none of once, run, always, no and none';

/** Never throws. */
export function readPersonsAnswer(value: unknown): PersonsAnswer {
  try {
    const read = Answer.safeParse(value);
    if (!read.success) return { kind: 'no', why: NOT_UNDERSTOOD };
    const { data } = read;
    if (data.kind === 'no' || data.kind === 'none') return data;
    const { input, by, door } = { input: undefined, by: undefined, door: undefined, ...data };
    return { kind: data.kind, ...present({ input, by, door }) };
  } catch {
    return { kind: 'no', why: NOT_UNDERSTOOD };
  }
}

/** @param warn called with errors of the function itself */
export const safeAsk =
  (
    ask: (question: PermissionQuestion, signal: AbortSignal) => unknown,
    warn: (text: string) => void,
  ): AskPerson =>
  async (question, signal) => {
    if (signal.aborted) return { kind: 'none' };
    const answer = (async () => await ask(question, signal))().then(
      readPersonsAnswer,
      (error: unknown): PersonsAnswer => {
        const why = thrownText(error);
        warn(`Whoever was asked failed, which is a no: ${why}`);
        return { kind: 'no', why };
      },
    );
    return raced(answer, signal, () => ({ kind: 'none' }));
  };
