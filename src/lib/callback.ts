/** Calls functions of the embedding program, which may throw, and may return promises that reject. */

/** The message of anything that was thrown. */
export function thrownText(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'something that cannot be shown';
  }
}

/** A notice that a function of the program failed. */
export const failedWarning = (name: string, why: string) =>
  ({
    type: 'notice',
    level: 'warning',
    text: `The function ${name} of this program failed: ${why}`,
  }) as const;

/**
 * Turns a listener into a function that never fails.
 * @param failed called for the first failure only, because a function that always fails has one fault
 */
export function notify<Args extends readonly unknown[]>(
  call: ((...args: Args) => unknown) | undefined,
  failed: (why: string) => void,
): (...args: Args) => void {
  if (call === undefined) return () => {};
  let hasFailed = false;
  const fail = (error: unknown): void => {
    if (hasFailed) return;
    hasFailed = true;
    failed(thrownText(error));
  };
  return (...args) => {
    try {
      const result = call(...args);
      // Anything with `then` is a promise, whoever made it.
      Promise.resolve(result).catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}
