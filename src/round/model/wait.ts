/** A wait between two attempts, with one record at its start and one at its end. */
import type { Clock } from '../../lib/clock.ts';
import { nameOf } from '../../llm/failover/candidate.ts';
import type { Ways } from '../../llm/failover/decide.ts';
import { MAX_ATTEMPTS } from '../../llm/failover/decide.ts';
import type { TurnStatus } from '../../schema/model/turn.ts';
import type { RunState } from '../../schema/state.ts';
import type { Step } from '../../steps/step.ts';
import type { RunPorts } from '../run-ports.ts';

export const candidateWays = ({ failover }: Pick<RunPorts, 'failover'>): Ways => ({
  candidates: failover.candidates.map(nameOf),
  current: failover.candidates.findIndex((_, index) => failover.isInUse(index)),
  most: failover.most,
});

export type WaitPort = Pick<RunPorts, 'context' | 'clock' | 'signal' | 'emit' | 'failover'>;

export function beginWait({ ms, why }: Extract<Step, { do: 'begin_wait' }>, run: WaitPort): void {
  const { context, clock } = run;
  reportRetry(run, ms, why);
  context.record({ type: 'wait_started', ms, until: clock.now() + ms, why });
}

/** An interrupt leaves the wait open. */
export async function wait(run: WaitPort): Promise<void> {
  const { context, clock, signal } = run;
  const open = context.state.wait;
  if (open === null) return;
  const ms = leftOf(open, clock);
  if (open.isTakenUp && ms > 0) reportRetry(run, ms, open.why);
  context.sync('pause');
  try {
    if (ms > 0) await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (!signal.aborted) context.record({ type: 'wait_ended' });
}

/** Milliseconds. A clock that was set back does not extend the wait. */
export const leftOf = (open: RunState['wait'], clock: Pick<Clock, 'now'>): number =>
  open === null ? 0 : Math.min(open.ms, Math.max(0, open.until - clock.now()));

/** If nothing failed, the server's own message dates from earlier, so the rate limit is reported. */
export function reportRetry({ context, emit, failover }: WaitPort, ms: number, why: string): void {
  const status: TurnStatus['kind'] = context.state.lastTurn?.status.kind ?? 'rate_limited';
  const { profile } = failover.inUse();
  const attempt = attemptIn(context.state.counters);
  emit({ type: 'turn_retry', attempt, waitMs: Math.round(ms), why, status, profile });
}

export const attemptIn = ({ attempts, abandonedTurns = 0 }: RunState['counters']): number =>
  abandonedTurns * MAX_ATTEMPTS + attempts + 1;
