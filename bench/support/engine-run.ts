import { type RunResult, runGoal } from '../../src/agent.ts';
import { ContextManager } from '../../src/context-manager/context-manager.ts';
import { systemMachine } from '../../src/run/machine.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { type MeteredDisk, meteredDisk } from './metered-disk.ts';
import { MODEL, scriptedModel } from './scripted-model.ts';

export interface TurnCost {
  readonly syncs: number;
  /** Files that its calls have written. */
  readonly writes: number;
}

export interface EngineRun {
  readonly result: RunResult;
  readonly elapsedMs: number;
  readonly rounds: number;
  readonly actions: number;
  readonly meter: MeteredDisk['meter'];
  /** Syncs from the start to the first request. */
  readonly syncsToFirstRequest: number;
  /** One for each request, up to the next one. */
  readonly turns: readonly TurnCost[];
  readonly barriers: number;
  readonly requests: readonly ModelRequest[];
  /** Requests, by index, before which the conversation was changed on purpose. */
  readonly changedBefore: ReadonlySet<number>;
}

/** More records than this and the run goes round in circles. */
const RECORDS_PER_FILE = 100;

const CHANGES: ReadonlySet<string> = new Set([
  'compacted',
  'rewound',
  'branched',
  'settings_changed',
]);

/** The real engine, tools and disk under a model that answers at once; no program is started. */
export async function engineRun(options: {
  readonly workspace: string;
  readonly toolMode: 'native' | 'json';
  readonly files: number;
  /** Tokens. */
  readonly contextWindow: number;
}): Promise<EngineRun> {
  const { workspace, toolMode, files, contextWindow } = options;
  const { fs, meter } = meteredDisk();
  const { provider, requests } = scriptedModel(files, contextWindow);
  const changedBefore = new Set<number>();
  let records = 0;
  let writes = 0;
  const asked: { readonly syncs: number; readonly writes: number }[] = [];
  const barriers = countBarriers();
  const started = performance.now();
  const result = await runGoal({
    goal: `Write ${files} pages of notes`,
    workspace,
    provider: {
      ...provider,
      stream: (request, signal) => {
        asked.push({ syncs: meter.syncCalls, writes });
        return provider.stream(request, signal);
      },
    },
    model: MODEL,
    contextWindow,
    toolMode,
    maxRounds: 10 * files,
    emit: (event) => {
      if (event.type !== 'record') return;
      if (CHANGES.has(event.record.type)) changedBefore.add(requests.length);
      const { record } = event;
      if (record.type === 'action_finished') writes += Object.keys(record.hashes).length;
      records += 1;
      if (records > RECORDS_PER_FILE * files) {
        throw new Error(`the ${toolMode} run does not end: ${records} records`);
      }
    },
    // An empty environment has no PATH, so nothing can be started.
    machine: { ...systemMachine({ env: {}, nodePath: process.execPath }), fs },
  });
  const elapsedMs = performance.now() - started;
  refuseOther(result, toolMode);
  const { rounds, actions } = result.state.counters;
  return {
    ...{ result, elapsedMs, rounds, actions, meter, requests, changedBefore },
    syncsToFirstRequest: asked[0]?.syncs ?? 0,
    // The last turn also pays for the end of the run.
    turns: asked.slice(0, -1).map((turn, index) => ({
      syncs: (asked[index + 1]?.syncs ?? 0) - turn.syncs,
      writes: (asked[index + 1]?.writes ?? 0) - turn.writes,
    })),
    barriers: barriers.stop(),
  };
}

/** Led otherwise than by its plan, a run does all its work in a reply or two: nothing to measure. */
function refuseOther({ ending, detail, state }: RunResult, toolMode: string): void {
  if (ending === 'paused' || ending === 'failed')
    throw new Error(`the ${toolMode} run ended as ${ending}: ${detail}`);
  if (state.plan?.fallback !== false)
    throw new Error(`the ${toolMode} run took no plan: ${detail}`);
}

function countBarriers(): { stop(): number } {
  const { sync } = ContextManager.prototype;
  let count = 0;
  ContextManager.prototype.sync = function (before) {
    count += 1;
    sync.call(this, before);
  };
  return {
    stop: () => {
      ContextManager.prototype.sync = sync;
      return count;
    },
  };
}
