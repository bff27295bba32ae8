import { describe, expect, it } from 'vitest';
import { cooldownMs, verdictOf } from '../../../src/llm/failover/retry.ts';
import type { TurnStatus } from '../../../src/schema/model/turn.ts';

describe('what a status asks for', () => {
  it.each<[TurnStatus, unknown]>([
    [{ kind: 'success' }, { kind: 'final' }],
    [{ kind: 'truncated' }, { kind: 'final' }],
    [{ kind: 'context_overflow' }, { kind: 'final' }],
    [{ kind: 'refused' }, { kind: 'final' }],
    [{ kind: 'aborted' }, { kind: 'final' }],
    [{ kind: 'invalid_response' }, { kind: 'again' }],
    [{ kind: 'timeout' }, { kind: 'cool', fault: 'model', atLeastMs: 0 }],
    [{ kind: 'rate_limited' }, { kind: 'cool', fault: 'profile', atLeastMs: 0 }],
    [
      { kind: 'rate_limited', retryAfterMs: 90_000 },
      { kind: 'cool', fault: 'profile', atLeastMs: 90_000 },
    ],
    [
      { kind: 'network_error', retryable: true },
      { kind: 'cool', fault: 'profile', atLeastMs: 0 },
    ],
    [
      { kind: 'network_error', retryable: true, retryAfterMs: 5000 },
      { kind: 'cool', fault: 'profile', atLeastMs: 5000 },
    ],
    [
      { kind: 'model_error', retryable: true, retryAfterMs: 5000 },
      { kind: 'cool', fault: 'model', atLeastMs: 5000 },
    ],
    [
      { kind: 'network_error', retryable: false },
      { kind: 'skip', fault: 'profile' },
    ],
    [
      { kind: 'model_error', retryable: true },
      { kind: 'cool', fault: 'model', atLeastMs: 0 },
    ],
    [
      { kind: 'model_error', retryable: false },
      { kind: 'skip', fault: 'model' },
    ],
    [{ kind: 'auth_failed' }, { kind: 'skip', fault: 'profile' }],
    [{ kind: 'quota_exceeded' }, { kind: 'skip', fault: 'profile' }],
  ])('%j is %j', (status, verdict) => {
    expect(verdictOf(status)).toEqual(verdict);
  });
});

it('a cooldown doubles from 1 s and stops growing at a minute', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 1000].map(cooldownMs);
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});
