// The small requests to an Ollama server, each answered with checked data.
import type { z } from 'zod';
import type { Call, Client } from './client.ts';
import { type FailureAt, notOllama } from './failures.ts';
import { PsResponse, ShowResponse, TagsResponse, VersionResponse } from './wire.ts';

export interface Lookups {
  show(model: string, signal: AbortSignal, limits?: Pick<Call, 'connectMs'>): Promise<ShowResponse>;
  tags(signal: AbortSignal): Promise<TagsResponse>;
  ps(signal: AbortSignal): Promise<PsResponse>;
  version(signal: AbortSignal): Promise<string>;
}

/** Every failure is a `ProviderError`. */
export function lookups(host: string, client: Client, failure: FailureAt): Lookups {
  const ask = async <Schema extends z.ZodType>(
    schema: Schema,
    call: Call,
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
