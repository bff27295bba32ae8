/** Moves a run to another candidate: other access to its model, or another model. */

import { chooseDriver, type ModelKnowledge, windowFor } from '../../drivers/choose-driver.ts';
import { driverForMode, driverNamed, driverOf } from '../../drivers/driver-of.ts';
import { defined } from '../../lib/defined.ts';
import { within } from '../../lib/within.ts';
import { type Candidate, candidateText, nameOf } from '../../llm/failover/candidate.ts';
import { type ModelInfo, ProviderError } from '../../llm/provider.ts';
import { type DriverName, driverNameOf } from '../../schema/driver.ts';
import { type TurnResult, withHint } from '../../schema/model/turn.ts';
import type { RunSettings, RunState } from '../../schema/state.ts';
import { LEFT_ALONE } from '../../steps/attempts.ts';
import { settingsOf } from '../../steps/select.ts';
import { startReplan } from '../plan/planning.ts';
import type { RunPorts } from '../run-ports.ts';
import { knowledgeOf } from './learn.ts';
import { systemPromptAnew, withinWindow } from './system-prompt.ts';
import { attemptIn } from './wait.ts';

type WaitPort = Pick<RunPorts, 'clock' | 'signal'>;
export type FailoverPort = WaitPort &
  Pick<RunPorts, 'context' | 'failover' | 'notes' | 'names' | 'tools' | 'emit' | 'lessons'>;

/** Milliseconds a provider has to describe a model. */
const DESCRIBE_MS = 120_000;

type TurnFailure = Pick<TurnResult, 'status' | 'detail' | 'hint'>;

/** Journals the settings of another candidate; `info` is `null` when the model stays the same. */
export type RecordSwitch = (candidate: Candidate, info: ModelInfo | null, why: string) => void;

/** Keeps the conversation. A model that cannot even be described is journalled as failed. */
export const switchModel = (to: number, run: FailoverPort): Promise<void> =>
  switchCandidate(to, run, (...after) => recordSwitch(run, ...after));

export async function switchCandidate(
  to: number,
  run: WaitPort & Pick<RunPorts, 'context' | 'failover' | 'emit'>,
  record: RecordSwitch,
): Promise<void> {
  const { failover, context, signal } = run;
  const candidate = failover.candidates[to];
  if (!candidate) throw new Error('There is no such candidate.');
  const [from, other] = [nameOf(failover.inUse()), nameOf(candidate)];
  const isSameModel = from.provider === other.provider && from.model === other.model;
  let info: ModelInfo | null = null;
  if (!isSameModel) {
    context.sync('request');
    const described = await describe(run, candidate);
    if (signal.aborted) return;
    if ('status' in described) {
      const text = `${candidateText(other)} cannot be used: ${withHint(described)}`;
      run.emit({ type: 'notice', level: 'warning', text });
      context.record({ type: 'candidate_failed', ...other, status: described.status });
      return;
    }
    info = described;
  }
  const { why, status, cause } = whyLeft(context.state);
  run.emit({ type: 'model_switched', from, to: other, why, ...cause });
  failover.use(to);
  record(candidate, info, `${candidateText(from)}: ${status}`);
}

/** The reason for leaving a candidate, unless a wait before it already reported it. */
function whyLeft({ lastTurn, counters }: RunState) {
  if (lastTurn === null) return { why: LEFT_ALONE, status: 'rate_limited', cause: {} } as const;
  const status = lastTurn.status.kind;
  const cause = lastTurn.isTold ? {} : { attempt: attemptIn(counters), status };
  return { why: withHint(lastTurn), status, cause };
}

/** What the provider says about the model, within the time limit. */
export async function describe(
  run: WaitPort,
  { provider, model }: Candidate,
): Promise<ModelInfo | TurnFailure> {
  const stop = new AbortController();
  const description = describeOrFail(provider, model, AbortSignal.any([run.signal, stop.signal]));
  try {
    const described = await within(description, DESCRIBE_MS, run.clock);
    if (described !== null) return described;
  } finally {
    description.catch(() => undefined);
    stop.abort();
  }
  const detail = `${provider.name} has said nothing about ${model} for ${DESCRIBE_MS / 1000} s.`;
  return { status: { kind: 'timeout' }, detail, hint: '' };
}

async function describeOrFail(
  provider: Candidate['provider'],
  model: string,
  signal: AbortSignal,
): Promise<ModelInfo | TurnFailure> {
  try {
    return await provider.describe(model, signal);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { status: error.status, detail: error.message, hint: error.hint };
  }
}

/**
 * Carries the conversation over. A guided run stays guided, because its messages suit every model. A plan made
 * under a free driver does not suit a guided one, so open work is planned again. `info` is `null` when the
 * model stays the same.
 * @param works the model takes over from the planning model
 */
export function recordSwitch(
  run: FailoverPort,
  candidate: Candidate,
  info: ModelInfo | null,
  why: string,
  works = false,
): void {
  const {
    baseUrl: _before,
    price: lastPrice,
    modelRole,
    ...before
  } = settingsOf(run.context.state);
  const { baseUrl } = candidate;
  const known = info && knowledgeOf(run.lessons, candidate, info);
  const driver = known ? driverFor(candidate, known, before) : driverNameOf(before);
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
    ...(isSame ? withinWindow(run, after) : systemPromptAnew(run, after)),
    profile: candidate.profile,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(price ? { price } : {}),
    ...defined({ modelRole: works ? undefined : modelRole }),
    why,
  });
}

/**
 * The driver that the candidate requests. Otherwise the one that suits the model, if nobody chose the driver
 * before. A model that cannot call tools is never asked to.
 */
function driverFor(
  { mode }: Candidate,
  known: ModelKnowledge,
  before: Pick<RunSettings, 'driver' | 'mayChangeDriver'>,
): DriverName {
  if (mode) return driverForMode(mode).name;
  const isOpen = driverOf(before).callsTools && before.mayChangeDriver;
  return isOpen || !known.info.capabilities.tools ? chooseDriver(known).name : driverNameOf(before);
}

/** True for a change from a driver whose model plans to one that carries out a plan step by step. */
const isToBePlannedAgain = ({ plan, replan, settings }: RunState, to: DriverName): boolean =>
  plan !== null && replan === null && driverOf(settings).callsTools && !driverNamed(to).callsTools;
