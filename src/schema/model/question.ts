import type { Capability } from '../actions.ts';
import type { TurnPurpose } from './turn.ts';

/** One action that may be chosen now; `fixed` and `choices` narrow its arguments. */
export interface OpenAction {
  /** What the tool does that it is a call of. */
  readonly does: Capability;
  readonly fixed?: { readonly [argument: string]: string | boolean };
  readonly choices?: { readonly [argument: string]: readonly string[] };
  /** Arguments of several lines, asked for line by line: what each line answers. */
  readonly lines?: { readonly [argument: string]: readonly string[] };
  /** True where a line without an answer makes the whole answer unusable. */
  readonly needsEachLine?: boolean;
  /** The arguments that are asked for; left out: all. */
  readonly only?: readonly string[];
}

/** What a step wants to know. A tool mode encodes it and reads the answer; it knows nothing else. */
export type Question =
  | { readonly kind: 'plan' }
  /** How the goal is read. */
  | { readonly kind: 'brief' }
  /** The whole goal: files, each in a fenced block behind its name, or a sentence. */
  | { readonly kind: 'try' }
  | {
      readonly kind: 'action';
      readonly open: readonly OpenAction[];
      /** The arguments of the tool that does this are the whole answer, held to its schema. */
      readonly asData?: Capability;
    }
  | { readonly kind: 'content'; readonly file: string };

export function purposeOf(question: Question, isReplan: boolean): TurnPurpose {
  return question.kind === 'plan' && isReplan ? 'replan' : question.kind;
}
