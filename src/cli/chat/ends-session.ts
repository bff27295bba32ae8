import { TardigradeError } from '../../lib/errors.ts';
import { EXIT, exitCodeOfError } from '../../run/exit-codes.ts';

/** After these errors nothing more can be journalled. */
const FATAL: ReadonlySet<string> = new Set(['E_IO', 'E_FENCED', 'E_STATE_GONE', 'E_INTERNAL']);

/** Whether an error makes it impossible to continue the conversation. */
export const endsSession = (error: unknown): boolean =>
  error instanceof TardigradeError
    ? FATAL.has(error.code)
    : exitCodeOfError(error) === EXIT.internal;
