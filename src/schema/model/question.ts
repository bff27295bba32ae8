import type { Capability } from '../actions.ts';
import type { TurnPurpose } from './turn.ts';

/** One action that may be chosen now; `fixed` and `choices` narrow its arguments. */
export interface OpenAction {
  /** The capability of its tool. */
  readonly does: Capability;
  readonly fixed?: { readonly [argument: string]: string | boolean };
  readonly choices?: { readonly [argument: string]: readonly string[] };
  /** For arguments that are asked for line by line: the question of each line. */
  readonly lines?: { readonly [argument: string]: readonly string[] };
  /** True if a line without an answer makes the whole answer unusable. */
  readonly needsEachLine?: boolean;
  /** The arguments that are asked for; left out: all. */
  readonly only?: readonly string[];
}

/** What a step wants to know. A tool mode encodes it and reads the answer; it knows nothing else. */
export type ModelQuestion =
  | { readonly kind: 'plan' }
  /** Asks how the model reads the goal. */
  | { readonly kind: 'brief' }
  /** Asks for the whole goal: files, each in a fenced block after its name, or a sentence. */
  | { readonly kind: 'try' }
  | {
      readonly kind: 'action';
      readonly open: readonly OpenAction[];
      /** The whole answer is the arguments of the tool with this capability. */
      readonly asData?: Capability;
    }
  | { readonly kind: 'content'; readonly file: string };

export function purposeOf(question: ModelQuestion, isReplan: boolean): TurnPurpose {
  return question.kind === 'plan' && isReplan ? 'replan' : question.kind;
}
