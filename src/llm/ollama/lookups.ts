// The small questions one may ask an Ollama server, each answered with checked data.
import type { z } from 'zod';
import type { Client, Connector } from './client.ts';
import { asProviderError, notOllama } from './network-errors.ts';
import { PsResponse, ShowResponse, TagsResponse, VersionResponse } from './wire.ts';

export interface Lookups {
  show(model: string, signal: AbortSignal): Promise<ShowResponse>;
  tags(signal: AbortSignal): Promise<TagsResponse>;
  ps(signal: AbortSignal): Promise<PsResponse>;
  version(signal: AbortSignal): Promise<string>;
}

/** Every failure is a `ProviderError`. */
export function lookups(host: string, connect: Connector): Lookups {
  const ask = async <Schema extends z.ZodType>(
    schema: Schema,
    model: string,
    signal: AbortSignal,
    call: (client: Client) => Promise<unknown>,
  ): Promise<z.infer<Schema>> => {
    try {
      const parsed = schema.safeParse(await call(await connect.client(model, signal)));
      if (parsed.success) return parsed.data;
      throw notOllama(host);
    } catch (error) {
      throw asProviderError(error, signal, host);
    }
  };
  return {
    show: (model, signal) => ask(ShowResponse, model, signal, (client) => client.show({ model })),
    tags: (signal) => ask(TagsResponse, '', signal, (client) => client.list()),
    ps: (signal) => ask(PsResponse, '', signal, (client) => client.ps()),
    version: async (signal) => {
      const answer = await ask(VersionResponse, '', signal, (client) => client.version());
      return answer.version;
    },
  };
}
