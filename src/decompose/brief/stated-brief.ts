/** Reads a brief as a model states it, in either requested form; malformed entries are dropped. Pure. */
import * as z from 'zod';
import { isRecord } from '../../lib/json-value.ts';

/** The place in the goal that supports an entry. */
export type GoalPlace = { readonly quote: string } | { readonly part: number };

export interface StatedExample {
  readonly passage: GoalPlace;
  readonly input:
    | { readonly how: 'call'; readonly text: string }
    | { readonly how: 'argv'; readonly argv: readonly string[] }
    | { readonly how: 'stdin'; readonly text: string };
  readonly gives?: string;
}

export interface StatedFile {
  readonly passage: GoalPlace;
  readonly path: string;
}

export interface StatedBrief {
  readonly kind?: 'question' | 'work';
  readonly examples: readonly StatedExample[];
  readonly keep: readonly StatedFile[];
  readonly removes: readonly StatedFile[];
  readonly tests?: GoalPlace;
}

const text = z.string().min(1).max(2_000);
const Kind = z.enum(['question', 'work']);
const QuotedFile = (as: 'keep' | 'removes') =>
  z
    .looseObject({ quote: text })
    .transform(({ quote, [as]: path }) => ({ path, passage: { quote } }))
    .pipe(z.object({ path: text, passage: z.object({ quote: text }) }));
const QuotedTests = z.object({ quote: text, tests: z.literal(true) });
const QuotedExample = z
  .object({
    quote: text,
    call: text.optional(),
    argv: z.array(z.string()).min(1).max(40).optional(),
    stdin: text.optional(),
    gives: z.unknown().optional(),
  })
  .transform(({ quote, call, argv, stdin, gives }): StatedExample | null => {
    const input =
      call !== undefined
        ? ({ how: 'call', text: call } as const)
        : argv !== undefined
          ? ({ how: 'argv', argv } as const)
          : stdin !== undefined
            ? ({ how: 'stdin', text: stdin } as const)
            : null;
    return input && { passage: { quote }, input, ...resultAsText(gives) };
  });

const part = z.number().int().min(1);
const NumberedFile = z.object({ goal_part: part, path: text });
const NumberedExample = z
  .object({
    goal_part: part,
    how: z.enum(['call', 'command', 'typed']),
    input: text,
    result: z.string(),
  })
  .transform(
    ({ goal_part, how, input, result }): StatedExample => ({
      passage: { part: goal_part },
      input:
        how === 'call'
          ? { how, text: input }
          : how === 'typed'
            ? { how: 'stdin', text: input }
            : { how: 'argv', argv: input.trim().split(/\s+/u) },
      ...resultAsText(result),
    }),
  );

/** A model may give a number where a text is meant. */
const resultAsText = (gives: unknown): { readonly gives?: string } => {
  if (gives === undefined || gives === null || gives === '') return {};
  return { gives: typeof gives === 'string' ? gives : JSON.stringify(gives) };
};

const MAX = 16;

/** The well-formed entries of a list. */
const each = <Form extends z.ZodType>(value: unknown, form: Form): readonly z.infer<Form>[] =>
  (Array.isArray(value) ? value.slice(0, MAX) : []).flatMap((one: unknown) => {
    const read = form.safeParse(one);
    return read.success ? [read.data] : [];
  });

const fieldsOf = (said: unknown): { readonly [key: string]: unknown } =>
  isRecord(said) ? said : {};

const kindIn = (value: unknown): Pick<StatedBrief, 'kind'> => {
  const kind = Kind.safeParse(value);
  return kind.success ? { kind: kind.data } : {};
};

/** For briefs that quote the goal at each statement. */
export function quotedBrief(said: unknown): StatedBrief {
  const { kind, stated } = fieldsOf(said);
  const [wanted] = each(stated, QuotedTests);
  return {
    ...kindIn(kind),
    examples: each(stated, QuotedExample).filter((one) => one !== null),
    keep: each(stated, QuotedFile('keep')),
    removes: each(stated, QuotedFile('removes')),
    ...(wanted ? { tests: { quote: wanted.quote } } : {}),
  };
}

/** For briefs that give the number of a goal part at each entry. */
export function numberedBrief(said: unknown): StatedBrief {
  const { asks_for, examples, keep, removes, tests } = fieldsOf(said);
  const files = (value: unknown) =>
    each(value, NumberedFile).map(({ path, goal_part }) => ({
      path,
      passage: { part: goal_part },
    }));
  const wanted = part.safeParse(tests);
  return {
    ...kindIn(asks_for),
    examples: each(examples, NumberedExample),
    keep: files(keep),
    removes: files(removes),
    ...(wanted.success ? { tests: { part: wanted.data } } : {}),
  };
}
