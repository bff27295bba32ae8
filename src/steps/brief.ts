/**
 * Asks the model how it reads the goal, in addition to the plan. It is asked once, and nothing depends on an
 * answer.
 */
import { mayCarry } from '../decompose/brief/may-carry.ts';
import type { RunState } from '../schema/state.ts';
import type { Step } from './step.ts';

/** `null` when the goal contains nothing that a brief could record, or once it was answered. */
export const briefStep = (state: RunState): Step | null =>
  mayCarry(state.goal) ? readStep(state) : null;

/** Asks even if the goal contains no values: whether it is a question or work does not depend on them. */
export function readStep(state: RunState): Step | null {
  const { guided, brief, conversation, plan, replan } = state;
  // A plain try leaves something in the form of a plan, but it is not one.
  const isPlanned = plan !== null && replan?.n !== 0;
  if (brief !== undefined || isPlanned) return null;
  if (guided.goalParts === undefined) return { do: 'cut_goal' };
  const isSaid = conversation.at(-1)?.cause === 'brief_question';
  return {
    do: 'ask',
    question: { kind: 'brief' },
    cause: isSaid ? null : 'brief_question',
    tries: 0,
  };
}

/** Adopts the answer, then removes question and answer from the conversation. */
export function briefAnswered({ brief, lastTurn, conversation }: RunState): Step | null {
  if (lastTurn?.purpose !== 'brief') return null;
  if (brief === undefined) return { do: 'adopt_brief' };
  const asked = conversation.find(({ cause }) => cause === 'brief_question');
  return { do: 'rewind', fromSeq: asked?.seq ?? lastTurn.seq, why: 'the goal is read' };
}
