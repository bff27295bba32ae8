import { defined } from './defined.ts';

/** Options of a call that a next step may concern, by their names in the library. */
export const OPTION_NAMES = [
  'workspace',
  'host',
  'baseUrl',
  'model',
  'toolMode',
  'forceUnlock',
  'again',
  'contextWindow',
  'maxTokens',
  'maxCost',
  'maxTimeMs',
  'record',
  'sandbox',
  'refreshTools',
] as const;
/** The options that an error may name. */
export type OptionName = (typeof OPTION_NAMES)[number];

/** An error's sentences name no option and no command: each program has its own names for them. */
export interface OptionAdvice {
  /** The option that the next step concerns. */
  readonly option?: OptionName;
  /** The value to give it, as text in the option's units, if it is known. */
  readonly optionValue?: string;
  /** The command that is the next step, as words: `['resume', '2']`. Whoever shows it adds the program's name. */
  readonly command?: readonly string[];
  /** The option's value is the last word of the command. */
  readonly endsInCommand?: true;
}

/** What to do now; `hint` is empty if there is nothing. */
export interface RecoveryHint extends OptionAdvice {
  readonly hint: string;
}

/** Extracts only the option and command. */
export const adviceIn = (
  from: {
    readonly [Key in keyof OptionAdvice]: OptionAdvice[Key] | undefined;
  },
): OptionAdvice =>
  defined({
    option: from.option,
    optionValue: from.optionValue,
    command: from.command,
    endsInCommand: from.endsInCommand,
  });

/** What can go wrong outside the model's reach. Every code maps to one exit code in `run/exit-codes.ts`. */
export type ErrorCode =
  | 'E_USAGE'
  | 'E_WORKSPACE'
  | 'E_LOCKED'
  | 'E_FENCED'
  | 'E_JOURNAL_CORRUPT'
  | 'E_JOURNAL_MISSING'
  | 'E_STATE_GONE'
  | 'E_TOO_NEW'
  | 'E_FOREIGN'
  | 'E_DISK_FULL'
  | 'E_IO'
  | 'E_PROVIDER'
  | 'E_INTERRUPTED'
  | 'E_INTERNAL';

/**
 * An error that a person can act on: what happened, the next step in `hint`, the option that it concerns in
 * `option`, and the words of a command that does it in `command`.
 */
export class TardigradeError extends Error {
  override readonly name = 'TardigradeError';
  readonly option?: OptionName;
  readonly optionValue?: string;
  readonly command?: readonly string[];
  readonly endsInCommand?: true;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly hint: string,
    options: { readonly cause?: unknown } & OptionAdvice = {},
  ) {
    super(message, options);
    Object.assign(this, adviceIn(options));
  }
}

/** E_USAGE: a mistake in how something was called or typed. */
export const misuse = (
  message: string,
  hint: string,
  options?: ConstructorParameters<typeof TardigradeError>[3],
): TardigradeError => new TardigradeError('E_USAGE', message, hint, options);

/** What `work` returns, or what `instead` makes of an error of ours that it throws. */
export function orOnRefusal<Value, Other>(
  work: () => Value,
  instead: (error: TardigradeError) => Other,
): Value | Other {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TardigradeError)) throw error;
    return instead(error);
  }
}

/** What `work` returns, or `null` if it throws an error of ours with this code. */
export const orNullOn = <Value>(code: ErrorCode, work: () => Value): Value | null =>
  orOnRefusal(work, (error) => {
    if (error.code !== code) throw error;
    return null;
  });

/** The `TardigradeError` that `work` throws; `null` if it throws none. */
export const refusalOf = (work: () => unknown): TardigradeError | null =>
  orOnRefusal(
    () => {
      work();
      return null;
    },
    (error) => error,
  );
