/**
 * The result of foreign work, or of `otherwise` once the signal is aborted. The work is then no longer awaited,
 * and its failure is not an unhandled rejection.
 */
export async function raced<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  otherwise: () => Result,
): Promise<Result> {
  let stop = (): void => {};
  const stopped = new Promise<Result>((resolve, reject) => {
    stop = () => {
      try {
        resolve(otherwise());
      } catch (error) {
        reject(error);
      }
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
