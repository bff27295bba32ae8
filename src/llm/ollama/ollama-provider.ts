/**
 * The Ollama backend, over its native API.
 *
 * Owns one connection pool, and what /api/show said about each model.
 * 1. Every request carries the caller's signal: an abort closes the connection even while the model loads.
 * 2. Only connecting has a time limit here; the caller's deadlines end anything that takes too long.
 * 3. Every failure leaves as a `ProviderError`, and none contains a key.
 */

import type { z } from 'zod';
import { takes } from '../../lib/takes.ts';
import type { ModelEvent, ModelRequest } from '../../schema/model/turn.ts';
import { answering } from '../models/answering.ts';
import type { ModelInfo, Provider, StreamLimits } from '../provider.ts';
import { secretsAmong, secretsInHeaders } from '../secrets/header-secrets.ts';
import { chatBody } from './chat-request.ts';
import { createClient, type OllamaCall, type OllamaClient } from './client.ts';
import { type FailureAt, failureAt, notOllama } from './failures.ts';
import {
  modelInfo,
  penaltyOf,
  thinkingOf,
  usableModels,
  loadedWindow as windowOf,
} from './models.ts';
import { readChunks } from './read-chunks.ts';
import { PsResponse, ShowResponse, TagsResponse, VersionResponse } from './wire.ts';

export interface OllamaOptions {
  /** Base URL from `parseOllamaHost`. */
  readonly host: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the model stays loaded after a request: a Go duration, or seconds. */
  readonly keepAlive?: string | number;
}

export interface OllamaProvider extends Provider {
  loadedWindow(model: string, signal: AbortSignal): Promise<number | null>;
  version(signal: AbortSignal): Promise<string>;
}

/** An Ollama server by its native API, always streaming. */
export function ollamaProvider(options: OllamaOptions): OllamaProvider {
  takes('ollamaProvider', 'an object', options);
  const shown = new Map<string, ShowResponse>();
  /** A caller that has just listed the models describes one of them next, so the list is kept for that. */
  let listed: TagsResponse | null = null;
  const client = createClient({ url: options.host, headers: options.headers ?? {} });
  const secrets = secretsAmong(secretsInHeaders(options.headers));
  const failure = failureAt(options.host, secrets);
  const ask = lookups(options.host, client, failure);

  const show: Chat['show'] = async (model, signal, limits) => {
    const answer = shown.get(model) ?? (await ask.show(model, signal, limits));
    shown.set(model, answer);
    return answer;
  };

  return answering({
    name: 'ollama',
    // A model that the server forwards to another server may cost money.
    isFree: (model) => !/[:-]cloud$/.test(model),
    keys: () => secrets,
    stream: (request, signal, limits) =>
      streamChat({ options, client, show, failure }, request, signal, limits),
    async describe(model, signal): Promise<ModelInfo> {
      shown.delete(model);
      const known = listed;
      listed = null;
      const [answer, installed] = await Promise.all([
        show(model, signal),
        known ?? ask.tags(signal),
      ]);
      return modelInfo(model, answer, installed);
    },
    list: async (signal) => {
      listed = await ask.tags(signal);
      return usableModels(listed);
    },
    loadedWindow: async (model, signal) => windowOf(await ask.ps(signal), model),
    version: (signal) => ask.version(signal),
    close: async () => client.close(),
  });
}

interface Chat {
  readonly options: OllamaOptions;
  readonly client: OllamaClient;
  readonly failure: FailureAt;
  show(model: string, signal: AbortSignal, limits?: Partial<StreamLimits>): Promise<ShowResponse>;
}

async function* streamChat(
  { options, client, show, failure }: Chat,
  request: ModelRequest,
  signal: AbortSignal,
  limits?: StreamLimits,
): AsyncGenerator<ModelEvent> {
  if (request.tools?.length && request.responseSchema)
    throw new TypeError('A request has tools or a response schema, never both.');
  try {
    const connecting = limits ? { connectMs: limits.connectMs } : {};
    const shown = await show(request.model, signal, connecting);
    const keepAlive = options.keepAlive ?? '10m';
    const body = chatBody(request, thinkingOf(shown), keepAlive, penaltyOf(shown));
    yield* readChunks(
      client.stream({ path: '/api/chat', body, model: request.model, signal, ...connecting }),
      request,
    );
  } catch (error) {
    throw failure(error, signal);
  }
}

interface Lookups {
  show(
    model: string,
    signal: AbortSignal,
    limits?: Pick<OllamaCall, 'connectMs'>,
  ): Promise<ShowResponse>;
  tags(signal: AbortSignal): Promise<TagsResponse>;
  ps(signal: AbortSignal): Promise<PsResponse>;
  version(signal: AbortSignal): Promise<string>;
}

/** Every failure is a `ProviderError`. */
function lookups(host: string, client: OllamaClient, failure: FailureAt): Lookups {
  const ask = async <Schema extends z.ZodType>(
    schema: Schema,
    call: OllamaCall,
  ): Promise<z.infer<Schema>> => {
    try {
      const parsed = schema.safeParse(await client.ask(call));
      if (parsed.success) return parsed.data;
      throw notOllama(host);
    } catch (error) {
      throw failure(error, call.signal);
    }
  };
  return {
    show: (model, signal, limits) =>
      ask(ShowResponse, { path: '/api/show', body: { model }, model, signal, ...limits }),
    tags: (signal) => ask(TagsResponse, { path: '/api/tags', model: '', signal }),
    ps: (signal) => ask(PsResponse, { path: '/api/ps', model: '', signal }),
    version: async (signal) => {
      const answer = await ask(VersionResponse, { path: '/api/version', model: '', signal });
      return answer.version;
    },
  };
}
