/** The plain try before a plan. Pure. */
import { defined } from '../../../lib/defined.ts';
import { TRY } from '../../../schema/evidence.ts';
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import { answersTo } from '../../../schema/state-parts/plain-try.ts';
import { withAllFailed } from '../../../schema/state-parts/plan-status.ts';
import { NO_SURVEY } from '../../../schema/state-parts/run-facts.ts';
import type { StateChanges } from '../files/changes.ts';
import { surveying } from './survey.ts';

/** Stores the answer, with the files that its question showed. */
export function triedBy(
  { conversation, guided }: RunState,
  { purpose, decoded, offset }: Located<RecordOf<'turn_finished'>>,
): Pick<StateChanges, 'guided'> {
  if (purpose !== 'try') return {};
  const calls = decoded.kind === 'calls' ? decoded.calls : [];
  const shows = conversation.at(-1)?.shows ?? [];
  const isText = decoded.kind === 'text' ? ({ isText: true } as const) : {};
  const failed = guided.plainTry?.is === 'due' ? defined({ failed: guided.plainTry.failed }) : {};
  const plainTry = { is: 'answered', offset, calls, ...isText, shows, ...failed } as const;
  return { guided: { ...guided, plainTry } };
}

/** Records how the proof of the answer ended in the copy, so that it is not repeated after a crash. */
export function foldTryTrial(
  { guided }: Pick<RunState, 'guided'>,
  { scratch, offset }: Located<RecordOf<'check_ran'>>,
): Pick<RunState, 'guided'> {
  const { plainTry } = guided;
  if (plainTry?.is !== 'answered' || scratch?.what !== TRY) return { guided };
  const trials = [...(plainTry.trials ?? []), offset];
  return { guided: { ...guided, plainTry: { ...plainTry, trials } } };
}

/** The same question is asked once more, in a new conversation. */
export const foldTryAgain = (state: RunState): RunState => ({
  ...state,
  guided: { ...state.guided, plainTry: { is: 'due', failed: answersTo(state.guided.plainTry) } },
  lastTurn: null,
  conversation: [],
  usage: { ...state.usage, floor: {} },
});

/** The goal is planned as if no try had been made; subtasks of the try count as failed. */
export function foldTryEnded(state: RunState): RunState {
  const { plainTry } = state.guided;
  const asked = answersTo(plainTry);
  const isText = plainTry?.is === 'answered' ? plainTry.isText : undefined;
  return {
    ...state,
    plan: withAllFailed(state.plan, WHY),
    replan: state.plan ? { n: 0, why: WHY } : null,
    active: null,
    ...surveying(state, NO_SURVEY),
    pending: null,
    guided: {
      ...state.guided,
      contentRequest: null,
      plainTry: { is: 'over', asked, ...defined({ isText }) },
    },
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
      ? { ...guided, plainTry: { is: 'over', asked: answersTo(guided.plainTry) } }
      : guided,
});
