/** Node 20 lacks `Promise.withResolvers`, which the Restate SDK calls. */

interface WithResolvers {
  withResolvers?: () => object;
}

/** Only for a process of our own, and before the SDK is loaded. */
export function fillInPromises(): void {
  const promises = Promise as unknown as WithResolvers;
  promises.withResolvers ??= () => {
    let resolve: unknown;
    let reject: unknown;
    const promise = new Promise((resolved, rejected) => {
      resolve = resolved;
      reject = rejected;
    });
    return { promise, resolve, reject };
  };
}
