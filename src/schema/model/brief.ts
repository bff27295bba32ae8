/** How a model reads the goal: what it stated, and which parts of that the goal supports. */
import * as z from 'zod';
import { recordSchema } from '../record-schema.ts';

/** An example's input to the code: a call, a command line, or a typed line. */
export const BriefInput = z.discriminatedUnion('how', [
  /** A name and literal values, as in JSON. */
  z.object({ how: z.literal('call'), name: z.string(), args: z.array(z.unknown()) }),
  z.object({ how: z.literal('argv'), argv: z.array(z.string()) }),
  z.object({ how: z.literal('stdin'), text: z.string() }),
]);
export type BriefInput = z.infer<typeof BriefInput>;

export const BriefExample = z.object({
  /** The passage of the goal that supports it, verbatim. */
  quote: z.string(),
  input: BriefInput,
  /** The result: the value of a call, otherwise the whole output; left out if it is not stated. */
  gives: z.unknown().optional(),
  /** The passage contains input and result unchanged, the result after the input: it is evidence. */
  literal: z.literal(true).optional(),
});
export type BriefExample = z.infer<typeof BriefExample>;

/** `add(2, 3) gives 5`; a program's text is quoted. */
export function exampleText({ input, gives }: BriefExample): string {
  const result = gives === undefined ? '' : ` gives ${JSON.stringify(gives)}`;
  switch (input.how) {
    case 'call':
      return `${input.name}(${input.args.map((arg) => JSON.stringify(arg)).join(', ')})${result}`;
    case 'argv':
      return `${input.argv.join(' ')}${result}`;
    case 'stdin':
      return `${JSON.stringify(input.text)} typed${result}`;
    default:
      return input satisfies never;
  }
}

/** A file that the passage names. */
export const BriefFile = z.object({ path: z.string(), quote: z.string() });
export type BriefFile = z.infer<typeof BriefFile>;

/** The parts that count: each entry rests on a passage of the goal. */
export const Brief = z.object({
  kind: z.enum(['question', 'work']).optional(),
  examples: z.array(BriefExample),
  /** Files that must stay as they are. */
  keep: z.array(BriefFile),
  /** Files, or patterns of files, that may be removed. */
  removes: z.array(BriefFile),
  /** The goal asks for tests. */
  tests: z.object({ quote: z.string() }).optional(),
});
export type Brief = z.infer<typeof Brief>;

export const BRIEF_RECORDS = [
  /** The goal split into the numbered parts that a model is shown; the first has number 1. */
  recordSchema('goal_cut', { parts: z.array(z.string()) }),
  recordSchema('brief_made', {
    /** As the model stated it, including what does not count. */
    said: z.record(z.string(), z.unknown()),
    brief: Brief,
  }),
] as const;
