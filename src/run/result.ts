import type { ContextManager } from '../context-manager/context-manager.ts';
import { driverOf } from '../drivers/driver-of.ts';
import type { GivenUp } from '../schema/actions.ts';
import type { SinceEnd } from '../schema/events/result-parts.ts';
import type { Withheld } from '../schema/journal/swap.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { Ending } from '../schema/records.ts';
import type { Paused, RunState } from '../schema/state.ts';
import { isPending } from '../steps/select.ts';

export type Outcome =
  | { readonly ending: Ending; readonly detail: string }
  | { readonly ending: 'already_finished'; readonly detail: string }
  | ({ readonly ending: 'paused' } & Paused);

/** How a call of `runGoal` ended. */
export type RunResult = {
  /** The text that is the result, where the goal asks for one. */
  readonly answer: string | null;
  /**
   * What the model says of its work: what was wrong, what changed, what else it saw; left out where it
   * said nothing. Nobody has checked it.
   */
  readonly summary?: string;
  /** Changes that nothing proves: they are kept out of the folder, and `applyRun` brings them in. */
  readonly withheld?: Withheld;
  /** Of a goal that was achieved and is given again: which of its files are as the run left them. */
  readonly sinceEnd?: SinceEnd;
  readonly state: RunState;
} & Outcome;

export function resultOf(context: ResultSource, outcome: Outcome): RunResult {
  const { state } = context;
  const answer = state.answer === null ? null : context.textOf(state.answer);
  const summary = summaryIn(context);
  if (answer === null && state.verdict?.answer !== undefined)
    return { ...outcome, answer: summary, state };
  return { ...outcome, answer, ...(summary === '' ? {} : { summary }), state };
}

type ResultSource = Pick<ContextManager, 'state' | 'textOf'>;

/** What the model said, where that is all that came of the run. */
export const answerIn = (context: ResultSource): string =>
  context.state.answer === null ? summaryIn(context) : context.textOf(context.state.answer);

/** Its newest word: why it was given up or could not be done, else what it said of the work. */
function summaryIn(context: ResultSource): string {
  const { givenUp, report, failureSaid, answer } = context.state;
  if (givenUp !== null) return abandonedText(givenUp);
  if (failureSaid) return context.textOf(failureSaid);
  if (report !== null) return context.textOf(report);
  // Beside an answer why it is done says nothing more.
  return answer === null ? lastReason(context.state) : '';
}

export const abandonedText = ({ reason, needs }: GivenUp): string =>
  needs === undefined || reason.includes(needs) ? reason : `${reason} It needs: ${needs}`;

/** A model that leads says why it is done; what one that is led says is no more than an answer to that. */
function lastReason({ plan, settings }: RunState): string {
  if (plan === null || !driverOf(settings).callsTools) return '';
  // Why a part of it is done says nothing of the rest.
  if (subtasksOf(plan).some(isPending)) return '';
  const last = subtasksOf(plan).findLast(({ summary }) => summary !== undefined);
  return last?.status === 'failed' ? '' : (last?.summary ?? '');
}
