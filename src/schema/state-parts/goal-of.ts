import type { RunState } from '../state.ts';

/** What is worked on, in the words of its user; '' in a conversation, which only has a name. */
export const goalOf = ({ goal, chat }: Pick<RunState, 'goal' | 'chat'>): string =>
  chat === undefined ? goal : '';
