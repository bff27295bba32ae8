// The tokens and cost of a run's turns. Pure.

import { NO_USAGE } from '../../../schema/model/turn.ts';
import { addUsage, tokensIn } from '../../../schema/model/usage.ts';
import type { RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import type { Cost } from '../../../schema/state-parts/run-facts.ts';
import { leastTokens } from '../../prompt-size.ts';

function floorAfter(state: RunState, tokens: number, chars: number): RunState['usage']['floor'] {
  const { floor } = state.usage;
  const role = state.conversation.at(-1)?.role;
  if (tokens === 0 || role === undefined) return floor;
  return { ...floor, [role]: { tokens: Math.max(tokens, leastTokens(floor[role], chars)), chars } };
}

export function usageAfter(state: RunState, record: RecordOf<'turn_finished'>): RunState['usage'] {
  const { usage, conversation } = state;
  const costs = {
    total: addUsage(usage.total, record.usage),
    ...costAfter(usage.cost, record.cost),
    ...byModelAfter(state, record),
  };
  // The prompt of a summary or a plain try is not the conversation.
  if (record.purpose === 'summary' || record.purpose === 'try') return { ...usage, ...costs };
  const lastChars = conversation.reduce((sum, message) => sum + message.length, 0);
  const isSuccess = record.status.kind === 'success';
  return {
    ...costs,
    last: record.usage,
    lastChars,
    floor: isSuccess ? floorAfter(state, tokensIn(record.usage), lastChars) : usage.floor,
  };
}

function byModelAfter(
  { models, settings, usage: { byModel = {} } }: RunState,
  record: RecordOf<'turn_finished'>,
): Pick<RunState['usage'], 'byModel'> {
  if (models === undefined || settings === null) return {};
  const { provider, model, modelRole = 'work' } = settings;
  const name = `${modelRole} ${provider}/${model}`;
  const before = byModel[name];
  const total = addUsage(before?.total ?? NO_USAGE, record.usage);
  return { byModel: { ...byModel, [name]: { total, ...costAfter(before?.cost, record.cost) } } };
}

/** Taken from the record alone: a later price table must not change what was paid. */
function costAfter(
  before: Cost | undefined,
  cost: number | null | undefined,
): { readonly cost?: Cost } {
  if (cost === undefined) return before === undefined ? {} : { cost: before };
  const { usd, unknownTurns } = before ?? { usd: 0, unknownTurns: 0 };
  return cost === null
    ? { cost: { usd, unknownTurns: unknownTurns + 1 } }
    : { cost: { usd: usd + cost, unknownTurns } };
}
