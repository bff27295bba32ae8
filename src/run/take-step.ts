/** Performs exactly one durable step of a run and records it. */
import { adviceIn, TardigradeError } from '../lib/errors.ts';
import { storageError } from '../lib/files/durable-files.ts';
import { isInterrupt } from '../lib/interruptible.ts';
import { systemErrorCode } from '../lib/system-error.ts';
import { perform } from '../round/perform.ts';
import { askFirst } from '../round/permission/ask-first.ts';
import type { ReadyStep } from '../round/permission/judged-call.ts';
import { agreePlan } from '../round/plan/agree.ts';
import type { RunPorts } from '../round/run-ports.ts';
import type { BackgroundEnd } from '../schema/journal/background.ts';
import type { Paused, RunState } from '../schema/state.ts';
import { dueChecks } from '../steps/gate/claim.ts';
import type { ChildPort } from './children/contract.ts';
import { joinChild } from './children/join.ts';
import { workChildren } from './children/work.ts';
import { finish } from './finish.ts';
import { interruptedBy, nextStep } from './next-step.ts';
import { type RunResult, resultOf } from './result.ts';
import { swap } from './swap.ts';
import { recordVerdict } from './verify/record-verdict.ts';

/**
 * Returns `null` while the run continues. On return everything that the step did is in the journal, so this or
 * another process can continue from there. An ending or a pause is synced to disk; for other steps a caller
 * that needs that calls `context.sync`.
 */
export async function takeStep(run: RunPorts, children: ChildPort): Promise<RunResult | null> {
  const step = await askFirst(nextStep(run), run);
  const ending = endsBackground(step, run.context.state);
  if (ending !== null) await run.background.end(ending);
  switch (step.do) {
    case 'verify':
      await recordVerdict(run);
      return null;
    case 'swap':
      await swap(run, step.to);
      return null;
    case 'run_children':
      await workChildren(run, step.subtasks, children);
      return null;
    case 'join_child':
      await joinChild(run, step.subtask);
      return null;
    case 'agree_plan': {
      const open = await agreePlan(run);
      return open === null ? null : paused(run, open);
    }
    case 'finish':
      reportHooks(run);
      return finish(run, step);
    case 'pause': {
      const { do: _pause, ...why } = step;
      return paused(run, why);
    }
    default:
      await perform(step, run);
      return null;
  }
}

/** Background programs end before a proof, which must start what it needs itself, and none outlives the run. */
function endsBackground(step: ReadyStep, state: RunState): BackgroundEnd | null {
  switch (step.do) {
    case 'finish':
    case 'pause':
    case 'swap':
      return 'run';
    case 'verify':
    case 'prove':
    case 'prove_before':
      return 'proof';
    case 'check':
      return dueChecks(state)[step.index]?.isProof ? 'proof' : null;
    default:
      return null;
  }
}

/**
 * Turns a full disk into a pause, recorded with bytes that were reserved for this, and an interrupt between
 * two pieces of long work into a pause at that point. Other errors are rethrown; a refusal of the system
 * becomes E_IO.
 */
export function pausedBy(cause: unknown, run: EndPort & Pick<RunPorts, 'signal'>): RunResult {
  const { context } = run;
  const isSystem = systemErrorCode(cause) !== '';
  const error = isSystem ? storageError(cause, 'working in the folder') : cause;
  if (isInterrupt(error)) return paused(run, interruptedBy(run));
  if (!(error instanceof TardigradeError) || error.code !== 'E_DISK_FULL') throw error;
  const { message, hint } = error;
  const full = { why: 'disk_full', detail: message, hint, ...adviceIn(error) } as const;
  context.record({ type: 'run_paused', ...full });
  context.sync('end');
  return resultOf(context, { ending: 'paused', ...full });
}

type EndPort = Pick<RunPorts, 'context' | 'emit' | 'hooks'>;

/** Reports git hooks that a command installed: they are in no list of changed files. */
function reportHooks({ emit, hooks }: EndPort): void {
  const text = hooks.changed();
  if (text !== null) emit({ type: 'notice', level: 'warning', text });
}

/** Ends this start; the run can go on. */
export function paused(run: EndPort, why: Paused): RunResult {
  const { context } = run;
  reportHooks(run);
  context.record({ type: 'run_paused', ...why });
  context.settle();
  return resultOf(context, { ending: 'paused', ...why });
}
