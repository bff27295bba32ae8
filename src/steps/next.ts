/** The next step of a run: a pure function of its folded state. */
import { subtasksOf } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';
import { claimStep } from './claim.ts';
import { contentStep } from './content.ts';
import { decisionStep } from './decision.ts';
import { endingStep } from './ending.ts';
import { plannedStep } from './planned.ts';
import { planningStep } from './planning.ts';
import { seqOfQuestion } from './select.ts';
import type { Limits, Step } from './step.ts';
import { unfinishedTurnStep } from './unfinished-turn.ts';

export function next(state: RunState, limits: Limits): Step {
  return (
    unfinishedTurnStep(state) ??
    sweepStep(state) ??
    planningStep(state) ??
    claimStep(state) ??
    callStep(state) ??
    contentStep(state) ??
    nextSubtask(state) ??
    endingStep(state) ??
    (state.settings?.mode === 'json' ? plannedStep(state, limits) : decisionStep(state, limits))
  );
}

/** What a subtask that did not fit leaves behind goes before anything else is said. */
const sweepStep = (state: RunState): Step | null =>
  state.relief.isSubtaskOver ? { do: 'compact' } : null;

/** Calls that were decided on: carried out one by one, each followed by its result. */
function callStep(state: RunState): Step | null {
  const { pending } = state;
  if (!pending) return null;
  if (pending.untold) return isRefusedContent(state) ? rewindContent(state) : { do: 'tell' };
  const call = pending.calls[pending.next];
  if (!call) return null;
  return pending.isHalted ? { do: 'skip_call', call } : { do: 'execute', call };
}

/** In json mode a file with problems is not talked about: its content is asked for once more. */
const isRefusedContent = (state: RunState): boolean =>
  state.settings?.mode === 'json' &&
  state.wantsContent !== null &&
  state.pending?.untold?.tool === 'write_file';

/**
 * In a repair the question stays and only the answer goes: it shows the file as it was before. A
 * model that copies it from there is asked once more without it.
 */
function rewindContent(state: RunState): Step {
  const shown = seqOfQuestion(state, 'repair_question');
  if (state.wantsContent?.isAnew && shown !== undefined)
    return { do: 'rewind', fromSeq: shown, why: 'the file came back as it was' };
  const question = seqOfQuestion(state, 'content_question') ?? Number.MAX_SAFE_INTEGER - 1;
  const why = state.wantsContent?.faults.join(' ') ?? '';
  return state.beside
    ? {
        do: 'refuse',
        fromSeq: question + 1,
        why: `${why} Write the whole file again without this.`,
      }
    : { do: 'rewind', fromSeq: question, why };
}

function nextSubtask(state: RunState): Step | null {
  if (state.active || !state.plan) return null;
  const pending = subtasksOf(state.plan).find((subtask) => subtask.status === 'pending');
  return pending ? { do: 'start_subtask', id: pending.id } : null;
}
