import type { Figure, Lab, Measurement } from './measurement.ts';
import { type EngineRun, engineRun } from './support/engine-run.ts';
import { median, rounded } from './support/statistics.ts';

/** The first run, in which the code is still being compiled, does not count. */
const RUNS = 5;
/** As many as a plan of either driver may have subtasks. */
const FILES = 30;
const WINDOW_TOKENS = 32_768;
const BOUND_MS = 4;
const BOUND_SYNCS_A_TURN = 4;
const BOUND_SYNCS_TO_FIRST_REQUEST = 5;

/** What an action and a turn cost beside the model and the tools' programs. */
export const engineRound: Measurement = {
  name: 'engine per action',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const figures: Figure[] = [];
    for (const toolMode of ['native', 'json'] as const) {
      const runs: EngineRun[] = [];
      for (let run = 0; run <= RUNS; run += 1) {
        const size = { files: FILES, contextWindow: WINDOW_TOKENS };
        const taken = await engineRun({ workspace: lab.folder(), toolMode, ...size });
        if (run > 0) runs.push(taken);
      }
      figures.push(...figuresOf(runs, toolMode));
    }
    return figures;
  },
};

function figuresOf(runs: readonly EngineRun[], toolMode: string): Figure[] {
  const most = (count: (run: EngineRun) => number): number => Math.max(...runs.map(count));
  const [first] = runs;
  const detail = `whole runs of ${first?.actions} actions, median of ${RUNS} after a first one`;
  const atMost = (name: string, value: number, bound: number, about: string): Figure => ({
    ...{ name: `${name}, ${toolMode}`, value: rounded(value, 1), unit: 'calls' },
    ...{ bound, better: 'lower', detail: about },
  });
  return [
    {
      name: `engine time an action without syncs, ${toolMode}`,
      value: rounded(
        median(runs.map((run) => (run.elapsedMs - run.meter.syncMs) / Math.max(1, run.actions))),
      ),
      unit: 'ms',
      bound: BOUND_MS,
      better: 'lower',
      detail,
    },
    atMost(
      'syncs of a turn with one small write',
      most((run) => median(smallWrites(run))),
      BOUND_SYNCS_A_TURN,
      `median of ${first && smallWrites(first).length} such turns, the most ${most((run) => Math.max(...smallWrites(run)))}, where a folder is made`,
    ),
    atMost(
      'syncs before the first request',
      most((run) => run.syncsToFirstRequest),
      BOUND_SYNCS_TO_FIRST_REQUEST,
      'of a fresh run in an empty folder',
    ),
    atMost(
      'journal syncs for each barrier',
      most((run) => run.meter.journalSyncs / run.barriers),
      1,
      `${first?.meter.journalSyncs} syncs of the journal, ${first?.barriers} barriers`,
    ),
  ];
}

const smallWrites = ({ turns }: EngineRun): readonly number[] =>
  turns.filter(({ writes }) => writes === 1).map(({ syncs }) => syncs);
