/** Pure: an error in the form that the last event of a call has. */
import { adviceIn, type OptionAdvice, TardigradeError } from '../lib/errors.ts';
import { systemErrorCode } from '../lib/system-error.ts';
import { ProviderError } from '../llm/provider.ts';
import { exitCodeOfError } from '../run/exit-codes.ts';

export interface ErrorFacts extends OptionAdvice {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export function errorFacts(error: unknown): ErrorFacts {
  const exitCode = exitCodeOfError(error);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof TardigradeError)
    return { exitCode, code: error.code, message, hint: error.hint, ...adviceIn(error) };
  if (error instanceof ProviderError)
    return { exitCode, code: 'E_PROVIDER', message, hint: error.hint, ...adviceIn(error) };
  return { exitCode, code: systemErrorCode(error) || 'E_INTERNAL', message, hint: '' };
}
