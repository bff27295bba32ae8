import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/llm/provider.ts';
import type { TurnStatus } from '../../src/schema/model/turn.ts';
import type { PauseReason } from '../../src/schema/records.ts';
import { runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const PAUSES: readonly (readonly [TurnStatus, PauseReason])[] = [
  [{ kind: 'auth_failed' }, 'auth'],
  [{ kind: 'quota_exceeded' }, 'quota'],
  [{ kind: 'refused' }, 'refused'],
  [{ kind: 'timeout' }, 'timeout'],
  [{ kind: 'rate_limited' }, 'provider_unavailable'],
  [{ kind: 'network_error', retryable: false }, 'provider_unavailable'],
  [{ kind: 'model_error', retryable: false }, 'provider_unavailable'],
];

const failing = (status: TurnStatus) => ({
  ...scriptedProvider(() => 'never asked'),
  // biome-ignore lint/correctness/useYield: it fails before anything is said
  async *stream() {
    throw new ProviderError(status, 'It does not work.', 'Do this.');
  },
});

describe.each(['native', 'json'] as const)('a turn that failed for good in %s mode', (toolMode) => {
  it.each(PAUSES)(
    '%j pauses the run as %s, its sentence and next step apart',
    async (status, why) => {
      const { result, records } = await runIn(testWorld(), failing(status), { toolMode });
      const paused = { why, detail: 'It does not work.', hint: 'Do this.' };
      expect(result).toMatchObject({ ending: 'paused', ...paused });
      expect(records.at(-1)).toMatchObject({ type: 'run_paused', ...paused, status });
      expect(result.state.paused).toEqual({ ...paused, status });
      expect(records.findLast(({ type }) => type === 'turn_finished')).toMatchObject({
        detail: 'It does not work.',
        hint: 'Do this.',
      });
    },
  );
});
