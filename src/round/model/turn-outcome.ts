/** The fields of a turn that runs and conversations record alike. Pure. */
import { createHash } from 'node:crypto';
import { defined } from '../../lib/defined.ts';
import { adviceIn } from '../../lib/errors.ts';
import { turnCost } from '../../llm/models/turn-cost.ts';
import type { AssistantReply } from '../../schema/model/messages.ts';
import type { TurnResult } from '../../schema/model/turn.ts';
import type { Decoded } from '../../schema/records.ts';

/** @param settings the settings in effect; the price comes from them */
export function turnOutcome(
  result: TurnResult,
  decoded: Decoded,
  settings: Parameters<typeof turnCost>[0],
) {
  const { status, detail, hint, rawReason, usage } = result;
  return {
    status,
    detail,
    ...(hint === '' ? {} : { hint, ...adviceIn(result) }),
    rawReason,
    response: replyOf(result, decoded),
    decoded,
    usage,
    ...turnCost(settings, usage, result.isUncounted),
  };
}

/** The calls of an answer that was cut off are kept only if they are carried out. */
function replyOf({ message, status }: TurnResult, decoded: Decoded): AssistantReply {
  const { content, thinking, ...called } = message;
  const isUsed = status.kind === 'success' || decoded.kind === 'calls';
  const { toolCalls, opaque } = isUsed ? called : {};
  return { content, ...defined({ thinking, toolCalls: toolCalls && [...toolCalls], opaque }) };
}

/**
 * Derives the seed, so that the same work, turn and attempt always get the same one.
 * @param of a goal, or a session
 */
export function seedOf(of: string, seed: number, turn: number, attempt: number): number {
  const digest = createHash('sha256').update(`${of}\0${seed}\0${turn}\0${attempt}`).digest();
  return digest.readUInt32BE(0) & 0x7fffffff;
}
