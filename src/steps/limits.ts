/** Checks tokens, cost and time before each model request, and only then. Pure. */
import type { OptionName, RecoveryHint } from '../lib/errors.ts';
import { count } from '../lib/text/figures.ts';
import { isTransient, type TurnStatus } from '../schema/model/turn.ts';
import { allTokens } from '../schema/model/usage.ts';
import type { RunState } from '../schema/state.ts';
import type { Limits, Step } from './step.ts';

type Pause = Extract<Step, { do: 'pause' }>;

/** A limit that is reached, in words, and the option that lets the run continue. */
interface Reached extends RecoveryHint {
  readonly used: string;
  readonly limit: string;
}

/**
 * The pause that replaces `step` when it would ask the model and a limit is reached.
 * `elapsedMs` counts from the start of this invocation; it decides about pausing and nothing else.
 */
export function limitStep(
  step: Step,
  state: RunState,
  limits: Limits,
  elapsedMs: number,
): Pause | null {
  const wouldAsk = ASKING.has(step.do) || isRetryCutShort(step, state);
  return wouldAsk ? reachedLimit(state, limits, elapsedMs) : null;
}

const ASKING: ReadonlySet<Step['do']> = new Set(['ask', 'compact', 'run_children']);

/** The first limit that is reached. Called directly between two attempts of one turn. */
export function reachedLimit(
  { usage }: RunState,
  { maxTokens, maxCost, maxTimeMs }: Limits,
  elapsedMs: number,
): Pause | null {
  const tokens = allTokens(usage.total);
  if (maxTokens !== undefined && tokens >= maxTokens)
    return pause('limit_tokens', {
      used: `${count(tokens)} tokens`,
      limit: count(maxTokens),
      ...more('maxTokens', String(raisedTokens(tokens, maxTokens))),
    });
  const usd = usage.cost?.usd ?? 0;
  if (maxCost !== undefined && usd >= maxCost)
    return pause('limit_cost', {
      used: `$${usd.toFixed(4)}`,
      limit: `$${maxCost}`,
      ...more('maxCost', raisedCost(usd, maxCost)),
    });
  if (maxTimeMs !== undefined && elapsedMs >= maxTimeMs)
    return pause('limit_time', {
      used: seconds(elapsedMs),
      limit: seconds(maxTimeMs),
      option: 'maxTimeMs',
      optionValue: String(maxTimeMs),
      hint: 'Go on with as much time again.',
    });
  return null;
}

/**
 * A suggested limit: the amount used plus the amount allowed so far, rounded up to two digits so that it is
 * easy to type.
 */
export function raisedTokens(used: number, limit: number): number {
  const wanted = used + limit;
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, wanted))) - 1);
  return Math.ceil(wanted / step) * step;
}

/** A suggested limit in dollars, rounded up to the cent. */
export const raisedCost = (used: number, limit: number): string =>
  (Math.ceil((used + limit) * 100) / 100).toFixed(2);

/** True when a limit prevents the retry of a failed attempt. */
const isRetryCutShort = (step: Step, { lastTurn }: RunState): boolean =>
  step.do === 'pause' && lastTurn !== null && mayBeRetried(lastTurn.status);

const mayBeRetried = (status: TurnStatus): boolean =>
  isTransient(status) || status.kind === 'timeout' || status.kind === 'invalid_response';

const pause = (
  why: 'limit_tokens' | 'limit_cost' | 'limit_time',
  { used, limit, ...next }: Reached,
): Pause => ({ do: 'pause', why, detail: `${used} used, limit ${limit}`, ...next });

const more = (option: OptionName, optionValue: string): RecoveryHint => ({
  hint: 'Go on with a higher limit.',
  option,
  optionValue,
});

const seconds = (ms: number): string => `${count(Math.floor(ms / 1000))} s`;
