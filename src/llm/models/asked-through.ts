import type { Provider } from '../provider.ts';

type Ask = <Value>(
  question: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal,
) => Promise<Value>;

/** The same provider without its turns; each question about its models goes through `ask`. */
export function askedThrough(inner: Provider, ask: Ask): Omit<Provider, 'stream'> {
  // A provider may be written without types: a member that is no function counts as missing.
  const own = <Name extends keyof Provider>(name: Name): Provider[Name] | false => {
    const method: unknown = inner[name];
    return typeof method === 'function' && method.bind(inner);
  };
  const [infos, loadedWindow] = [own('infos'), own('loadedWindow')];
  const [ignores, isFree, keys] = [own('ignores'), own('isFree'), own('keys')];
  return {
    name: inner.name,
    describe: (model, signal) => ask((either) => inner.describe(model, either), signal),
    list: (signal) => ask((either) => inner.list(either), signal),
    ...(infos && { infos: (signal) => ask(infos, signal) }),
    ...(loadedWindow && {
      loadedWindow: (model, signal) => ask((either) => loadedWindow(model, either), signal),
    }),
    ...(ignores && { ignores }),
    ...(isFree && { isFree }),
    ...(keys && { keys }),
    close: async () => inner.close?.(),
  };
}
