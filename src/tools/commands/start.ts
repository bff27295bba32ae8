/** The changes to the start of a program that is harmless only when it is started in a particular way. */
import type { ProcessOutcome } from '../../processes/contract.ts';

export interface StartRequest {
  /** The name that rules use. */
  readonly name: string;
  readonly args: readonly string[];
  readonly platform: NodeJS.Platform;
  /** The absolute folder in which it works; left out: the workspace. */
  readonly cwd?: string;
  /** True for an absolute path outside the workspace. */
  isOutside(path: string): boolean;
  /**
   * True if the text of a file may be shown. The path is absolute, or relative to the workspace, with `/`.
   */
  mayShow(path: string): boolean;
}

export type StartChange =
  | { readonly kind: 'as_it_is' }
  | {
      readonly kind: 'changed';
      readonly args: readonly string[];
      /** In addition to what the program finds in its environment. */
      readonly env: { readonly [name: string]: string };
      /** What the model is told about it. */
      readonly notice?: string;
    }
  | RefusedStart;

export interface RefusedStart {
  readonly kind: 'refused';
  readonly reason: string;
  readonly hint: string;
  /** True if the program itself rejects the command, so nothing is denied. */
  readonly isFault?: true;
}

export const AS_IT_IS: StartChange = { kind: 'as_it_is' };

export const refusedStart = (reason: string, hint: string): RefusedStart => ({
  kind: 'refused',
  reason,
  hint,
});

/** A query to the program itself, in the workspace folder, before it is started. */
export type AskProgram = (
  args: readonly string[],
  env: { readonly [name: string]: string },
) => Promise<ProcessOutcome>;

export type ChangeStart = (request: StartRequest, ask: AskProgram) => Promise<StartChange>;
