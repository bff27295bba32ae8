/** After a failed attempt: waits and asks again, moves the run to another model, or leaves it. */

import { chooseDriver, type ModelKnown, windowFor } from '../drivers/choose-driver.ts';
import { driverMeantBy } from '../drivers/driver-of.ts';
import { type Candidate, candidateText, nameOf } from '../llm/failover/candidate.ts';
import { MAX_ATTEMPTS } from '../llm/failover/decide.ts';
import { type ModelInfo, ProviderError } from '../llm/provider.ts';
import { type DriverName, traitsOf } from '../schema/driver.ts';
import type { RunState } from '../schema/state.ts';
import { type TurnResult, withHint } from '../schema/turn.ts';
import { reachedLimit } from '../steps/limits.ts';
import { settingsOf } from '../steps/select.ts';
import { definitionsFor } from '../tools/registry.ts';
import { knownOf } from './learn.ts';
import { startReplan } from './planning.ts';
import type { Run } from './run.ts';
import { systemPromptAgain, withinWindow } from './system-prompt.ts';

type WaitPort = Pick<Run, 'clock' | 'signal'>;
type SwitchPort = WaitPort &
  Pick<Run, 'context' | 'failover' | 'notes' | 'names' | 'tools' | 'emit' | 'lessons'>;
export type FailoverPort = SwitchPort & Pick<Run, 'limits' | 'elapsedMs'>;

/** Time a provider has to say what it knows of a model. */
const DESCRIBE_MS = 120_000;

/** `again`: the same request once more. `switched`: other settings are in effect. */
export type AfterFailure = 'ended' | 'again' | 'switched';

type Settings = NonNullable<RunState['settings']>;
type Failure = Pick<TurnResult, 'status' | 'detail' | 'hint'>;

/** The failed attempt is journalled already. Leaves the conversation as it is. */
export async function afterFailure(run: FailoverPort, failed: Failure): Promise<AfterFailure> {
  const { failover, signal } = run;
  let failure = failed;
  for (;;) {
    const decision = failover.decide(failure.status);
    if (decision.kind !== 'ask' || signal.aborted) return 'ended';
    const { candidate, waitMs, isNewTurn } = decision;
    // Waiting beyond the time there is would only end the run later.
    if (reachedLimit(run.context.state, run.limits, run.elapsedMs() + waitMs)) return 'ended';
    const isSame = failover.isInUse(candidate);
    run.context.sync('pause');
    const isTold = isSame || waitMs > 0;
    if (isTold) tellRetry(run, waitMs, failure);
    const cause = isTold ? {} : { attempt: attemptIn(run), status: failure.status.kind };
    if (waitMs > 0) await pause(run, waitMs);
    if (signal.aborted) return 'ended';
    if (isNewTurn) failover.beginNextTurn();
    failover.asking(candidate);
    if (isSame) return 'again';
    const trouble = await switchTo(run, failover.candidates[candidate], { failure, cause });
    if (trouble === null) return 'switched';
    failover.ended(trouble.status);
    failure = trouble;
  }
}

function tellRetry(run: FailoverPort, waitMs: number, failure: Failure): void {
  run.emit({
    ...{
      type: 'turn_retry',
      attempt: attemptIn(run),
      waitMs: Math.round(waitMs),
      why: withHint(failure),
    },
    status: failure.status.kind,
    profile: run.failover.inUse().profile,
  });
}

function attemptIn({ context }: Pick<FailoverPort, 'context'>): number {
  const { attempts, givenUp = 0 } = context.state.counters;
  return givenUp * MAX_ATTEMPTS + attempts + 1;
}

async function pause({ clock, signal }: WaitPort, ms: number): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

interface Switch {
  readonly failure: Failure;
  /** What no `turn_retry` has told of it. */
  readonly cause: { readonly attempt?: number; readonly status?: Failure['status']['kind'] };
}

