/** The goal as the model reads it. */
import type { RunState } from '../schema/state.ts';

/** Adds the command by which the person proves the goal, if there is one. */
export const goalToTell = ({ goal, givenProof }: Pick<RunState, 'goal' | 'givenProof'>): string =>
  givenProof === undefined
    ? goal
    : `${goal}\nIt is reached when this command passes: ${givenProof}`;
