// The small requests to an OpenAI-compatible server, each answered with checked data.
import type { z } from 'zod';
import { readErrorBody } from '../http/error-body.ts';
import { modelFault } from '../provider.ts';
import type { RequestFailure } from './failures.ts';
import { findModel, listedWindow, usableModels } from './models.ts';
import { type Listed, ListResponse, PropsResponse } from './wire.ts';

/** A server with fewer models may have been started with another window than theirs. */
const FEW = 4;

export interface Lookups {
  /** `[]` if the server keeps no list. */
  models(signal: AbortSignal): Promise<readonly Listed[]>;
  /** What is known about one model, and the window it has here; `null` if unknown. */
  model(name: string, signal: AbortSignal): Promise<CachedLookups>;
  /** The same for all models that can chat, best first, from the list alone if it is complete. */
  usable(signal: AbortSignal): Promise<readonly (CachedLookups & { readonly model: string })[]>;
}

interface CachedLookups {
  readonly listed: Listed | null;
  readonly window: number | null;
}

interface Ports {
  readonly url: string;
  get(pathOrUrl: string, signal: AbortSignal): Promise<unknown>;
  failureOf(thrown: unknown, model: string, signal: AbortSignal): RequestFailure;
}

export function lookups(ports: Ports): Lookups {
  const { origin } = new URL(ports.url);
  const askAbout: Lookups['model'] = async (name, signal) => {
    const listed = await listModels(ports, signal);
    // llama.cpp serves one model and answers to any name.
    const [only] = listed;
    const isOfLlamaCpp = isLlamaCpp(only);
    const found = findModel(listed, name) ?? (isOfLlamaCpp && listed.length === 1 ? only : null);
    if (!found) {
      await mustExist(ports, name, signal);
      return { listed: null, window: null };
    }
    const props = isOfLlamaCpp
      ? await askOrNull(ports, PropsResponse, `${origin}/props`, signal)
      : null;
    return {
      listed: found,
      window: props?.default_generation_settings?.n_ctx ?? listedWindow(found),
    };
  };
  return {
    models: (signal) => listModels(ports, signal),
    model: askAbout,
    async usable(signal) {
      const all = await listModels(ports, signal);
      return await Promise.all(
        usableModels(all).map(async (listed) =>
          all.length <= FEW
            ? { model: listed.id, ...(await askAbout(listed.id, signal)) }
            : { model: listed.id, listed, window: listedWindow(listed) },
        ),
      );
    },
  };
}

export const isLlamaCpp = (listed: Listed | null | undefined): boolean =>
  listed?.owned_by === 'llamacpp';

const isOwnServer = (url: string): boolean =>
  url.startsWith('http:') || /^https:\/\/(localhost|127\.|\[::1\])/.test(url);

/** LM Studio's own list says more: which models are loaded, and with which window. */
async function listModels(ports: Ports, signal: AbortSignal): Promise<readonly Listed[]> {
  const { url, get, failureOf } = ports;
  if (isOwnServer(url)) {
    const path = `${new URL(url).origin}/api/v0/models`;
    const own = await askOrNull(ports, ListResponse, path, signal);
    if (own !== null && own.data.length > 0) return own.data;
  }
  try {
    const answer = ListResponse.safeParse(await get('/models', signal));
    if (answer.success) return answer.data.data;
  } catch (thrown) {
    const { error, response } = failureOf(thrown, '', signal);
    if (response?.status !== 404 && response?.status !== 405) throw error;
    return [];
  }
  throw modelFault(
    `What answers at ${url} is not an OpenAI-compatible API: its list of models cannot be read.`,
    'Check the base URL; it usually ends in /v1.',
  );
}

/** `null` if the server does not know the request, or answers something else. */
async function askOrNull<Schema extends z.ZodType>(
  { get, failureOf }: Ports,
  schema: Schema,
  path: string,
  signal: AbortSignal,
): Promise<z.infer<Schema> | null> {
  try {
    return schema.safeParse(await get(path, signal)).data ?? null;
  } catch (thrown) {
    const { error, response } = failureOf(thrown, '', signal);
    if (response !== null && error.status.kind === 'model_error') return null;
    throw error;
  }
}

/** A model that is not listed may still exist (an alias, a wildcard); only an explicit no counts. */
async function mustExist(
  { get, failureOf }: Ports,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await get(`/models/${encodeURIComponent(name)}`, signal);
  } catch (thrown) {
    const { error, response } = failureOf(thrown, name, signal);
    if (signal.aborted || response === null) throw error;
    const { isApi, text } = readErrorBody(response.body);
    if (response.status === 404 && isApi && /model/i.test(text)) throw error;
  }
}
