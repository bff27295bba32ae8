/** An answer from the wire, with its calls as they are meant. */
import type { ToolModeCodec } from '../llm/tool-modes/tool-mode.ts';
import type { ModelQuestion } from '../schema/model/question.ts';
import type { Decoded } from '../schema/records.ts';
import { normalisedCall } from '../tools/calls/normalise-call.ts';
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
  // Corrected before they are recorded: the fold reads them as they are, and so does execution.
  return decoded.kind === 'calls'
    ? { ...decoded, calls: decoded.calls.map((call) => normalisedCall(call, tools)) }
    : decoded;
}
