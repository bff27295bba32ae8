/** Every default of a run in one place: the command line, the library and a server begin with them. */

/** Rounds from one start on. */
export const DEFAULT_MAX_ROUNDS = 24;
export const DEFAULT_TEMPERATURE = 0.2;
