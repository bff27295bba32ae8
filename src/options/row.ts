/** What a row of the table says about one option. */
import type { CommandName } from './commands.ts';
import type { Kind } from './kinds.ts';

export interface OptionRow {
  readonly kind: Kind<unknown>;
  /** A run that reaches it pauses, and the command that continues it raises it. */
  readonly isLimit?: true;
  /** Among the few that the help of a run or a conversation shows first. */
  readonly isFirst?: true;
  /** The flag as typed: `-m, --model <model>`. Left out: it has none. */
  readonly flag?: string;
  readonly also?: readonly string[];
  readonly on?: readonly CommandName[] | 'all';
  /** The option's line in the help. `{files}` and `{hosts}` are filled in from the table of providers. */
  readonly about?: string;
  /** The option's path in a settings file: `limits.maxRounds`. */
  readonly setting?: string;
  /** The option's description in the schema of that file. */
  readonly inFile?: string;
  /**
   * What a project's file may set. Left out: nothing. `suggest`: its value counts before the user's;
   * `reached`: the same, if the user's own settings reach that model; `narrow`: only a stricter value counts.
   */
  readonly project?: 'suggest' | 'reached' | 'narrow';
  /** The environment variable that sets it, or the field in the table of providers that names such variables. */
  readonly variable?:
    | string
    | { readonly ofProvider: 'modelVariable' | 'hostVariable' | 'urlVariable' };
  /** Library calls that take it by its name; `apart`: in a form of their own, such as the model. */
  readonly library?: 'run' | 'chat' | 'both' | 'apart';
  readonly usual?: unknown;
  /** The default in words, if it depends on something. */
  readonly usually?: string;
  /** The value below which a project may go if the user sets nothing. */
  readonly narrowFrom?: unknown;
  /** The option that this setting completes: that option's flag takes precedence over it. */
  readonly behind?: string;
  /** A run keeps the value that it began with: later settings do not change it, a typed option does. */
  readonly isKept?: true;
  /** The printed command that resumes the run repeats it. */
  readonly isRepeated?: true;
  /** The value may contain credentials, which are not shown. */
  readonly isAddress?: true;
}
