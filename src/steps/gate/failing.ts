/**
 * Before a run is called failed its proof has the last word: what a step of the plan could not do
 * says less about the goal than the command that shows it. Pure.
 */
import { defined } from '../../lib/defined.ts';
import { subtasksOf } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import type { CommandFact } from '../../schema/state-parts/run-facts.ts';
import { hasEndedWell, ownFile, problemOf } from '../select.ts';
import type { Step } from '../step.ts';

type Finish = Extract<Step, { do: 'finish' }>;

/** The proof first where it was not run since the last change; else the end. */
export function beforeFailing(step: Step, state: RunState): Step {
  if (step.do !== 'finish' || step.ending !== 'failed') return step;
  return isProofDue(state) ? { do: 'prove', why: step.detail } : failure(state, step);
}

export function lastLookStep(state: RunState): Step | null {
  const { lastLook } = state;
  if (!lastLook) return null;
  return lastLook.passed
    ? { do: 'finish', ending: 'achieved', detail: `proof passed: ${state.plan?.proof?.cmd}` }
    : failure(state, { detail: lastLook.why, ...defined({ needs: state.givenUp?.needs }) });
}

/** Where nothing was changed there is nothing to prove. */
const isProofDue = ({ plan, proof, changedAt }: RunState): boolean =>
  plan?.proof !== undefined && changedAt > (proof?.runs.at(-1)?.seq ?? 0);

function failure(state: RunState, why: Pick<Finish, 'detail' | 'needs'>): Step {
  const missing = onlyMissing(state);
  return missing === undefined
    ? { do: 'finish', ending: 'failed', detail: why.detail, ...defined({ needs: why.needs }) }
    : {
        do: 'finish',
        ending: 'unverified',
        detail: `all else was done, but this could not be run here: ${missing.cmd}`,
      };
}

/**
 * A command that was never started, where that is all that went wrong: each planned file was
 * written and has no problem, and each command that was run ended well when it was run last.
 */
function onlyMissing(state: RunState): CommandFact | undefined {
  const { plan, files, commands } = state;
  const wanted = plan ? subtasksOf(plan).flatMap((subtask) => ownFile(subtask) ?? []) : [];
  const isWritten = (path: string): boolean =>
    files[path]?.written === true && files[path].hash !== null && problemOf(state, path) === null;
  const last = new Map(commands.map((command) => [command.cmd, command]));
  const bad = [...last.values()].filter((command) => !hasEndedWell(command));
  const isDone = wanted.length > 0 && wanted.every(isWritten) && bad.every(wasNeverStarted);
  return isDone ? bad[0] : undefined;
}

/** Its program is not here, or may not be run. */
const wasNeverStarted = ({ wasStarted }: CommandFact): boolean => wasStarted === false;
