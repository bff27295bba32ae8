/** The content of one file, asked for apart from the action that named it. */
import { isWrite } from '../../schema/doing.ts';
import type { ContentRequest } from '../../schema/guided-state.ts';
import type { RunState } from '../../schema/state.ts';
import { branchEndStep } from '../../steps/branch.ts';
import { replanOrFail } from '../../steps/replan.ts';

import { PATIENCE, type Step } from '../../steps/step.ts';
import { takeBest } from './best-candidate.ts';
import { readCall } from './calls.ts';
import { lastAction, seqOfQuestion } from './select.ts';
import { noContent, writeAgain } from './words.ts';

/** From there on an answer gets no better by chance. */
const MOST_HEAT = 2;

export function contentStep(state: RunState): Step | null {
  const wanted = state.guided.contentRequest;
  if (!wanted) return branchEndStep(state);
  if (wanted.tries >= PATIENCE.invalidReplies) return null;
  const action = lastAction(state);
  if (action?.status === 'conflict' && action.target === wanted.file)
    return readAgain(state, wanted.file);
  const last = state.conversation.at(-1)?.cause;
  const isSaid =
    last === 'content_question' || (state.mainConversation !== null && last === 'refusal');
  return {
    do: 'ask',
    question: { kind: 'content', file: wanted.file },
    cause: isSaid ? null : 'content_question',
    tries: Math.max(wanted.tries, cameBack(state, wanted.file)),
  };
}

/** A repair begins warmer where the last ones brought what was there: it would come once more. */
const cameBack = ({ round, active }: RunState, file: string): number =>
  round?.origin === 'repair' ? Math.min(MOST_HEAT, active?.sameAgain?.[file] ?? 0) : 0;

/** Somebody else changed the file: it is read before it is written. */
const readAgain = (state: RunState, file: string): Step => ({
  do: 'open_round',
  origin: state.round?.origin ?? 'planned',
  calls: [readCall(state, file)],
});

/** A content answer that cannot be used is taken out; its fault joins the same question. */
export function unusableContentStep(state: RunState): Step | null {
  const wanted = state.guided.contentRequest;
  if (!wanted) return null;
  if (wanted.tries >= PATIENCE.invalidReplies)
    return takeBest(wanted) ?? replanOrFail(state, noContent(wanted.file));
  const question = seqOfQuestion(state, 'content_question');
  const why = wanted.faults.join(' ');
  if (state.mainConversation && question !== undefined)
    return { do: 'refuse', fromSeq: question + 1, why };
  return { do: 'rewind', fromSeq: question ?? Number.MAX_SAFE_INTEGER, why };
}

/** A file with problems is not talked about: its content is asked for once more. */
export const outcomeStep = (state: RunState): Step =>
  state.guided.contentRequest !== null &&
  state.pending?.unreportedResult &&
  isWrite(state.pending.unreportedResult)
    ? rewindContent(state, state.guided.contentRequest)
    : { do: 'tell' };

/** The last question showed only some lines of the file. */
const asksForLines = ({ conversation }: RunState): boolean =>
  conversation
    .findLast(({ cause }) => cause === 'content_question')
    ?.shows?.some(({ from }) => from !== undefined) === true;

/**
 * In a repair the question stays and only the answer goes: it shows the file as it was before. A
 * model that copies it from there is asked once more without it.
 */
export function rewindContent(
  state: RunState,
  { faults, withoutCurrentContent }: ContentRequest,
): Step {
  const shown = seqOfQuestion(state, 'repair_question');
  if (withoutCurrentContent && shown !== undefined)
    return { do: 'rewind', fromSeq: shown, why: 'the file came back as it was' };
  const question = seqOfQuestion(state, 'content_question') ?? Number.MAX_SAFE_INTEGER - 1;
  const why = faults.join(' ');
  return state.mainConversation
    ? {
        do: 'refuse',
        fromSeq: question + 1,
        why: writeAgain(why, asksForLines(state)),
      }
    : { do: 'rewind', fromSeq: question, why };
}
