import { type RunResult, runGoal } from '../../src/agent.ts';
import { systemMachine } from '../../src/run/machine.ts';
import type { ModelRequest } from '../../src/schema/turn.ts';
import { type MeteredDisk, meteredDisk } from './metered-disk.ts';
import { MODEL, scriptedModel } from './scripted-model.ts';

export interface EngineRun {
  readonly result: RunResult;
  readonly elapsedMs: number;
  readonly rounds: number;
  readonly meter: MeteredDisk['meter'];
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
  const started = performance.now();
  const result = await runGoal({
    goal: `Write ${files} pages of notes`,
    workspace,
    provider,
    model: MODEL,
    contextWindow,
    toolMode,
    maxRounds: 10 * files,
    emit: (event) => {
      if (event.type !== 'record') return;
      if (CHANGES.has(event.record.type)) changedBefore.add(requests.length);
      records += 1;
      if (records > RECORDS_PER_FILE * files) {
        throw new Error(`the ${toolMode} run does not end: ${records} records`);
      }
    },
    // An empty environment has no PATH, so nothing can be started.
    machine: { ...systemMachine({ env: {}, nodePath: process.execPath }), fs },
  });
  const elapsedMs = performance.now() - started;
  if (result.ending === 'paused' || result.ending === 'failed') {
    throw new Error(`the ${toolMode} run ended as ${result.ending}: ${result.detail}`);
  }
  const { rounds } = result.state.counters;
  return { result, elapsedMs, rounds, meter, requests, changedBefore };
}
