/** The error about a state that this user's agent did not write. */
import type { Layout } from '../journal/layout.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { Accept, Origin } from './origin.ts';

/**
 * @param mayBeginAnew whether the caller named a goal, which does not need the existing state
 * @param adopt the command that takes the state over
 */
export const foreignState = (
  { root }: Pick<Layout, 'root'>,
  mayBeginAnew: boolean,
  adopt: readonly string[] = ['adopt'],
): TardigradeError =>
  new TardigradeError(
    'E_FOREIGN',
    `The run in ${root} was not begun by your agent here: it came with the folder, or an earlier version began it. It can be shown, but not resumed or undone.`,
    mayBeginAnew
      ? 'Look at it and take it over, or start the goal anew.'
      : 'Look at it and take it over',
    { command: adopt, ...(mayBeginAnew ? { option: 'again' } : {}) },
  );

/** The check for opening a journal: throws E_FOREIGN before anything is changed. */
export const acceptOwnRun =
  (origin: Origin, layout: Layout, mayBeginAnew: boolean): Accept =>
  (facts, hashOf) => {
    if (!origin.isOwn(facts, hashOf)) throw foreignState(layout, mayBeginAnew);
  };
