/** A plan as a model that leads sets it. */
import * as z from 'zod';

const Subtask = z.object({
  do: z.string().min(1).describe('what is done or seen'),
  files: z.array(z.string()).describe('files it makes or changes').optional(),
  done_when: z
    .string()
    .describe('what can be seen then: a file, or a command that passes')
    .optional(),
});

const Task = z.object({
  description: z.string().min(1),
  subtasks: z.array(Subtask).min(1),
});

const Proof = z.object({
  cmd: z.string().min(1),
  prints: z.string().optional(),
  stdin: z.string().optional(),
});

const quote = z.string().min(1);
const QuotedFile = z.object({ path: z.string().min(1), quote });

/** How the model reads the goal: each entry with the words of the goal that say so. */
export const BriefArgs = z.object({
  examples: z
    .array(
      z.object({
        quote,
        call: z.string().optional(),
        argv: z.array(z.string()).optional(),
        stdin: z.string().optional(),
        gives: z.string().optional(),
      }),
    )
    .describe('what gives what: a call like add(2, 3), a command or a typed line')
    .optional(),
  keep: z.array(QuotedFile).optional(),
  removes: z.array(QuotedFile).optional(),
  tests: quote.describe('the quote that asks for them').optional(),
});
export type BriefArgs = z.infer<typeof BriefArgs>;

export const PlanArgs = z.object({
  tasks: z.array(Task).min(1),
  proof: Proof.describe('the command that shows the goal is reached').optional(),
  answer_only: z.boolean().describe('the goal only asks for information').optional(),
  brief: BriefArgs.describe(
    'what the goal itself states; a quote is a whole line of it, or a text in quotation marks in it',
  ).optional(),
  why: z.string().describe('why the plan or its proof is another one now').optional(),
});
export type PlanArgs = z.infer<typeof PlanArgs>;
