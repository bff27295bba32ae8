/** What a program needs added to its start, where it is only harmless when it is started so. */
import type { ProcessOutcome } from '../../processes/contract.ts';

export interface StartRequest {
  /** The name that rules go by. */
  readonly name: string;
  readonly args: readonly string[];
  readonly platform: NodeJS.Platform;
  /** True for an absolute path that does not lie in the workspace. */
  isOutside(path: string): boolean;
  /** Whether the text of a file may be shown; from the workspace on, `/`. */
  mayShow(path: string): boolean;
}

export type StartChange =
  | { readonly kind: 'as_it_is' }
  | {
      readonly kind: 'changed';
      readonly args: readonly string[];
      /** Beside what the program would find in its environment. */
      readonly env: { readonly [name: string]: string };
      /** What the model is told of it. */
      readonly notice?: string;
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly hint: string };

/** A question to the program itself, in the folder of the workspace, before it is started. */
export type AskProgram = (
  args: readonly string[],
  env: { readonly [name: string]: string },
) => Promise<ProcessOutcome>;

export type Start = (request: StartRequest, ask: AskProgram) => Promise<StartChange>;
