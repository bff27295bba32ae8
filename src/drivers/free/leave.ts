/** A model whose tool calls do not get through is led in the way that needs none. */
import type { RunState } from '../../schema/state.ts';
import { PATIENCE, type Step } from '../../steps/step.ts';
import { nudgeStep, stalled } from '../../steps/unfinished-turn.ts';

/** The mode was chosen for the model, not by the user, so there is another one. */
const mayLeave = ({ settings }: RunState): boolean => settings?.isModeFree === true;

export const leaveStep = (state: RunState): Step | null =>
  mayLeave(state) && state.counters.nativeFailures >= PATIENCE.nativeFailures
    ? toGuided('two tool calls of the model could not be used as sent')
    : null;

/** Talk where a call was wanted: reminded, then led in the other way, where there is one. */
export const textStep = (state: RunState): Step =>
  nudgeStep(state, mayLeave(state) ? toGuided : stalled);

const toGuided = (why: string): Step => ({ do: 'switch_driver', to: 'guided', why });
