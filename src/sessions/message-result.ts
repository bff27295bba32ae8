/** Pure: the last event of a message, and the exit code for it. */
import { EXIT, isResumable } from '../run/exit-codes.ts';
import { costSince, type EndFacts, type ResultBody } from '../run/stream/result-body.ts';
import type { MessageEnding } from '../schema/records.ts';
import type { ConversationState } from '../schema/state.ts';
import type { Cost } from '../schema/state-parts/run-facts.ts';
import type { Sent } from './sent.ts';

/** The result of a message: the reply, and the other fields of its last event. */
export type MessageOutcome = Sent & Omit<ResultBody, 'type' | keyof Sent>;

/** 0 for an answer, whatever it says; otherwise the code of a limit, a permission, or the provider. */
export const exitCodeOfMessage = (
  ending: MessageEnding,
  { lastTurn }: Pick<ConversationState, 'lastTurn'>,
): number =>
  ending === 'failed' && OWN.has(lastTurn?.status.kind ?? '')
    ? EXIT.limit
    : EXIT_OF_MESSAGE[ending];

const EXIT_OF_MESSAGE: { readonly [E in MessageEnding]: number } = {
  replied: EXIT.achieved,
  permission: EXIT.person,
  interrupted: EXIT.interrupted,
  refused: EXIT.provider,
  failed: EXIT.provider,
  limit: EXIT.limit,
};

/** Endings of a turn that are not a failure of the provider. */
const OWN: ReadonlySet<string> = new Set(['success', 'truncated', 'context_overflow']);

export interface MessageFacts extends EndFacts {
  /** The cost of the conversation before the message. */
  readonly costBefore: Cost | undefined;
}

/** @param sent the result of the message */
export function messageResult(
  { ending, reply, detail, hint, iterations, usage, lastCallUsage }: Sent,
  state: ConversationState,
  { elapsedMs, workspace, resume, costBefore }: MessageFacts,
) {
  const exitCode = exitCodeOfMessage(ending, state);
  return {
    type: 'result',
    exitCode,
    ending,
    detail,
    turns: iterations,
    usage,
    workspace,
    ...costSince(costBefore, state.usage.cost),
    why: ending === 'failed' ? (state.lastTurn?.status.kind ?? null) : null,
    hint: hint === '' ? null : hint,
    answer: reply === '' ? null : reply,
    lastTurnUsage: lastCallUsage,
    elapsedMs: Math.round(elapsedMs),
    resume: isResumable(exitCode) ? resume : null,
    error: null,
  } satisfies ResultBody;
}

export function messageOutcomeOf(
  sent: Sent,
  { type: _type, ...body }: ReturnType<typeof messageResult>,
): MessageOutcome {
  return { ...body, ...sent };
}
