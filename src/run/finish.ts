/** Ends a run. It claims what the verdict says and no more. */
import { defined } from '../lib/defined.ts';
import { interruptibleRunner } from '../lib/interruptible.ts';
import type { RunPorts } from '../round/run-ports.ts';
import type { RunState } from '../schema/state.ts';
import type { Step } from '../steps/step.ts';
import { type RunResult, resultOf } from './result.ts';
import { type LossPort, lossesAtEnd } from './tools/losses.ts';

type Finish = Extract<Step, { do: 'finish' }>;

export async function finish(
  run: LossPort & Pick<RunPorts, 'clock' | 'signal'>,
  { ending, detail, needs }: Finish,
): Promise<RunResult> {
  const { context } = run;
  const end = endOf({ ending, detail }, context.state);
  // This may read a long journal, so it can be interrupted.
  const lost = await interruptibleRunner(run.clock, run.signal)(lossesAtEnd(run));
  const named = (ending === 'achieved' && context.state.verdict?.named) || [];
  context.record({
    type: 'run_finished',
    ...end,
    ...lost,
    ...defined({ needs }),
    ...(named.length > 0 ? { named: [...named] } : {}),
  });
  context.settle();
  return resultOf(context, end);
}

/** The ending and detail that may be claimed. */
export function endOf(
  { ending, detail }: Pick<Finish, 'ending' | 'detail'>,
  { verdict, free, report }: Pick<RunState, 'verdict' | 'free' | 'report'>,
): Pick<Finish, 'ending' | 'detail'> {
  if (ending !== 'failed' && verdict?.answer !== undefined)
    return { ending: 'answered', detail: verdict.words };
  if (ending !== 'achieved' || verdict === null) return { ending, detail };
  return verdict.isProved
    ? { ending, detail: verdict.words }
    : { ending: 'unverified', detail: inDoubt(verdict.words, free.doubtTold, report) };
}

/**
 * Adds the model's reason if the model was told of exactly this doubt, kept its claim, and does not give the
 * reason in its report.
 */
const inDoubt = (
  words: string,
  doubt: RunState['free']['doubtTold'],
  report: RunState['report'],
): string =>
  doubt?.answer !== undefined && doubt.words === words && !isIn(report, doubt.answer)
    ? `${words}; the model's reason: ${doubt.answer}`
    : words;

/** False for a report in a file of its own, which is not read for this. */
const isIn = (report: RunState['report'], answer: string): boolean =>
  typeof report === 'string' && report.includes(answer);
