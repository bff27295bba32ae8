/** Functions of the embedding program, which may throw, and may promise what fails later. */

/** In words; whatever was thrown. */
export function failureText(error: unknown): string {
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
 * A function that is told things, as one that never fails.
 * @param failed told of the first failure only: a function that always fails is one fault
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
    failed(failureText(error));
  };
  return (...args) => {
    try {
      const result = call(...args);
      // Whether something is a promise, whoever made it, is what `then` says.
      Promise.resolve(result).catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}
