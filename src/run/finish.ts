/** The end of a run: what was weighed before is what is claimed. */
import { given } from '../lib/given.ts';
import type { Step } from '../steps/step.ts';
import { type LostPort, lostIn } from './lost.ts';
import { type RunResult, resultOf } from './result.ts';

type Finish = Extract<Step, { do: 'finish' }>;

export function finish(run: LostPort, { ending, detail, needs }: Finish): RunResult {
  const { context } = run;
  const { weighed } = context.state;
  const isClaim = ending === 'achieved';
  const end =
    isClaim && weighed !== null
      ? ({ ending: weighed.isKnown ? ending : 'unverified', detail: weighed.words } as const)
      : { ending, detail };
  const named = (isClaim && weighed?.named) || [];
  context.record({
    ...{ type: 'run_finished', ...end, ...lostIn(run) },
    ...given({ needs }),
    ...(named.length > 0 ? { named: [...named] } : {}),
  });
  context.settle();
  return resultOf(context, end);
}
