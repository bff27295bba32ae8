/**
 * Any server with OpenAI's /chat/completions: OpenAI, OpenRouter, LM Studio, vLLM, llama.cpp.
 *
 * Owns one connection pool, and what each model was found not to accept.
 * 1. Every request carries the caller's signal: an abort closes the connection even before headers arrive.
 * 2. Only connecting has a time limit here; the caller's deadlines end anything that takes too long.
 * 3. Every failure leaves as a `ProviderError`, which contains neither key nor secret header.
 * 4. A request that was refused for its form before any output is sent again in another form, which is remembered. It
 *    is never sent again for any other reason.
 */
import { type Clock, systemClock } from '../../lib/clock.ts';
import { takes } from '../../lib/takes.ts';
import type { ModelEvent, ModelRequest } from '../../schema/model/turn.ts';
import { isPublicAddress } from '../http/public-address.ts';
import { answering } from '../models/answering.ts';
import type { Provider, StreamLimits } from '../provider.ts';
import { secretsAmong, secretsInHeaders } from '../secrets/header-secrets.ts';
import { type ScrubText, scrubbedError, textScrubber } from '../secrets/scrubbed-provider.ts';
import { type BaseUrl, parseBaseUrl } from './base-url.ts';
import { chatBody } from './chat-body.ts';
import { createClient, type OpenAiClient } from './client.ts';
import { requestFailureOf } from './failures.ts';
import { isLlamaCpp, lookups } from './lookups.ts';
import { modelInfo, usableModels } from './models.ts';
import { lessonOfRefusal, type Quirks, quirksByName } from './quirks.ts';
import { readChunks } from './read-chunks.ts';
import { wireNames } from './wire-names.ts';

export interface OpenAiOptions {
  /** `undefined` or '' for a server that needs none. */
  readonly apiKey?: string | undefined;
  /** OpenAI's own by default. `localhost:1234` is enough; `/v1` is added to a bare host. */
  readonly baseUrl?: string | undefined;
  /** Sent with every request; they override default headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Another name for events, journal and messages: `openrouter`. */
  readonly name?: string;
  /** Called once for each setting that a model does not accept and that is therefore left out. */
  readonly onNotice?: (notice: string) => void;
  readonly clock?: Pick<Clock, 'monotonic'>;
}

/** Throws `ProviderError` if `baseUrl` is not an http address. */
export function openAiProvider(options: OpenAiOptions = {}): Provider {
  takes('openAiProvider', 'an object', options);
  const { name = 'openai', onNotice = () => undefined, clock = systemClock } = options;
  const base = parseBaseUrl(options.baseUrl);
  const headers = headersOf(options, base);
  const client = createClient(base, headers);
  const secrets = secretsIn(headers, options, base);
  const ask = lookups({
    url: base.url,
    get: client.get,
    failureOf: (thrown, model, signal) =>
      requestFailureOf(thrown, { url: base.url, model }, signal),
  });
  const place = isPublicAddress(base.url) ? { isPublic: true } : {};
  const found = new Map<string, Quirks>();
  const chat: Chat = {
    name,
    url: base.url,
    client,
    clock,
    scrub: textScrubber(secrets),
    quirksOf: (model) => found.get(model) ?? quirksByName(model),
    remember(model, { quirks, notice }) {
      found.set(model, quirks);
      if (notice) onNotice(notice);
    },
  };
  return answering({
    name,
    // An API version in the query is not a secret.
    keys: () => secrets.filter((secret) => secret !== base.query['api-version']),
    stream: (request, signal, limits) => streamChat(chat, request, { signal, limits }),
    describe: (model, signal) =>
      guarded(chat, model, signal, async () => {
        const { listed, window } = await ask.model(model, signal);
        if (isLlamaCpp(listed)) found.set(model, { ...chat.quirksOf(model), tellsProgress: true });
        return { ...modelInfo(model, listed, window), ...place };
      }),
    infos: (signal) =>
      guarded(chat, '', signal, async () => {
        const found = await ask.usable(signal);
        return found.map(({ model, listed, window }) => ({
          ...modelInfo(model, listed, window),
          ...place,
        }));
      }),
    list: (signal) =>
      guarded(chat, '', signal, async () =>
        usableModels(await ask.models(signal)).map(({ id }) => id),
      ),
    ignores(model) {
      const { takesTemperature, takesSeed } = chat.quirksOf(model);
      return [
        ...(takesTemperature ? [] : (['temperature'] as const)),
        ...(takesSeed ? [] : (['seed'] as const)),
      ];
    },
    close: async () => client.close(),
  });
}

interface Chat {
  readonly name: string;
  readonly url: string;
  readonly client: OpenAiClient;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly scrub: ScrubText;
  quirksOf(model: string): Quirks;
  remember(model: string, lesson: { readonly quirks: Quirks; readonly notice: string }): void;
}

interface Bounds {
  readonly signal: AbortSignal;
  readonly limits: StreamLimits | undefined;
}

async function* streamChat(
  chat: Chat,
  request: ModelRequest,
  bounds: Bounds,
): AsyncGenerator<ModelEvent> {
  if (request.tools?.length && request.responseSchema)
    throw new TypeError('A request has tools or a response schema, never both.');
  const { model } = request;
  for (;;) {
    const quirks = chat.quirksOf(model);
    let hasSpoken = false;
    try {
      for await (const event of attempt(chat, request, quirks, bounds)) {
        hasSpoken ||= event.type !== 'usage' && event.type !== 'prompt_read';
        yield event;
      }
      return;
    } catch (thrown) {
      const { error, response } = requestFailureOf(thrown, { url: chat.url, model }, bounds.signal);
      const isOfForm = response !== null && error.status.kind === 'model_error' && !hasSpoken;
      const lesson = isOfForm ? lessonOfRefusal(quirks, request, response) : null;
      if (lesson === null) throw scrubbedError(error, chat.scrub);
      chat.remember(model, lesson);
    }
  }
}

async function* attempt(
  { name, url, client, clock }: Chat,
  request: ModelRequest,
  quirks: Quirks,
  { signal, limits }: Bounds,
): AsyncGenerator<ModelEvent> {
  const names = wireNames(request, quirks.hasShortIds);
  const start = clock.monotonic();
  const chunks = client.stream(chatBody(request, quirks, names, name), signal, limits);
  yield* readChunks(chunks, {
    request,
    asked: { url, model: request.model },
    toolName: names.toolFromWire,
    elapsed: () => clock.monotonic() - start,
  });
}

async function guarded<T>(
  { url, scrub }: Chat,
  model: string,
  signal: AbortSignal,
  operation: () => Promise<T>,
): Promise<T> {
  try {
    return await operation();
  } catch (thrown) {
    throw scrubbedError(requestFailureOf(thrown, { url, model }, signal).error, scrub);
  }
}

function headersOf({ apiKey, headers }: OpenAiOptions, base: BaseUrl): Record<string, string> {
  const key = apiKey?.trim();
  const authorization = key ? `Bearer ${key}` : base.authorization;
  const all = { ...(authorization === null ? {} : { authorization }) };
  const custom = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...all, ...Object.fromEntries(custom) };
}

const secretsIn = (
  headers: Readonly<Record<string, string>>,
  { apiKey }: OpenAiOptions,
  { authorization, query }: BaseUrl,
): readonly string[] =>
  secretsAmong([
    ...secretsInHeaders(headers),
    ...[apiKey?.trim() ?? '', authorization ?? ''],
    ...Object.values(query),
  ]);
