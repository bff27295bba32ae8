/** The person who is shown a plan, as a run knows one. */
import type { Brief } from '../../schema/model/brief.ts';
import type { Plan } from '../../schema/plan.ts';

/** What a person is shown. */
export interface PlanQuestion {
  readonly goal: string;
  readonly brief: Brief | null;
  readonly plan: Plan;
  /** As it is edited; with what is wrong with it above where it came back so. */
  readonly text: string;
  /** What is wrong with the text that came back, with its line; '' the first time. */
  readonly fault: string;
}

/** What a person says to a plan; `edited`: the text as it was changed. */
export type PlanAnswer =
  | { readonly kind: 'yes' }
  | { readonly kind: 'no' }
  | { readonly kind: 'edited'; readonly text: string }
  /** Nobody answered: it stays open. */
  | { readonly kind: 'none' };

/** Resolves with `none` when the signal is aborted. */
export type AskPlan = (question: PlanQuestion, signal: AbortSignal) => Promise<PlanAnswer>;
