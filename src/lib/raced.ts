/**
 * What work of somebody else comes to, or what `otherwise` gives once the signal is aborted. What becomes of
 * the work after that is nobody's: it is not waited for, and its failure is no unhandled rejection.
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
