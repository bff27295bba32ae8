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

/** One thing that the goal states, with the words of the goal that say so. What of it has no form counts as nothing. */
const Statement = z.looseObject({ quote: z.string().min(1) });

export const PlanArgs = z.object({
  tasks: z.array(Task).min(1),
  proof: Proof.describe('the command that shows the goal is reached').optional(),
  answer_only: z.boolean().describe('the goal only asks for information').optional(),
  brief: z
    .array(Statement)
    .describe(
      'what the goal itself states. quote: a whole line of it, or a text in quotation marks. With it: call, like add(2, 3), argv or stdin, and gives; or keep: PATH; or removes: PATH; or tests: true',
    )
    .optional(),
  why: z.string().describe('why the plan or its proof is another one now').optional(),
});
export type PlanArgs = z.infer<typeof PlanArgs>;
