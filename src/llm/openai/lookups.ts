// The small questions one may ask an OpenAI-compatible server, each answered with checked data.
import type { z } from 'zod';
import { ProviderError } from '../provider.ts';
import { readErrorBody } from './error-body.ts';
import type { Failure } from './failures.ts';
import { findModel, windowOf } from './models.ts';
import { type Listed, ListResponse, PropsResponse } from './wire.ts';

export interface Lookups {
  /** `[]` where the server keeps no list. */
  models(signal: AbortSignal): Promise<readonly Listed[]>;
  /** What is known of one model, and the window it has here; `null` where nobody tells. */
  model(
    name: string,
    signal: AbortSignal,
  ): Promise<{ listed: Listed | null; window: number | null }>;
}

interface Ports {
  readonly url: string;
  get(pathOrUrl: string, signal: AbortSignal): Promise<unknown>;
  failureOf(thrown: unknown, model: string, signal: AbortSignal): Failure;
}

export function lookups({ url, get, failureOf }: Ports): Lookups {
  const origin = new URL(url).origin;
  const isOwnServer = url.startsWith('http:') || /^https:\/\/(localhost|127\.|\[::1\])/.test(url);

  /** `null` where the server does not know the question, or answers something else. */
  const askOrNull = async <Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    signal: AbortSignal,
  ): Promise<z.infer<Schema> | null> => {
    try {
      return schema.safeParse(await get(path, signal)).data ?? null;
    } catch (thrown) {
      const { error, response } = failureOf(thrown, '', signal);
      if (response !== null && error.status.kind === 'model_error') return null;
      throw error;
    }
  };

  const models = async (signal: AbortSignal): Promise<readonly Listed[]> => {
    // LM Studio's own list says more: which are loaded, and with which window.
    const own = isOwnServer
      ? await askOrNull(ListResponse, `${origin}/api/v0/models`, signal)
      : null;
    if (own !== null && own.data.length > 0) return own.data;
    try {
      const answer = ListResponse.safeParse(await get('/models', signal));
      if (answer.success) return answer.data.data;
    } catch (thrown) {
      const { error, response } = failureOf(thrown, '', signal);
      if (response?.status !== 404 && response?.status !== 405) throw error;
      return [];
    }
    throw new ProviderError(
      { kind: 'model_error', retryable: false },
      `What answers at ${url} is no OpenAI-compatible API: its list of models cannot be read.`,
      'Check the base URL; it usually ends in /v1.',
    );
  };

  /** A model that is not listed may still exist (an alias, a wildcard); only a plain no is one. */
  const mustExist = async (name: string, signal: AbortSignal): Promise<void> => {
    try {
      await get(`/models/${encodeURIComponent(name)}`, signal);
    } catch (thrown) {
      const { error, response } = failureOf(thrown, name, signal);
      if (signal.aborted || response === null) throw error;
      const { isApi, text } = readErrorBody(response.body);
      if (response.status === 404 && isApi && /model/i.test(text)) throw error;
    }
  };

  return {
    models,
    async model(name, signal) {
      const listed = await models(signal);
      // llama.cpp serves one model and answers to any name.
      const [only] = listed;
      const isLlamaCpp = only?.owned_by === 'llamacpp';
      const found = findModel(listed, name) ?? (isLlamaCpp && listed.length === 1 ? only : null);
      if (!found) {
        await mustExist(name, signal);
        return { listed: null, window: null };
      }
      const props = isLlamaCpp ? await askOrNull(PropsResponse, `${origin}/props`, signal) : null;
      return {
        listed: found,
        window: props?.default_generation_settings?.n_ctx ?? windowOf(found),
      };
    },
  };
}
