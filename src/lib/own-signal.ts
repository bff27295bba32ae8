/**
 * Aborted with any of those given, and listened to on its own: many calls may share the signal of a
 * caller, and Node warns of the eleventh listener of one.
 */
export const ownSignal = (...given: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(given.filter((signal) => signal !== undefined));
