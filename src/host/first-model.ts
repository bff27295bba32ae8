/** What is advised where there is no model yet: first what runs on any laptop. Pure. */
import type { NextStep } from '../lib/errors.ts';
import { ProviderError } from '../llm/provider.ts';
import type { HostEnvironment } from './host-environment.ts';
import type { HostedRow } from './provider-row.ts';

/** Of 1 GB; the smallest that was measured to reach goals. */
export const FIRST_MODEL = 'qwen2.5-coder:1.5b';

export const FIRST_STEP = {
  hint: 'Get a small one (1 GB): agent setup ollama',
  option: 'model',
  optionValue: FIRST_MODEL,
  endsInCommand: true,
} as const satisfies NextStep;

/** A server of one's own that is not there, where the key of an API is: that is said as well. */
export function withKeyAdvice(
  error: unknown,
  hosted: readonly HostedRow[],
  { env }: Pick<HostEnvironment, 'env'>,
): unknown {
  const row = hosted.find(({ keyVariable, defaultModel }) => {
    return defaultModel !== undefined && (env[keyVariable] ?? '').trim() !== '';
  });
  const isAway = error instanceof ProviderError && error.status.kind === 'network_error';
  if (row === undefined || !isAway) return error;
  const { status, message, hint } = error;
  return new ProviderError(
    status,
    message,
    `${hint} Or use ${row.label}, whose key is set: agent`,
    {
      ...{ cause: error, option: 'model', optionValue: row.name, endsInCommand: true },
    },
  );
}
