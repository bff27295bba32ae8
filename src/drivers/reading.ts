/** An answer from the wire, with its calls as they are meant. */
import type { ToolModeCodec } from '../llm/tool-modes/tool-mode.ts';
import type { ModelQuestion } from '../schema/model/question.ts';
import type { Decoded } from '../schema/records.ts';
import { withNormalisedCalls } from '../tools/calls/normalise-call.ts';
import type { FinishedReply, ReadingView } from './driver.ts';

export function decodedBy(
  codec: ToolModeCodec,
  question: ModelQuestion,
  { message, isCut }: FinishedReply,
  { onWire, tools }: ReadingView,
): Decoded {
  const decoded = isCut
    ? codec.decodeCut(question, message, onWire)
    : codec.decode(question, message, onWire);
  return withNormalisedCalls(decoded, tools);
}
