/**
 * A signal that aborts with any of the given ones. Many calls may share a caller's signal, and Node warns about
 * the eleventh listener, so each call listens to its own.
 */
export const ownSignal = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined));
