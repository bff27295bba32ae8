/** After a failed attempt: waits and asks again, moves the conversation to another model, or leaves it. */
import { type Candidate, candidateText, nameOf } from '../llm/failover/candidate.ts';
import { ProviderError } from '../llm/provider.ts';
import { type TurnResult, withHint } from '../schema/turn.ts';
import type { LiveSession } from './live-session.ts';
import { configure } from './settings.ts';

type Failure = Pick<TurnResult, 'status' | 'detail' | 'hint'>;

/** The failed attempt is journalled already. */
export async function afterFailure(live: LiveSession, failed: Failure): Promise<'ended' | 'again'> {
  const { failover, signal, context, clock } = live;
  let failure = failed;
  for (;;) {
    const decision = failover.decide(failure.status);
    if (decision.kind !== 'ask' || signal.aborted) return 'ended';
    const { candidate: index, waitMs, isNewTurn } = decision;
    const isSame = failover.isInUse(index);
    context.sync('effect');
    const attempt = context.state.counters.attempts + 1;
    const status = failure.status.kind;
    const isTold = isSame || waitMs > 0;
    if (isTold) {
      const why = withHint(failure);
      const { profile } = failover.inUse();
      live.tell({
        ...{ type: 'turn_retry', attempt, waitMs: Math.round(waitMs), why, status, profile },
      });
    }
    if (waitMs > 0) await clock.sleep(waitMs, signal).catch(() => undefined);
    if (signal.aborted) return 'ended';
    if (isNewTurn) failover.beginNextTurn();
    failover.asking(index);
    const candidate = failover.candidates[index];
    if (isSame || candidate === undefined) return 'again';
    const cause = isTold ? {} : { attempt, status };
    const trouble = await switchTo(live, candidate, { failure, cause });
    if (trouble === null) return 'again';
    failover.ended(trouble.status);
    failure = trouble;
  }
}

interface Switch {
  readonly failure: Failure;
  /** What no `turn_retry` has told of it. */
  readonly cause: { readonly attempt?: number; readonly status?: Failure['status']['kind'] };
}

/** `null` when the conversation has moved; else why this candidate cannot be used either. */
async function switchTo(
  live: LiveSession,
  candidate: Candidate,
  { failure, cause }: Switch,
): Promise<Failure | null> {
  const from = nameOf(live.failover.inUse());
  const to = nameOf(candidate);
  try {
    const info = await candidate.provider.describe(candidate.model, live.signal);
    live.tell({ type: 'model_switched', from, to, why: withHint(failure), ...cause });
    configure(live, candidate, info, `${candidateText(from)}: ${failure.status.kind}`);
    live.failover.settled();
    return null;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const text = `${candidateText(to)} cannot be used: ${error.message}`;
    live.tell({ type: 'notice', level: 'warning', text });
    return { status: error.status, detail: error.message, hint: error.hint };
  }
}
