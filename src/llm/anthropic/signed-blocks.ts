// Pure: signed thinking is sent back unmodified and in its place, or not at all.
import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';
import * as z from 'zod';
import type { Message } from '../../schema/model/messages.ts';

export const PROVIDER = 'anthropic';

/** Where the signed blocks stood in an answer. Text and calls are stored only in the neutral message. */
export const SignedLayout = z.object({
  /** A signature is valid only for the model that made it. */
  model: z.string(),
  layout: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), length: z.number() }),
      z.object({ type: z.literal('call'), id: z.string() }),
      z.object({ type: z.literal('signed'), block: z.record(z.string(), z.unknown()) }),
    ]),
  ),
});
export type SignedLayout = z.infer<typeof SignedLayout>;
export type LayoutPiece = SignedLayout['layout'][number];

type AssistantMessage = Extract<Message, { role: 'assistant' }>;

/** The part of an answer that a piece of its layout stands for. */
export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly index: number }
  | { readonly type: 'signed'; readonly block: ContentBlockParam };

/** The parts of an answer in the order in which the model sent them, as far as known. */
export function answerPartsOf(message: AssistantMessage, model: string): readonly AnswerPart[] {
  const signed = signedOf(message, model);
  return inPlace(message, signed) ?? [...signed.flatMap(signedPart), ...plainParts(message)];
}

function signedOf({ opaque }: AssistantMessage, model: string): readonly LayoutPiece[] {
  if (opaque?.provider !== PROVIDER) return [];
  const { data } = SignedLayout.safeParse(opaque.blocks);
  return data?.model === model ? data.layout : [];
}

/** Null if the message has changed since the layout was made. */
function inPlace(
  message: AssistantMessage,
  layout: readonly LayoutPiece[],
): readonly AnswerPart[] | null {
  const calls = message.toolCalls ?? [];
  const parts: AnswerPart[] = [];
  let read = 0;
  let index = 0;
  for (const piece of layout) {
    switch (piece.type) {
      case 'signed':
        parts.push(...signedPart(piece));
        break;
      case 'text':
        parts.push({ type: 'text', text: message.content.slice(read, read + piece.length) });
        read += piece.length;
        break;
      case 'call':
        if (calls[index]?.id !== piece.id) return null;
        parts.push({ type: 'call', index });
        index += 1;
        break;
    }
  }
  return read === message.content.length && index === calls.length ? parts : null;
}

/** Checked on arrival, and read only by the API that signed it. */
const signedPart = (piece: LayoutPiece): AnswerPart[] =>
  piece.type === 'signed'
    ? [{ type: 'signed', block: piece.block as unknown as ContentBlockParam }]
    : [];

const plainParts = ({ content, toolCalls }: AssistantMessage): AnswerPart[] => [
  { type: 'text', text: content },
  ...(toolCalls ?? []).map((_, index): AnswerPart => ({ type: 'call', index })),
];
