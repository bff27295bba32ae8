/**
 * The Anthropic backend, over the Messages API.
 *
 * Owns one connection pool, what /v1/models said about each model, and the form that each model's requests take after a
 * refusal.
 * 1. Every request carries the caller's signal: an abort closes the connection, even before headers arrive.
 * 2. Only connecting has a time limit here; the caller's deadlines end anything that takes too long.
 * 3. Every failure leaves as a `ProviderError`, and none contains a key.
 */
import { type Clock, systemClock } from '../../lib/clock.ts';
import { takes } from '../../lib/takes.ts';
import type { ModelEvent, ModelRequest } from '../../schema/model/turn.ts';
import { isPublicAddress } from '../http/public-address.ts';
import { answering } from '../models/answering.ts';
import type { ModelInfo, Provider, ProviderError, StreamLimits } from '../provider.ts';
import { secretsAmong, secretsInHeaders } from '../secrets/header-secrets.ts';
import { textScrubber } from '../secrets/scrubbed-provider.ts';
import { type Account, ANTHROPIC_URL, accountOf } from './account.ts';
import { type AnthropicClient, createClient } from './client.ts';
import { type ApiFailure, isNoSuchPath } from './errors.ts';
import { apiFailure, asProviderError, notAnthropic } from './failures.ts';
import { type HttpFetch, httpFetch } from './http-fetch.ts';
import { modelFacts, modelInfo, type ThinkingMode, usableModels } from './models.ts';
import { readEvents } from './read-events.ts';
import { type RequestShape, type WireRequest, wireRequest } from './request-body.ts';
import { PROVIDER } from './signed-blocks.ts';
import { WireModel } from './wire.ts';

export interface AnthropicOptions {
  /** May be '' for a server of your own that needs none. */
  readonly apiKey: string;
  /** Without /v1. */
  readonly baseUrl?: string;
  /** Sent with every request, for gateways that need their own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `off` by default: thinking counts towards the limit of an answer. Some models always think. */
  readonly thinking?: ThinkingMode;
  readonly clock?: Pick<Clock, 'monotonic'>;
}

/** Anthropic's API. `apiKey` is required; `baseUrl` is for a server of your own. */
export function anthropicProvider(options: AnthropicOptions): Provider {
  takes('anthropicProvider', 'an object', options);
  const connection = lazyConnection(options);
  const clock = options.clock ?? systemClock;
  const shapes = new Map<string, RequestShape>();
  const secrets = secretsAmong([
    (options.apiKey ?? '').trim(),
    ...secretsInHeaders(options.headers),
  ]);
  const scrub = textScrubber(secrets);
  const guard: Guard = (error, model, signal) =>
    asProviderError(error, { signal, model, url: connection.shownUrl(), scrub });
  const models = modelLookup(() => connection.open().client, guard);

  const infoOf = (model: string, listed: WireModel | null): ModelInfo => {
    const info = modelInfo(model, listed);
    return isPublicAddress(connection.shownUrl()) ? { ...info, isPublic: true } : info;
  };

  const usable = async (signal: AbortSignal): Promise<readonly WireModel[]> => {
    try {
      const found = await connection.open().client.models(signal);
      const parsed = WireModel.array().safeParse(found);
      if (parsed.success) return usableModels(parsed.data);
      throw notAnthropic(connection.shownUrl());
    } catch (error) {
      throw guard(error, '', signal);
    }
  };

  return answering({
    name: PROVIDER,
    keys: () => secrets,
    ignores: () => ['temperature', 'seed'],
    async *stream(request, signal, limits): AsyncGenerator<ModelEvent> {
      if (request.tools?.length && request.responseSchema)
        throw new TypeError('A request has tools or a response schema, never both.');
      try {
        const listed = await models.known(request.model, signal, limits);
        const facts = modelFacts(request.model, listed);
        const put = (shape: RequestShape): WireRequest =>
          wireRequest(request, facts, options.thinking ?? 'off', shape);
        const shape = shapes.get(request.model) ?? firstShape(facts.takesSchema);
        const start = clock.monotonic();
        const sent = await send(connection.open().client, { request, put, shape, limits }, signal);
        // Only the refused request omits its signed blocks; later requests send theirs.
        shapes.set(request.model, { ...sent.shape, withSigned: true });
        const elapsed = (): number => clock.monotonic() - start;
        yield* readEvents(sent.events, { request, wire: sent.wire, elapsed });
      } catch (error) {
        throw guard(error, request.model, signal);
      }
    },
    describe: async (model, signal) => infoOf(model, await models.asked(model, signal)),
    list: async (signal) => (await usable(signal)).map(({ id }) => id),
    infos: async (signal) => (await usable(signal)).map((listed) => infoOf(listed.id, listed)),
    close: async () => connection.close(),
  });
}

