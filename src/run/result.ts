import type { ContextManager } from '../context-manager/context-manager.ts';
import { driverOf } from '../drivers/driver-of.ts';
import type { GivenUp } from '../schema/actions.ts';
import type { SinceEnd } from '../schema/events/result-parts.ts';
import type { Withheld } from '../schema/journal/swap.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { Ending } from '../schema/records.ts';
import type { Paused, RunState } from '../schema/state.ts';
import { isPending } from '../steps/select.ts';

export type RunEnd =
  | { readonly ending: Ending; readonly detail: string }
  | { readonly ending: 'already_finished'; readonly detail: string }
  | ({ readonly ending: 'paused' } & Paused);

/** How a call of `runGoal` ended. */
export type RunResult = {
  /** The text that the goal asked for. */
  readonly answer: string | null;
  /**
   * The model's unchecked report of its work: what was wrong, what changed, what else it noticed. Left out if
   * it gave none.
   */
  readonly summary?: string;
  /** Changes that nothing proves. They are kept out of the folder; `applyRun` brings them in. */
  readonly withheld?: Withheld;
  /** For an achieved goal that is given again: which of its files are still as the run left them. */
  readonly sinceEnd?: SinceEnd;
  readonly state: RunState;
} & RunEnd;

export function resultOf(context: ResultSource, outcome: RunEnd): RunResult {
  const { answer, summary } = textsIn(context);
  return { ...outcome, answer, ...(summary === '' ? {} : { summary }), state: context.state };
}

/** The text that the goal asked for, and what the model reports of its work; '' if nothing. */
export function textsIn(context: ResultSource): {
  readonly answer: string | null;
  readonly summary: string;
} {
  const { state } = context;
  const answer = state.answer === null ? null : context.textOf(state.answer);
  const summary = summaryIn(context);
  return answer === null && state.verdict?.answer !== undefined
    ? { answer: summary, summary: '' }
    : { answer, summary };
}

type ResultSource = Pick<ContextManager, 'state' | 'textOf'>;

/** The model's text, if that is the run's only result. */
export const answerIn = (context: ResultSource): string =>
  context.state.answer === null ? summaryIn(context) : context.textOf(context.state.answer);

/** The model's latest statement: why it gave up or failed, otherwise its report. */
function summaryIn(context: ResultSource): string {
  const { givenUp, report, failureSaid, answer } = context.state;
  if (givenUp !== null) return abandonedText(givenUp);
  if (failureSaid) return context.textOf(failureSaid);
  if (report !== null) return context.textOf(report);
  // If there is an answer, the reason for finishing adds nothing.
  return answer === null ? lastReason(context.state) : '';
}

export const abandonedText = ({ reason, needs }: GivenUp): string =>
  needs === undefined || reason.includes(needs) ? reason : `${reason} It needs: ${needs}`;

/**
 * A free driver's model gives a reason of its own for being done; a guided model's reason only answers a
 * question.
 */
function lastReason({ plan, settings }: RunState): string {
  if (plan === null || !driverOf(settings).callsTools) return '';
  // The reason for finishing one part says nothing about the rest.
  if (subtasksOf(plan).some(isPending)) return '';
  const last = subtasksOf(plan).findLast(({ summary }) => summary !== undefined);
  return last?.status === 'failed' ? '' : (last?.summary ?? '');
}
