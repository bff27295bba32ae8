/** The person who is shown a plan. */
import type { Brief } from '../../schema/model/brief.ts';
import type { Plan } from '../../schema/plan.ts';

/** What a person is shown. */
export interface PlanQuestion {
  readonly goal: string;
  readonly brief: Brief | null;
  readonly plan: Plan;
  /** The text to edit. If it came back with a fault, the fault stands above the faulty place. */
  readonly text: string;
  /** The fault of the returned text, with its line; empty the first time. */
  readonly fault: string;
  /** What is wrong with a changed text, with its line; '' if it is a plan that can be used. */
  faultOf(text: string): Promise<string>;
}

/** What a person says to a plan; `edited`: the text as it was changed. */
export type PlanAnswer =
  | { readonly kind: 'yes' }
  | { readonly kind: 'no' }
  | { readonly kind: 'edited'; readonly text: string }
  /** Nobody answered; the question stays open. */
  | { readonly kind: 'none' };

/** Resolves with `none` when the signal is aborted. */
export type AskPlan = (question: PlanQuestion, signal: AbortSignal) => Promise<PlanAnswer>;

/** An `AskPlan` whose person is not always present. */
export interface PlanAsker {
  readonly ask: AskPlan;
  isThere(): boolean;
}
