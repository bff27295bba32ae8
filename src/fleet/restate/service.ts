/**
 * The workflow of a run as a virtual object of Restate, keyed by the run: it works on one slice at a time.
 *
 * 1. A waiting run is no invocation: the event it waits for begins one.
 * 2. Once an attempt is over, its worker releases the run: the next attempt may be elsewhere.
 */
import type { FleetAnswer, FleetRequest, FleetStanding, Slices } from '../contract.ts';
import { type Cause, isNews, type StoredStanding, work } from '../workflow.ts';
import type { ObjectContext, Sdk } from './sdk.ts';

export const SERVICE = 'tardigrade';

/** The input of an invocation; the request only the first time. */
interface Work {
  readonly cause: Cause;
  readonly wish?: FleetRequest;
}

const DAY_MS = 24 * 60 * 60_000;

/** A silent slice is never started a second time in parallel; keep-alive alone detects a dead worker. */
const OPTIONS = {
  inactivityTimeout: DAY_MS,
  abortTimeout: DAY_MS,
  journalRetention: 60 * 60_000,
  retryPolicy: {
    initialInterval: 100,
    maxInterval: 500,
    exponentiationFactor: 2,
    // The engine counts all attempts of an invocation, however much was done between two of them. Left to its
    // default it would set a run aside for good after 70 lost connections.
    maxAttempts: 1_000_000_000,
  },
};

export function serviceOf(sdk: Sdk, slices: Slices): unknown {
  const { exclusive, shared } = sdk.handlers.object;
  const again = ({ key, ...context }: Sending, cause: Cause, delay = 0): void =>
    context.objectSendClient({ name: SERVICE }, key).work({ cause }, sdk.rpc.sendOpts({ delay }));
  const requestOf = async (context: ObjectContext): Promise<FleetRequest> => {
    const request = await context.get<FleetRequest>('wish');
    if (request === null) throw new Error('Nobody has submitted that run.');
    return request;
  };
  return sdk.object({
    name: SERVICE,
    options: OPTIONS,
    handlers: {
      work: exclusive((context: ObjectContext, asked: Work) =>
        carryOut(context, asked, slices, again),
      ),
      where: shared(async (context: ObjectContext): Promise<FleetStanding | null> => {
        const request = await context.get<FleetRequest>('wish');
        const kept = await context.get<StoredStanding>('standing');
        return request === null ? null : { request, slice: null, isStopped: false, ...kept };
      }),
      room: shared(async (context: ObjectContext, { tenant }: { readonly tenant: string }) => {
        const isThere = (await context.get<FleetRequest>('wish')) !== null;
        return isThere ? 0 : context.run('room', async () => slices.room?.(tenant) ?? 0);
      }),
      answer: shared(async (context: ObjectContext, answer: FleetAnswer) => {
        const request = await requestOf(context);
        const why = await context.run('answer', () => slices.answer(request, answer));
        if (why === null) again(sending(context), 'answer');
        return why;
      }),
      resume: shared(async (context: ObjectContext) => again(sending(context), 'resume')),
      cancel: shared(async (context: ObjectContext) => {
        const invocation = await context.get<string>('invocation');
        if (invocation !== null) context.cancel(invocation);
        again(sending(context), 'stop');
      }),
    },
  });
}

type Sending = Pick<ObjectContext, 'key' | 'objectSendClient'>;

const sending = (context: ObjectContext): Sending => ({
  key: context.key,
  objectSendClient: (object, key) => context.objectSendClient(object, key),
});

async function carryOut(
  context: ObjectContext,
  { cause, wish: submitted }: Work,
  slices: Slices,
  again: (context: Sending, cause: Cause, delay?: number) => void,
): Promise<void> {
  const { id, attemptCompletedSignal: over } = context.request();
  const run = context.key;
  const request = (await context.get<FleetRequest>('wish')) ?? submitted;
  if (request === undefined || request.run !== run) return;
  const before = await context.get<StoredStanding>('standing');
  context.set('wish', request);
  context.set('invocation', id);
  let last = before;
  const keep = (kept: StoredStanding): void => {
    if (isNews(kept, last)) context.set('standing', kept);
    last = kept;
  };
  // Invariant 2.
  over.addEventListener('abort', () => void slices.release(run).catch(() => {}), { once: true });
  try {
    const slice = () => context.run('advance', () => slices.advance(request, over));
    const later = (ms: number): void => again(sending(context), 'again', ms);
    await work({ slice, keep, again: later }, cause, before);
  } catch (error) {
    if (!isCancelled(error)) throw error;
    await context.run('pause', () => slices.pause(run).then(() => null));
    keep({ slice: last?.slice ?? null, isStopped: true });
  }
}

const isCancelled = (error: unknown): boolean =>
  error instanceof Error && error.name === 'CancelledError';
