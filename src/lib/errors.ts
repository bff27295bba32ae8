/** What can go wrong outside the model's reach. Every code maps to one exit code in `cli/exit-codes.ts`. */
export type ErrorCode =
  | 'E_USAGE'
  | 'E_WORKSPACE'
  | 'E_LOCKED'
  | 'E_FENCED'
  | 'E_JOURNAL_CORRUPT'
  | 'E_JOURNAL_MISSING'
  | 'E_TOO_NEW'
  | 'E_DISK_FULL'
  | 'E_IO'
  | 'E_PROVIDER'
  | 'E_INTERNAL';

/** An error a person can act on: what happened, and in `hint` the next step. */
export class TardigradeError extends Error {
  override readonly name = 'TardigradeError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly hint: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}
