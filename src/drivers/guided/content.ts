/** Requests the content of one file, separately from the action that named it. */
import { isWrite } from '../../schema/capability.ts';
import type { RunState } from '../../schema/state.ts';
import type { ContentRequest } from '../../schema/state-parts/guided-state.ts';
import { branchEndStep } from '../../steps/branch.ts';
import { replanOrFail } from '../../steps/replan.ts';
import { PATIENCE, type Step } from '../../steps/step.ts';
import { fileReadCall } from './calls.ts';
import { lastAction, seqOfQuestion } from './select.ts';
import { noContent } from './words.ts';

export function contentStep(state: RunState): Step | null {
  const wanted = state.guided.contentRequest;
  if (!wanted) return branchEndStep(state);
  if (wanted.tries >= PATIENCE.invalidReplies) return null;
  const action = lastAction(state);
  if (action?.status === 'conflict' && action.target === wanted.file)
    return readAgain(state, wanted.file);
  // A repair is asked for outside the conversation: its question contains the file and the failure, and no
  // earlier answer to copy.
  if (state.round?.origin === 'repair' && state.mainConversation === null)
    return { do: 'open_branch', why: `repair of ${wanted.file}` };
  const isSaid = state.conversation.at(-1)?.cause === 'content_question';
  return {
    do: 'ask',
    question: { kind: 'content', file: wanted.file },
    cause: isSaid ? null : 'content_question',
    // After an unchanged answer, more variation is needed to get a different one.
    tries: wanted.tries + (wanted.unchanged ?? 0),
  };
}

/** Someone else changed the file: it is read before it is written. */
const readAgain = (state: RunState, file: string): Step => ({
  do: 'open_round',
  origin: state.round?.origin ?? 'planned',
  calls: [fileReadCall(state, file)],
});

/** An unusable content answer is removed; its fault is added to the same question. */
export function unusableContentStep(state: RunState): Step | null {
  const wanted = state.guided.contentRequest;
  if (!wanted) return null;
  return wanted.tries >= PATIENCE.invalidReplies
    ? (takeBest(wanted) ?? replanOrFail(state, noContent(wanted.file)))
    : rewindContent(state, wanted);
}

/** A file with problems is not discussed: its content is requested once more. */
export const outcomeStep = (state: RunState): Step =>
  state.guided.contentRequest !== null &&
  // A native call was made under an earlier driver, and gets its result.
  state.pending?.areRecovered &&
  state.pending.unreportedResult &&
  isWrite(state.pending.unreportedResult)
    ? rewindContent(state, state.guided.contentRequest)
    : { do: 'tell' };

/** The content that fails the fewest given examples, the earlier one if equal; `null`: there is none. */
export function takeBest({ candidates = [] }: ContentRequest): Step | null {
  const fewest = Math.min(...candidates.map(({ failed }) => failed));
  const index = candidates.findIndex(({ failed }) => failed === fewest);
  return index < 0 ? null : { do: 'take_candidate', index };
}

export const rewindContent = (state: RunState, { faults }: ContentRequest): Step => ({
  do: 'rewind',
  fromSeq: seqOfQuestion(state, 'content_question') ?? Number.MAX_SAFE_INTEGER,
  why: faults.join(' '),
});
