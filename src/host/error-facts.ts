/** Pure: an error in the form that the last event of a call has. */
import { adviceIn, TardigradeError } from '../lib/errors.ts';
import { systemErrorCode } from '../lib/system-error.ts';
import { ProviderError } from '../llm/provider.ts';
import { exitCodeOfError } from '../run/exit-codes.ts';
import type { ErrorFacts } from '../run/stream/result-body.ts';

export function errorFacts(error: unknown): ErrorFacts {
  const exitCode = exitCodeOfError(error);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof TardigradeError)
    return { exitCode, code: error.code, message, hint: error.hint, ...adviceIn(error) };
  if (error instanceof ProviderError)
    return { exitCode, code: 'E_PROVIDER', message, hint: error.hint, ...adviceIn(error) };
  return { exitCode, code: systemErrorCode(error) || 'E_INTERNAL', message, hint: '' };
}
