/** Pure: the advice if there is no model yet: first what runs on any laptop. */
import { adviceIn, type RecoveryHint } from '../../lib/errors.ts';
import { SETUP } from '../../llm/embedded/failures.ts';
import { DEFAULT_EMBEDDED_MODEL } from '../../llm/embedded/hub-file.ts';
import { ProviderError } from '../../llm/provider.ts';
import type { HostEnvironment } from '../host-environment.ts';
import type { HostedRow } from '../providers/provider-row.ts';

/** About 1 GB; the smallest model that was measured to reach goals. */
export const FIRST_MODEL = 'qwen2.5-coder:1.5b';

export const FIRST_SIZE = '1 GB';
export const FIRST_EMBEDDED_SIZE = '1.1 GB';

const FIRST_STEP = {
  hint: `Get a small one (${FIRST_SIZE})`,
  option: 'model',
  optionValue: FIRST_MODEL,
  endsInCommand: true,
} as const satisfies RecoveryHint;

/** For a server that downloads its models and that `setup` knows. */
export const firstStepOf = (server: string): RecoveryHint => ({
  ...FIRST_STEP,
  command: ['setup', server],
});

/** The first step without a server. */
export const FIRST_EMBEDDED = {
  hint: `About ${FIRST_EMBEDDED_SIZE}`,
  ...SETUP,
  option: 'model',
  optionValue: DEFAULT_EMBEDDED_MODEL,
  endsInCommand: true,
} as const satisfies RecoveryHint;

/**
 * For a server of the user that does not run and that nobody named: the advice also names the API whose key
 * is set, else the keys that would do and the way without a server.
 */
export function withOtherWay(
  error: unknown,
  label: string,
  hosted: readonly HostedRow[],
  { env }: Pick<HostEnvironment, 'env'>,
): unknown {
  const isAway = error instanceof ProviderError && error.status.kind === 'network_error';
  if (!isAway) return error;
  const usual = hosted.filter(({ defaultModel }) => defaultModel !== undefined);
  const row = usual.find(({ keyVariable }) => (env[keyVariable] ?? '').trim() !== '');
  const other: RecoveryHint =
    row === undefined
      ? {
          ...FIRST_EMBEDDED,
          hint: `Or set the key of a hosted model (${usual.map(({ keyVariable }) => keyVariable).join(', ')}) and start again. Or without ${label} (${FIRST_EMBEDDED_SIZE})`,
        }
      : {
          hint: `Or use ${row.label}, whose key is set`,
          command: [],
          option: 'model',
          optionValue: row.name,
          endsInCommand: true,
        };
  return new ProviderError(error.status, error.message, `${error.hint} ${other.hint}`, {
    cause: error,
    ...adviceIn(other),
  });
}