/** Turns any failure of an exchange with the API into a `ProviderError`. */
type Guard = (error: unknown, model: string, signal: AbortSignal) => ProviderError;

/** What the server says about a model; null if it says nothing, as servers that imitate the API do. */
function modelLookup(client: () => AnthropicClient, guard: Guard) {
  const lookedUp = new Map<string, WireModel | null>();
  type Ask = (
    model: string,
    signal: AbortSignal,
    limits?: StreamLimits,
  ) => Promise<WireModel | null>;
  const ask: Ask = async (model, signal, limits) => {
    try {
      return WireModel.safeParse(await client().model(model, signal, limits)).data ?? null;
    } catch (error) {
      const failure = signal.aborted ? null : apiFailure(error);
      if (failure !== null && (isNoSuchPath(failure) || failure.status === 405)) return null;
      throw guard(error, model, signal);
    }
  };
  const asked: Ask = async (model, signal, limits) => {
    const answer = await ask(model, signal, limits);
    lookedUp.set(model, answer);
    return answer;
  };
  const known: Ask = async (model, signal, limits) => {
    const before = lookedUp.get(model);
    return before === undefined ? await asked(model, signal, limits) : before;
  };
  return { asked, known };
}

const firstShape = (takesSchema: boolean): RequestShape => ({
  answerBy: takesSchema ? 'schema' : 'tool',
  mayMentionThinking: true,
  mayMentionEffort: true,
  withSigned: true,
});

interface Order {
  readonly request: ModelRequest;
  readonly put: (shape: RequestShape) => WireRequest;
  readonly shape: RequestShape;
  readonly limits: StreamLimits | undefined;
}

/** Sends a request; if an optional part is refused, sends it again without that part. */
async function send(client: AnthropicClient, order: Order, signal: AbortSignal) {
  const { request, put, limits } = order;
  let { shape } = order;
  for (;;) {
    const wire = put(shape);
    try {
      return { wire, shape, events: await client.stream(wire.body, signal, limits) };
    } catch (error) {
      const failure = signal.aborted ? null : apiFailure(error);
      const next = withoutRefused(shape, failure, request.responseSchema !== undefined);
      if (next === null) throw error;
      shape = next;
    }
  }
}

/** Opened by the first request, so that a wrong key or address is an error of that request. */
function lazyConnection(options: AnthropicOptions) {
  const { apiKey, baseUrl = ANTHROPIC_URL, headers = {} } = options;
  let opened: { account: Account; http: HttpFetch; client: AnthropicClient } | null = null;
  return {
    open() {
      if (opened === null) {
        // A program without types may give a variable that is not set.
        const account = accountOf(apiKey ?? '', baseUrl, headers);
        const http = httpFetch(account.headers);
        opened = { account, http, client: createClient(account.url, http) };
      }
      return opened;
    },
    shownUrl: (): string => opened?.account.publicUrl ?? baseUrl,
    close(): void {
      opened?.http.close();
      opened = null;
    },
  };
}

/** Null if the request would be refused again. Each part is left out at most once. */
function withoutRefused(
  shape: RequestShape,
  failure: ApiFailure | null,
  hasAnswerSchema: boolean,
): RequestShape | null {
  if (failure?.status !== 400) return null;
  const { text } = failure;
  if (
    shape.withSigned &&
    /signature.*thinking|thinking.*(signature|cannot be modified)/i.test(text)
  ) {
    return { ...shape, withSigned: false };
  }
  if (shape.mayMentionEffort && /effort/i.test(text)) return { ...shape, mayMentionEffort: false };
  if (
    hasAnswerSchema &&
    shape.answerBy === 'schema' &&
    /output_config|schema|grammar/i.test(text)
  ) {
    return { ...shape, answerBy: 'tool' };
  }
  if (shape.mayMentionThinking && /thinking/i.test(text))
    return { ...shape, mayMentionThinking: false };
  return null;
}
