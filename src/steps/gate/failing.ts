/**
 * Runs the proof before a run is declared failed: a failed step of the plan says less about the goal than the
 * command that shows it. Pure.
 */
import { defined } from '../../lib/defined.ts';
import { subtasksOf } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import type { CommandFact } from '../../schema/state-parts/run-facts.ts';
import { hasEndedWell, problemOf, subtaskFile } from '../select.ts';
import type { Step } from '../step.ts';
import { notDone } from './not-done.ts';

type Finish = Extract<Step, { do: 'finish' }>;

/** Requests the proof if something changed since it last ran; otherwise lets the run end. */
export function beforeFailing(step: Step, state: RunState): Step {
  if (step.do !== 'finish' || step.ending !== 'failed') return step;
  return isProofDue(state) ? { do: 'prove', why: step.detail } : failure(state, step);
}

export function lastLookStep(state: RunState): Step | null {
  const { finalProof } = state;
  if (!finalProof) return null;
  return finalProof.passed
    ? { do: 'finish', ending: 'achieved', detail: `proof passed: ${state.plan?.proof?.cmd}` }
    : failure(state, {
        detail: finalProof.why || proofDidNotPass(state),
        ...defined({ needs: state.givenUp?.needs }),
      });
}

/** The text of a check usually begins with its command. */
export function proofDidNotPass({ plan, proof }: Pick<RunState, 'plan' | 'proof'>): string {
  const head = `${plan?.proof?.cmd}: `;
  const text = proof?.text ?? '';
  return `the proof did not pass: ${text.startsWith(head) ? '' : head}${text}`;
}

/** True if the proof must run. If nothing was changed, there is nothing to prove. */
const isProofDue = ({ plan, proof, changedAt }: RunState): boolean =>
  plan?.proof !== undefined && changedAt > (proof?.runs.at(-1)?.seq ?? 0);

/** How a run ends without a proof that nobody should be asked for, as it cannot complete what was given up. */
export const withoutProof = (step: Extract<Step, { do: 'prove' }>, state: RunState): Step | null =>
  state.givenUp !== null && notDone(state).length > 0
    ? failure(state, { detail: step.why, ...defined({ needs: state.givenUp.needs }) })
    : null;

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
 * A command that could not start, if that is the only problem: every planned file is written without problems,
 * and the latest run of every command that could start succeeded.
 */
function onlyMissing(state: RunState): CommandFact | undefined {
  const { plan, files, commands } = state;
  const wanted = plan ? subtasksOf(plan).flatMap((subtask) => subtaskFile(subtask) ?? []) : [];
  const isWritten = (path: string): boolean =>
    files[path]?.written === true && files[path].hash !== null && problemOf(state, path) === null;
  const last = new Map(commands.map((command) => [command.cmd, command]));
  const bad = [...last.values()].filter((command) => !hasEndedWell(command));
  const isDone = wanted.length > 0 && wanted.every(isWritten) && bad.every(wasNeverStarted);
  return isDone ? bad[0] : undefined;
}

/** The program is missing or must not be run. */
const wasNeverStarted = ({ wasStarted }: CommandFact): boolean => wasStarted === false;