/** `null` when the run has moved; else why this candidate cannot be used either. */
async function switchTo(
  run: SwitchPort,
  candidate: Candidate | undefined,
  { failure, cause }: Switch,
): Promise<Failure | null> {
  if (!candidate) throw new Error('There is no such candidate.');
  const from = nameOf(run.failover.inUse());
  const to = nameOf(candidate);
  const isSameModel = from.provider === to.provider && from.model === to.model;
  let info: ModelInfo | null = null;
  if (!isSameModel) {
    const described = await describe(run, candidate);
    if ('status' in described) {
      const text = `${candidateText(to)} cannot be used: ${withHint(described)}`;
      run.emit({ type: 'notice', level: 'warning', text });
      return described;
    }
    info = described;
  }
  run.emit({ type: 'model_switched', from, to, why: withHint(failure), ...cause });
  recordSwitch(run, candidate, info, `${candidateText(from)}: ${failure.status.kind}`);
  run.failover.settled();
  return null;
}

/** What the provider says of the model, in bounded time. */
async function describe(
  run: WaitPort,
  { provider, model }: Candidate,
): Promise<ModelInfo | Failure> {
  const stop = new AbortController();
  const late = run.clock.sleep(DESCRIBE_MS, stop.signal).then(
    (): Failure => ({
      status: { kind: 'timeout' },
      detail: `${provider.name} has said nothing about ${model} for ${DESCRIBE_MS / 1000} s.`,
      hint: '',
    }),
  );
  const told = describeOrFail(provider, model, AbortSignal.any([run.signal, stop.signal]));
  try {
    return await Promise.race([told, late]);
  } finally {
    late.catch(() => undefined);
    told.catch(() => undefined);
    stop.abort();
  }
}

async function describeOrFail(
  provider: Candidate['provider'],
  model: string,
  signal: AbortSignal,
): Promise<ModelInfo | Failure> {
  try {
    return await provider.describe(model, signal);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { status: error.status, detail: error.message, hint: error.hint };
  }
}

/**
 * The conversation is carried over. A guided run stays so: what was said in it reads the
 * same to every model. A plan made by a model that leads is none for one that is led: what is open
 * is planned again. `info` is `null` where the model stays the same.
 */
function recordSwitch(
  run: SwitchPort,
  candidate: Candidate,
  info: ModelInfo | null,
  why: string,
): void {
  const { baseUrl: _before, price: lastPrice, ...before } = settingsOf(run.context.state);
  const { baseUrl } = candidate;
  const known = info && knownOf(run.lessons, candidate, info);
  const driver = known ? driverFor(candidate, known, before) : before.driver;
  const isSame = driver === before.driver;
  const price = info ? info.price : lastPrice;
  if (isToBePlannedAgain(run.context.state, driver))
    startReplan(run, 'the model that goes on with it needs a plan of another kind');
  const after = {
    ...before,
    ...(info && known
      ? {
          provider: candidate.provider.name,
          model: info.model,
          digest: info.digest,
          numCtx: windowFor(driver, known),
        }
      : {}),
    driver,
  };
  run.context.record({
    type: 'settings_changed',
    ...after,
    mayChangeDriver: isSame && before.mayChangeDriver && (info === null || info.capabilities.tools),
    ...(isSame
      ? withinWindow(run, after)
      : {
          ...systemPromptAgain(run, after),
          tools: JSON.stringify(
            definitionsFor(run.tools, {
              callsTools: traitsOf({ driver }).callsTools,
              window: after.numCtx,
            }),
          ),
        }),
    profile: candidate.profile,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(price ? { price } : {}),
    why,
  });
}

/**
 * As the candidate wants it, else as suits the model where nobody chose for the one before; a model
 * that cannot call tools is never asked to.
 */
function driverFor(
  { mode }: Candidate,
  known: ModelKnown,
  before: Pick<Settings, 'driver' | 'mayChangeDriver'>,
): DriverName {
  if (mode) return driverMeantBy(mode).name;
  const isOpen = traitsOf(before).callsTools && before.mayChangeDriver;
  return isOpen || !known.info.capabilities.tools ? chooseDriver(known).name : before.driver;
}

/** From a driver that leaves the plan to the model to one that carries it out step by step. */
const isToBePlannedAgain = ({ plan, replan, settings }: RunState, to: DriverName): boolean =>
  plan !== null &&
  replan === null &&
  traitsOf(settings).callsTools &&
  !traitsOf({ driver: to }).callsTools;
