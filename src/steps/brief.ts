/** How the model reads the goal, asked for beside the plan: once, and nothing depends on the answer. */
import { mayCarry } from '../decompose/brief/may-carry.ts';
import type { RunState } from '../schema/state.ts';
import type { Step } from './step.ts';

/** `null` where nothing of the goal could count, and once it was answered. */
export const briefStep = (state: RunState): Step | null =>
  mayCarry(state.goal) ? readStep(state) : null;

/** Whether it is a question or work depends on no value that stands in the goal. */
export function readStep(state: RunState): Step | null {
  const { guided, brief, conversation, plan, replan } = state;
  // Of a plain try there was only the form of a plan.
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

/** What came of it; the question leaves the conversation with its answer. */
export function briefAnswered({ brief, lastTurn, conversation }: RunState): Step | null {
  if (lastTurn?.purpose !== 'brief') return null;
  if (brief === undefined) return { do: 'adopt_brief' };
  const asked = conversation.find(({ cause }) => cause === 'brief_question');
  return { do: 'rewind', fromSeq: asked?.seq ?? lastTurn.seq, why: 'the goal is read' };
}
