/** Counts the results of this user's own runs and conversations, by model and driver. Nothing is sent anywhere. */
import type { AnyDriver } from '../../schema/driver.ts';
import { isWithheld } from '../../schema/journal/swap.ts';
import { tokensIn, tokensOut } from '../../schema/model/usage.ts';
import type { RunState } from '../../schema/state.ts';
import type { RunStatusKind } from './run-status.ts';

export interface CountedRun {
  readonly state: RunState;
  readonly standing: RunStatusKind;
}

/** One model under one driver. Endings are counted for runs only, everything else for conversations too. */
export interface StatsRow {
  /** The last model that it worked with. */
  readonly model: string;
  readonly driver: AnyDriver;
  readonly runs: number;
  /** Ended with a proof: the run's own claim. */
  readonly achieved: number;
  readonly answered: number;
  /** Finished without a proof. */
  readonly unverified: number;
  /** Among all of these: changes that are withheld and not yet applied. */
  readonly withheld: number;
  readonly failed: number;
  /** Paused, killed or at work. */
  readonly open: number;
  readonly undone: number;
  readonly turns: number;
  /** Tokens of all prompts, including cached ones. */
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** US dollars, as far as prices are known. */
  readonly costUsd: number;
  /** Turns whose price is unknown; `costUsd` does not include them. */
  readonly unpricedTurns: number;
}

type Counted = 'achieved' | 'answered' | 'unverified' | 'failed' | 'open' | 'undone';

/** One row per model and driver, the one with most runs first. Runs that never chose a model are skipped. */
export function statsOf(runs: Iterable<CountedRun>): readonly StatsRow[] {
  const rows = new Map<string, StatsRow>();
  for (const run of runs) {
    const { settings } = run.state;
    if (settings === null) continue;
    const key = `${settings.driver} ${settings.model}`;
    const row = rows.get(key) ?? emptyRow(settings.model, settings.driver);
    rows.set(key, counted(row, run));
  }
  return [...rows.values()].sort(
    (a, b) => b.runs - a.runs || a.model.localeCompare(b.model) || a.driver.localeCompare(b.driver),
  );
}

function emptyRow(model: string, driver: AnyDriver): StatsRow {
  return {
    model,
    driver,
    runs: 0,
    achieved: 0,
    answered: 0,
    unverified: 0,
    withheld: 0,
    failed: 0,
    open: 0,
    undone: 0,
    turns: 0,
    tokensIn: 0,
    tokensOut: 0,
    costUsd: 0,
    unpricedTurns: 0,
  };
}

function counted(row: StatsRow, { state, standing }: CountedRun): StatsRow {
  const { total, cost } = state.usage;
  const isRun = state.chat === undefined;
  const end = isRun ? COLUMN[standing] : null;
  return {
    ...row,
    runs: row.runs + 1,
    ...(end === null ? {} : { [end]: row[end] + 1 }),
    withheld: row.withheld + (isWithheld(state) ? 1 : 0),
    turns: row.turns + state.counters.turns,
    tokensIn: row.tokensIn + tokensIn(total),
    tokensOut: row.tokensOut + tokensOut(total),
    costUsd: row.costUsd + (cost?.usd ?? 0),
    unpricedTurns: row.unpricedTurns + (cost?.unknownTurns ?? 0),
  };
}

const COLUMN: { readonly [standing in RunStatusKind]: Counted } = {
  achieved: 'achieved',
  answered: 'answered',
  unverified: 'unverified',
  failed: 'failed',
  undoing: 'undone',
  undone: 'undone',
  running: 'open',
  killed: 'open',
  paused: 'open',
};
