/**
 * The Ollama backend, over its native API.
 *
 * Owns one connection pool and what /api/show said about each model.
 * 1. Every request has a client of its own, whose `fetch` carries the caller's signal: an abort
 *    closes the connection even while the model loads.
 * 2. Nothing here has a time limit; the caller's deadlines end what takes too long.
 * 3. Whatever goes wrong leaves as a `ProviderError`.
 */
import type { ChatRequest } from 'ollama';
import type { z } from 'zod';
import type { ModelEvent, ModelRequest } from '../../schema/turn.ts';
import type { ModelInfo, Provider } from '../provider.ts';
import { ProviderError } from '../provider.ts';
import { chatBody } from './chat-request.ts';
import { type Client, connector } from './client.ts';
import { loadedWindow, modelInfo, thinkingOf, usableModels } from './models.ts';
import { networkError } from './network-errors.ts';
import { readChunks } from './read-chunks.ts';
import { PsResponse, ShowResponse, TagsResponse, VersionResponse } from './wire.ts';

export interface OllamaOptions {
  /** Base URL as `parseOllamaHost` gives it. */
  readonly host: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the model stays loaded after a request: a Go duration, or seconds. */
  readonly keepAlive?: string | number;
}

export interface OllamaProvider extends Provider {
  /** The context window the loaded model really has; `null` when it is not loaded or unknown. */
  verifyContextWindow(model: string, signal?: AbortSignal): Promise<number | null>;
  version(signal: AbortSignal): Promise<string>;
}

export function ollamaProvider(options: OllamaOptions): OllamaProvider {
  const shown = new Map<string, ShowResponse>();
  const connect = connector(options.host, options.headers ?? {});

  const ask = async <Schema extends z.ZodType>(
    schema: Schema,
    model: string,
    signal: AbortSignal,
    call: (client: Client) => Promise<unknown>,
  ): Promise<z.infer<Schema>> => {
    try {
      const parsed = schema.safeParse(await call(await connect.client(model, signal)));
      if (parsed.success) return parsed.data;
      throw notOllama(options.host);
    } catch (error) {
      throw asProviderError(error, signal, options.host);
    }
  };

  const show = async (model: string, signal: AbortSignal): Promise<ShowResponse> => {
    const known = shown.get(model);
    if (known) return known;
    const answer = await ask(ShowResponse, model, signal, (client) => client.show({ model }));
    shown.set(model, answer);
    return answer;
  };

  const tags = (signal: AbortSignal): Promise<TagsResponse> =>
    ask(TagsResponse, '', signal, (client) => client.list());

  return {
    name: 'ollama',
    stream: (request, signal) => streamChat(request, signal),
    async describe(model, signal): Promise<ModelInfo> {
      shown.delete(model);
      const [answer, installed] = await Promise.all([show(model, signal), tags(signal)]);
      return modelInfo(model, answer, installed);
    },
    list: async (signal) => usableModels(await tags(signal)),
    async verifyContextWindow(model, signal = new AbortController().signal) {
      return loadedWindow(await ask(PsResponse, model, signal, (client) => client.ps()), model);
    },
    async version(signal) {
      const answer = await ask(VersionResponse, '', signal, (client) => client.version());
      return answer.version;
    },
    close: () => connect.close(),
  };

  async function* streamChat(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    if (request.tools?.length && request.responseSchema) {
      throw new TypeError('A request has tools or a response schema, never both.');
    }
    const finished = new AbortController();
    const either = AbortSignal.any([signal, finished.signal]);
    let isComplete = false;
    try {
      const thinking = thinkingOf(await show(request.model, either));
      const client = await connect.client(request.model, either);
      const body = chatBody(request, thinking, options.keepAlive ?? '10m');
      // The library's types lag behind the API (`truncate`, `shift`, `tool_call_id`).
      const chunks = await client.chat(body as unknown as ChatRequest & { stream: true });
      yield* readChunks(chunks, request);
      isComplete = true;
    } catch (error) {
      throw asProviderError(error, signal, options.host);
    } finally {
      if (!isComplete) finished.abort();
    }
  }
}

/** A caller that went away is no fault of the server's; a body that is no JSON is none of Ollama's. */
function asProviderError(error: unknown, signal: AbortSignal, host: string): ProviderError {
  if (signal.aborted) {
    return new ProviderError({ kind: 'aborted' }, 'The request was cancelled.', '', {
      cause: error,
    });
  }
  if (error instanceof ProviderError) return error;
  if (error instanceof SyntaxError) return notOllama(host, error);
  return networkError(error, host);
}

const notOllama = (host: string, cause?: unknown): ProviderError =>
  new ProviderError(
    { kind: 'model_error', retryable: false },
    `What answers at ${host} does not speak Ollama's language.`,
    'Check --host and OLLAMA_HOST; Ollama listens on port 11434 by default.',
    { cause },
  );
