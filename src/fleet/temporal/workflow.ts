/**
 * The workflow of a run on Temporal, in the sandbox that its SDK provides: whatever a run waits for, it waits here.
 *
 * 1. It branches only on a slice's outcome and a person's actions, so code may change while runs are in progress.
 * 2. If it is cancelled, by us or on the engine's page, it pauses and stays, and can be resumed.
 * 3. An execution that has grown long, or was cancelled, hands over to the next one.
 */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  defineSignal,
  defineUpdate,
  makeContinueAsNewFunc,
  proxyActivities,
  setHandler,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { FleetAnswer } from '../contract.ts';
import { type Cause, isNews, type StoredStanding, work } from '../workflow.ts';
import { type Activities, ANSWER, type Begun, RESUME, WORKER_SILENT_MS } from './names.ts';

const DAY_MS = 24 * 60 * 60_000;
const ANSWER_MS = 20_000;
const LONG_HISTORY = 2000;
const RETRY = { initialInterval: 100, maximumInterval: 500, backoffCoefficient: 2 };

const { advance } = proxyActivities<Activities>({
  // A slice is never started a second time in parallel because it takes long; only silence shows that a worker is dead.
  startToCloseTimeout: DAY_MS,
  heartbeatTimeout: WORKER_SILENT_MS,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: RETRY,
});
const { answer } = proxyActivities<Activities>({
  startToCloseTimeout: ANSWER_MS,
  scheduleToCloseTimeout: ANSWER_MS,
  retry: RETRY,
});

export async function tardigrade(begun: Begun): Promise<void> {
  const { wish: request } = begun;
  const causes = [...begun.causes];
  let working: CancellationScope | null = null;
  let isCancelled = false;
  let { kept } = begun;
  let waitMs: number | null = null;
  setHandler(defineSignal(RESUME), () => void causes.push('resume'));
  setHandler(defineUpdate<string | null, [FleetAnswer]>(ANSWER), async (said) => {
    const why = await answer(request, said);
    if (why === null) causes.push('answer');
    return why;
  });
  CancellationScope.current().cancelRequested.catch(() => {
    isCancelled = true;
    causes.push('stop');
    working?.cancel();
  });
  const keep = (now: StoredStanding): void => {
    if (isNews(now, kept)) upsertMemo({ kept: now });
    kept = now;
  };
  const carryOut = async (cause: Cause): Promise<void> => {
    waitMs = null;
    const scope = new CancellationScope();
    working = scope;
    const slice = () => advance(request);
    const again = (ms: number): void => {
      waitMs = ms;
    };
    try {
      await scope.run(() => work({ slice, keep, again }, cause, kept));
    } catch (error) {
      if (!scope.consideredCancelled) throw error;
      keep({ slice: kept?.slice ?? null, isStopped: true });
    } finally {
      working = null;
    }
  };
  const woken = async (): Promise<Cause> => {
    const isWoken = () => causes.length > 0;
    if (waitMs === null) await condition(isWoken);
    else if (waitMs > 0) await condition(isWoken, waitMs);
    return causes.shift() ?? 'again';
  };
  const isGoingOn = (): boolean =>
    kept?.slice?.is !== 'ended' && !isCancelled && workflowInfo().historyLength < LONG_HISTORY;
  await CancellationScope.nonCancellable(async () => {
    do await carryOut(await woken());
    while (isGoingOn());
    await condition(allHandlersFinished);
    if (kept?.slice?.is === 'ended') return;
    const left = waitMs === null ? causes : [...causes, 'again' as const];
    const next = { ...begun, kept, causes: left };
    await makeContinueAsNewFunc<Begun>({ memo: { wish: request, kept } })(next);
  });
}
