/** What a row of the table says of one option. */
import type { CommandName } from './commands.ts';
import type { Kind } from './kinds.ts';

/** How the help sorts options. */
export type OptionGroup =
  | 'model'
  | 'limits'
  | 'rules'
  | 'work'
  | 'conversation'
  | 'server'
  | 'fleet'
  | 'output';

export interface OptionRow {
  readonly kind: Kind<unknown>;
  readonly group: OptionGroup;
  /** Among the few that the help of a run or a conversation shows first. */
  readonly isFirst?: true;
  /** How it is typed: `-m, --model <model>`. Left out: it cannot be. */
  readonly flag?: string;
  /** Other words for the flag. */
  readonly also?: readonly string[];
  /** The commands that take the flag. */
  readonly on?: readonly CommandName[] | 'all';
  /** In one line of the help. `{files}` and `{hosts}` stand for what the table of providers says. */
  readonly about?: string;
  /** Where it stands in a settings file: `limits.maxRounds`. */
  readonly setting?: string;
  /** What the schema of that file says of it. */
  readonly inFile?: string;
  /**
   * What a project's file may say of it. Left out: nothing. `suggest`: its word goes before the user's;
   * `reached`: so it does for a model that the user's own settings reach; `narrow`: only what is stricter counts.
   */
  readonly project?: 'suggest' | 'reached' | 'narrow';
  /** The environment variable that says it, or the field of the table of providers that names such variables. */
  readonly variable?:
    | string
    | { readonly ofProvider: 'modelVariable' | 'hostVariable' | 'urlVariable' };
  /** Calls of the library that have it by its name; `apart`: in a form of their own, as who is asked. */
  readonly library?: 'run' | 'chat' | 'both' | 'apart';
  /** What holds where nothing is said. */
  readonly usual?: unknown;
  /** The same in words, where it depends on something. */
  readonly usually?: string;
  /** Below it a project may go where the user says nothing. */
  readonly narrowFrom?: unknown;
  /** The option behind whose flag this setting stands: the flag goes before it. */
  readonly behind?: string;
  /** Begun with it, a run keeps it: settings do not change it any more, another choice is typed. */
  readonly isKept?: true;
  /** The command that is printed to go on repeats it. */
  readonly isRepeated?: true;
  /** What it holds may open a door: it is shown without that. */
  readonly isAddress?: true;
}
