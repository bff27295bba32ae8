import { describe, expect, it } from 'vitest';
import { type Retry, withRetry } from '../../src/llm/retry.ts';
import { NO_USAGE, type TurnResult, type TurnStatus } from '../../src/schema/turn.ts';
import { InstantClock, ManualClock } from './support.ts';

const resultOf = (status: TurnStatus): TurnResult => ({
  status,
  detail: `it was ${status.kind}`,
  message: { role: 'assistant', content: '' },
  rawReason: '',
  usage: NO_USAGE,
});

async function attempts(statuses: readonly TurnStatus[], maxAttempts?: number) {
  const clock = new InstantClock();
  const retries: Retry[] = [];
  const asked: number[] = [];
  const result = await withRetry(
    async (n) => {
      asked.push(n);
      return resultOf(statuses[n - 1] ?? statuses.at(-1)!);
    },
    {
      clock,
      signal: new AbortController().signal,
      onRetry: (retry) => retries.push(retry),
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
    },
  );
  return { status: result.status.kind, asked: asked.length, slept: clock.slept, retries };
}

const CRASH: TurnStatus = { kind: 'model_error', retryable: true };
const DOWN: TurnStatus = { kind: 'network_error', retryable: true };
const SUCCESS: TurnStatus = { kind: 'success' };

describe('a turn is asked again', () => {
  it.each<TurnStatus>([CRASH, DOWN, { kind: 'rate_limited' }])(
    'three times at most after %j, waiting longer each time',
    async (status) => {
      expect(await attempts([status])).toMatchObject({
        status: status.kind,
        asked: 3,
        slept: [1000, 2000],
      });
    },
  );

  it('until it succeeds', async () => {
    expect(await attempts([DOWN, SUCCESS])).toMatchObject({ status: 'success', asked: 2 });
  });

  it('once, and at once, after a malformed answer', async () => {
    expect(await attempts([{ kind: 'invalid_response' }])).toMatchObject({ asked: 2, slept: [] });
  });

  it('once after a time-out', async () => {
    expect(await attempts([{ kind: 'timeout' }])).toMatchObject({ asked: 2, slept: [1000] });
  });

  it('after the time the server asked for, but never after more than a minute', async () => {
    const limited = (retryAfterMs: number): TurnStatus => ({ kind: 'rate_limited', retryAfterMs });
    expect((await attempts([limited(7000)])).slept).toEqual([7000, 7000]);
    expect((await attempts([limited(3_600_000)])).slept).toEqual([60_000, 60_000]);
  });

  it('with waits that stop growing at a minute', async () => {
    const { slept } = await attempts([DOWN], 9);
    expect(slept).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('and says so, with the reason', async () => {
    const { retries } = await attempts([CRASH, SUCCESS]);
    expect(retries).toMatchObject([{ attempt: 2, waitMs: 1000, why: 'it was model_error' }]);
  });
});

describe('a turn is not asked again', () => {
  it.each<TurnStatus>([
    SUCCESS,
    { kind: 'auth_failed' },
    { kind: 'quota_exceeded' },
    { kind: 'context_overflow' },
    { kind: 'truncated' },
    { kind: 'refused' },
    { kind: 'aborted' },
    { kind: 'model_error', retryable: false },
    { kind: 'network_error', retryable: false },
  ])('after %j', async (status) => {
    expect(await attempts([status])).toMatchObject({ status: status.kind, asked: 1, slept: [] });
  });

  it('when it is aborted while waiting', async () => {
    const clock = new ManualClock();
    const abort = new AbortController();
    const pending = withRetry(async () => resultOf(DOWN), { clock, signal: abort.signal });
    await clock.someoneSleeps();
    abort.abort();
    expect((await pending).status).toEqual({ kind: 'aborted' });
  });
});
