/** The end of a run: what was weighed before is what is claimed. */
import type { Step } from '../steps/step.ts';
import { lostIn } from './lost.ts';
import { recordsOf } from './records-of.ts';
import { type RunResult, resultOf } from './result.ts';
import type { WorkPort } from './weigh/work.ts';

type Finish = Extract<Step, { do: 'finish' }>;

export function finish(run: WorkPort, { ending, detail }: Finish): RunResult {
  const { context } = run;
  const { blobs } = context.journal;
  const { weighed } = context.state;
  const isClaim = ending === 'achieved';
  const end =
    isClaim && weighed !== null
      ? ({ ending: weighed.isKnown ? ending : 'unverified', detail: weighed.words } as const)
      : { ending, detail };
  const named = (isClaim && weighed?.named) || [];
  const lost = lostIn(recordsOf({ context, ...run.toolContext }), {
    readText: (path) => run.world.readText(path),
    readBlob: (hash) => (blobs.has(hash) ? blobs.read(hash) : null),
  });
  context.record({
    ...{ type: 'run_finished', ...end },
    ...(named.length > 0 ? { named: [...named] } : {}),
    ...(lost.length > 0 ? { lost: [...lost] } : {}),
  });
  context.snapshot();
  return resultOf(context, end);
}
