/** The plain try before a plan; pure. */
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import { NO_SURVEY } from '../../../schema/state-parts/run-facts.ts';
import type { Changes } from '../files/changes.ts';
import { withAllFailed } from './plan-status.ts';
import { surveying } from './survey.ts';

/** What came, with the files that its question showed. */
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

/** The goal is planned as if nothing had been asked; what the try wrote has failed. */
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

/** A plan of another kind takes the place of the one that was made of it. */
export const withoutTry = ({ guided }: Pick<RunState, 'guided'>): Pick<RunState, 'guided'> => ({
  guided:
    guided.plainTry?.is === 'answered'
      ? { ...guided, plainTry: { is: 'over', wasAsked: true } }
      : guided,
});
