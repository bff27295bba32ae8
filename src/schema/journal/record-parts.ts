/** The parts of records that say how a turn, a message or a run ended. */
import * as z from 'zod';
import { OPTION_NAMES } from '../../lib/errors.ts';
import { ToolCall } from '../model/messages.ts';
import { recordSchema } from '../record-schema.ts';
import { StoredText } from '../text.ts';

/** The new text of a message that was too long; a result stays the result of its call. */
export const CutMessage = z.object({
  seq: z.number().int(),
  text: StoredText,
  toolCallId: z.string().optional(),
  toolName: z.string().optional(),
});
export type CutMessage = z.infer<typeof CutMessage>;

/** What the tool mode read from a reply. */
export const Decoded = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('calls'), calls: z.array(ToolCall), recovered: z.boolean() }),
  /** A file was named whose content is asked for in a separate turn. */
  z.object({ kind: z.literal('file'), path: z.string() }),
  z.object({ kind: z.literal('text') }),
  z.object({ kind: z.literal('invalid'), error: z.string() }),
]);
export type Decoded = z.infer<typeof Decoded>;

/** Why a run stands still until somebody goes on with it. */
export const PauseReason = z.enum([
  'limit_rounds',
  'limit_tokens',
  'limit_cost',
  'limit_time',
  'stalled',
  'waiting_for_person',
  'provider_unavailable',
  /** The model's server refused the key. */
  'auth',
  'quota',
  /** The model refused to answer. */
  'refused',
  'timeout',
  'context_overflow',
  'disk_full',
  'interrupted',
]);
export type PauseReason = z.infer<typeof PauseReason>;

/** The following records have a newer format than the journal began with; an older build refuses it. */
export const FORMAT_RAISED = recordSchema('format_raised', {
  from: z.number().int(),
  to: z.number().int(),
});

/**
 * How a message of a conversation ended. `limit`: it reached a limit. `permission`: something was refused
 * because nobody could be asked. `failed`: no model answered.
 */
export const MessageEnding = z.enum([
  'replied',
  'limit',
  'permission',
  'failed',
  'interrupted',
  'refused',
]);
export type MessageEnding = z.infer<typeof MessageEnding>;

/** `answered`: nothing was changed, and the model gave a text. */
export const Ending = z.enum(['achieved', 'answered', 'unverified', 'failed']);
export type Ending = z.infer<typeof Ending>;

/** The option and command that the next step concerns. An option from a later version is ignored. */
export const OPTION_ADVISED = {
  option: z.enum(OPTION_NAMES).optional().catch(undefined),
  optionValue: z.string().optional(),
  command: z.array(z.string()).readonly().optional(),
  endsInCommand: z.literal(true).optional(),
};
