import type { TurnPurpose } from './turn.ts';

/** One action that may be chosen now; `fixed` and `choices` narrow its arguments. */
export interface OpenAction {
  readonly tool: string;
  readonly fixed?: { readonly [argument: string]: string | boolean };
  readonly choices?: { readonly [argument: string]: readonly string[] };
  /** Arguments of several lines, asked for line by line: what each line answers. */
  readonly lines?: { readonly [argument: string]: readonly string[] };
  /** Arguments that are left out of the question. */
  readonly without?: readonly string[];
}

/** What a step wants to know. A tool mode encodes it and reads the answer; it knows nothing else. */
export type Question =
  | { readonly kind: 'plan' }
  | { readonly kind: 'action'; readonly open: readonly OpenAction[] }
  | { readonly kind: 'content'; readonly file: string };

export const purposeOf = (question: Question, isReplan: boolean): TurnPurpose =>
  question.kind === 'plan' ? (isReplan ? 'replan' : 'plan') : question.kind;
