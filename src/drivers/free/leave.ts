/** A model whose tool calls do not get through is led in the way that needs none. */
import type { RunState } from '../../schema/state.ts';
import { PATIENCE, type Step } from '../../steps/step.ts';

/** It was chosen for the model, not by the user, so there is another one. */
export const mayLeave = ({ settings }: RunState): boolean => settings?.mayChangeDriver === true;

export const leaveStep = (state: RunState): Step | null =>
  mayLeave(state) && state.counters.nativeFailures >= PATIENCE.nativeFailures
    ? toGuided('two tool calls of the model could not be used as sent')
    : null;

export const toGuided = (why: string): Step => ({ do: 'switch_driver', to: 'guided', why });
