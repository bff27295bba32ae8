import { z } from 'zod';
import type { JsonSchema } from '../schema/turn.ts';

const name = z.string().trim().min(1).max(200);
const purpose = z.string().trim().min(1).max(400);

/** What a model may answer to the plan question. Keys are in the order Ollama emits them. */
export const ProposedSubtask = z.discriminatedUnion('action', [
  z.object({ action: z.literal('write_file'), file: name, purpose }),
  z.object({ action: z.literal('edit_file'), file: name, purpose }),
  z.object({ action: z.literal('read_file'), file: name, purpose }),
  z.object({ action: z.literal('list_dir'), file: name, purpose }),
  z.object({ action: z.literal('run_cmd'), cmd: name, purpose, stdin: z.string().optional() }),
]);
export type ProposedSubtask = z.infer<typeof ProposedSubtask>;

export const ProposedPlan = z.object({
  tasks: z
    .array(z.object({ description: name, subtasks: z.array(ProposedSubtask).min(1).max(8) }))
    .min(1)
    .max(6),
  verify: z
    .object({
      cmd: z.string(),
      prints: z.string().optional(),
      stdin: z.string().optional(),
    })
    .optional(),
});
export type ProposedPlan = z.infer<typeof ProposedPlan>;

const text = (maxLength: number, minLength = 1) => ({ type: 'string', minLength, maxLength });

const closed = (properties: JsonSchema): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const fileStep = (action: string): JsonSchema =>
  closed({ action: { const: action }, file: text(60), purpose: text(160) });

/** The same as a grammar for the model: tighter, so that a small model does not pad. */
export const PLAN_SCHEMA: JsonSchema = closed({
  tasks: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: closed({
      description: text(80),
      subtasks: {
        type: 'array',
        minItems: 1,
        maxItems: 4,
        items: {
          anyOf: [
            fileStep('write_file'),
            fileStep('edit_file'),
            fileStep('read_file'),
            fileStep('list_dir'),
            closed({ action: { const: 'run_cmd' }, cmd: text(80), purpose: text(160) }),
          ],
        },
      },
    }),
  },
  verify: closed({ cmd: text(80, 0), prints: text(40, 0), stdin: text(160, 0) }),
});
