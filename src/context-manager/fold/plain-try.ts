/** The plain try before a plan; pure. */
import type { Located, RecordOf } from '../../schema/records.ts';
import { NO_SURVEY } from '../../schema/run-facts.ts';
import type { RunState } from '../../schema/state.ts';
import type { Changes } from './changes.ts';
import { wanting } from './guided.ts';
import { withAllFailed } from './plan-status.ts';

/** What came, with the files that its question showed. */
export function triedBy(
  { conversation }: RunState,
  { purpose, decoded, offset }: Located<RecordOf<'turn_finished'>>,
): Pick<RunState, 'plainTry'> {
  if (purpose !== 'try') return {};
  const calls = decoded.kind === 'calls' ? decoded.calls : [];
  const shows = conversation.at(-1)?.shows ?? [];
  const isText = decoded.kind === 'text' ? ({ isText: true } as const) : {};
  return { plainTry: { is: 'answered', offset, calls, ...isText, shows } };
}

/** The goal is planned as if nothing had been asked; what the try wrote has failed. */
export function foldTryEnded(state: RunState): RunState {
  const wasAsked = state.plainTry?.is === 'answered' || state.mainConversation !== null;
  return {
    ...state,
    plainTry: { is: 'over', wasAsked },
    plan: withAllFailed(state.plan, WHY),
    replan: state.plan ? { n: 0, why: WHY } : null,
    active: null,
    survey: NO_SURVEY,
    pending: null,
    ...wanting(state, null),
    ...wanting(state, null),
    lastTurn: null,
    conversation: [],
    mainConversation: null,
    usage: { ...state.usage, floor: {} },
  };
}

const WHY = 'the plain try came to nothing';

/** A plan of another kind takes the place of the one that was made of it. */
export const withoutTry = ({ plainTry }: RunState): Changes =>
  plainTry?.is === 'answered' ? { plainTry: { is: 'over', wasAsked: true } } : {};
