/** A plan as a leading model proposes it. */
import * as z from 'zod';

const Subtask = z.object({
  do: z.string().min(1).describe('what is done or seen'),
  files: z.array(z.string()).describe('files it makes or changes').optional(),
  done_when: z.string().describe('a file there, or a command that passes').optional(),
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

export const PlanArgs = z.object({
  tasks: z.array(Task).min(1),
  proof: Proof.optional(),
  answer_only: z.boolean().describe('the goal only asks for information').optional(),
  /** Loose, since every request contains this schema; an entry of a wrong form is ignored. */
  brief: z
    .array(z.looseObject({}))
    .describe(
      'what the goal states: {quote: a line of it or its text in quotes, with call: add(2, 3), argv or stdin, and gives; or keep or removes: PATH}',
    )
    .optional(),
  why: z.string().describe('why it is another one now').optional(),
});

/** The same if subtasks may be runs of their own. */
export const ParallelPlanArgs = PlanArgs.extend({
  tasks: z
    .array(
      Task.extend({
        subtasks: z
          .array(
            Subtask.extend({
              independent: z
                .boolean()
                .describe(
                  'it needs nothing that another subtask makes and changes no file of another: it is done at the same time as those beside it',
                )
                .optional(),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
});
export type PlanArgs = z.infer<typeof ParallelPlanArgs>;
