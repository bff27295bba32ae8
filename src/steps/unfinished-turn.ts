/** A turn that brought nothing to carry out: refused, nudged, or the reason to pause. */
import type { LastTurn, RunState } from '../schema/state.ts';
import { mayLeaveNative, otherMode } from './decision.ts';
import { replanOrFail } from './replan.ts';
import { PATIENCE, type Step } from './step.ts';

export function unfinishedTurnStep(state: RunState): Step | null {
  const turn = state.lastTurn;
  if (!turn) return null;
  switch (turn.status.kind) {
    case 'success':
      return isPlanning(turn) ? null : unusableReply(state, turn);
    case 'truncated':
      return isPlanning(turn) ? null : cutReply(state);
    case 'context_overflow':
      return { do: 'pause', why: 'context_overflow', detail: turn.detail };
    case 'aborted':
      return { do: 'pause', why: 'interrupted', detail: 'stopped while the model was working' };
    case 'invalid_response':
      return otherMode(state) ?? unavailable(turn);
    default:
      return unavailable(turn);
  }
}

const unavailable = ({ detail }: LastTurn): Step => ({
  do: 'pause',
  why: 'provider_unavailable',
  detail,
});

const isPlanning = (turn: LastTurn): boolean =>
  turn.purpose === 'plan' || turn.purpose === 'replan';

function unusableReply(state: RunState, turn: LastTurn): Step | null {
  if (turn.decoded === 'text') {
    const nudges = state.active?.nudges ?? 0;
    if (nudges <= PATIENCE.nudges) return { do: 'nudge' };
    const why = `the model answered ${nudges} times without a tool call`;
    return mayLeaveNative(state)
      ? { do: 'switch_to_json', why }
      : { do: 'pause', why: 'stalled', detail: why };
  }
  if (turn.decoded !== 'invalid') return null;
  if (turn.purpose === 'content') return cutReply(state);
  return tooManyInvalid(state)
    ? replanOrFail(state, `the model's answers could not be read: ${turn.error}`)
    : { do: 'refuse', fromSeq: turn.seq, why: turn.error };
}

/** A content answer that cannot be used is taken out; its fault joins the same question. */
function cutReply(state: RunState): Step | null {
  if (!state.wantsContent) {
    return tooManyInvalid(state)
      ? replanOrFail(state, "the model's answers were cut off again and again")
      : {
          do: 'refuse',
          fromSeq: Number.MAX_SAFE_INTEGER,
          why: 'Your answer was cut off: it was too long. Answer again, much shorter.',
        };
  }
  if (state.wantsContent.tries >= PATIENCE.invalidReplies)
    return replanOrFail(state, `no usable content came for ${state.wantsContent.file}`);
  const question = state.conversation.findLast((ref) => ref.cause === 'content_question');
  if (state.beside && question)
    return { do: 'refuse', fromSeq: question.seq + 1, why: state.wantsContent.faults.join(' ') };
  return {
    do: 'rewind',
    fromSeq: question?.seq ?? Number.MAX_SAFE_INTEGER,
    why: state.wantsContent.faults.join(' '),
  };
}

const tooManyInvalid = (state: RunState): boolean =>
  (state.active?.invalidReplies ?? 0) >= PATIENCE.invalidReplies;
