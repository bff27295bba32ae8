/** The plain try before a plan. Pure. */
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import { NO_SURVEY } from '../../../schema/state-parts/run-facts.ts';
import type { Changes } from '../files/changes.ts';
import { withAllFailed } from './plan-status.ts';
import { surveying } from './survey.ts';

/** Stores the answer, with the files that its question showed. */
export function triedBy(
  { conversation, guided }: RunState,
  { purpose, decoded, offset }: Located<RecordOf<'turn_finished'>>,
): Pick<Changes, 'guided'> {
  if (purpose !== 'try') return {};
  const calls = decoded.kind === 'calls' ? decoded.calls : [];
  const shows = conversation.at(-1)?.shows ?? [];
  const isText = decoded.kind === 'text' ? ({ isText: true } as const) : {};
  const plainTry = { is: 'answered', offset, calls, ...isText, shows } as const;
  return { guided: { ...guided, plainTry } };
}

/** The goal is planned as if no try had been made; subtasks of the try count as failed. */
export function foldTryEnded(state: RunState): RunState {
  const wasAsked = state.guided.plainTry?.is === 'answered' || state.mainConversation !== null;
  return {
    ...state,
    plan: withAllFailed(state.plan, WHY),
    replan: state.plan ? { n: 0, why: WHY } : null,
    active: null,
    ...surveying(state, NO_SURVEY),
    pending: null,
    guided: { ...state.guided, contentRequest: null, plainTry: { is: 'over', wasAsked } },
    lastTurn: null,
    conversation: [],
    mainConversation: null,
    usage: { ...state.usage, floor: {} },
  };
}

const WHY = 'the plain try came to nothing';

/** A plan of another kind replaces the one that the try produced. */
export const withoutTry = ({ guided }: Pick<RunState, 'guided'>): Pick<RunState, 'guided'> => ({
  guided:
    guided.plainTry?.is === 'answered'
      ? { ...guided, plainTry: { is: 'over', wasAsked: true } }
      : guided,
});
