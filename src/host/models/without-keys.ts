import type { Provider } from '../../llm/provider.ts';
import {
  scrubbedError,
  scrubbedProvider,
  textScrubber,
  withCleanErrors,
} from '../../llm/secrets/scrubbed-provider.ts';
import type { Engine } from '../engine-port.ts';

/**
 * The same engine, which removes keys from whatever a server says in an error or a listing. Everything from servers
 * passes here on its way to the journal, the log, the events and the screen.
 */
export function withoutKeys(engine: Engine, keys: readonly string[]): Engine {
  const scrub = textScrubber(keys);
  const cleanly = withCleanErrors(scrub);
  const clean = <One extends { readonly provider: Provider }>(one: One): One => ({
    ...one,
    provider: scrubbedProvider(one.provider, scrub),
  });
  return {
    ...engine,
    openModel: (request) =>
      cleanly(async () => {
        const { report } = request;
        const reportScrubbed = report === null ? null : (line: string) => report(scrub(line));
        const opened = await engine.openModel({ ...request, report: reportScrubbed });
        const { fallbacks, notice } = opened;
        const others = fallbacks === undefined ? {} : { fallbacks: fallbacks.map(clean) };
        return { ...clean(opened), notice: scrub(notice), ...others };
      }),
    listModels: async (request) =>
      (await engine.listModels(request)).map((listing) => ({
        ...listing,
        problem: scrub(listing.problem),
        next: scrub(listing.next),
      })),
    lookAtServers: async (request) =>
      (await engine.lookAtServers(request)).map((look) => ({
        ...look,
        notes: look.notes.map(scrub),
      })),
    runGoal: (request) => cleanly(() => engine.runGoal(request)),
    openRun: async (request) => {
      const run = await cleanly(() => engine.openRun(request));
      return { ...run, takeStep: (isDue) => cleanly(() => run.takeStep(isDue)) };
    },
    setupEmbedded: (request) => cleanly(() => engine.setupEmbedded(request)),
    setupOllama: (request) => cleanly(() => engine.setupOllama(request)),
    logError: (workspace, error) => engine.logError(workspace, scrubbedError(error, scrub)),
  };
}
