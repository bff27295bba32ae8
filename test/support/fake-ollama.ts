/**
 * A real HTTP server that speaks Ollama 0.33's wire as it was recorded from a real one.
 *
 * Owns its socket, the requests it saw (raw bodies, in order), and which model is "loaded".
 * Refuses what the real server refuses, with the recorded bodies; what a good request is answered
 * with comes from the script.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ERAS, type Era } from './fake-ollama-eras.ts';
import { FakePulls, type Library, type PullTrouble } from './fake-ollama-pull.ts';
import { type Recorded, recorded } from './fake-ollama-recordings.ts';
import { type Reply, sendReply } from './fake-ollama-replies.ts';
import {
  type ChatRequest,
  type Overflow,
  refusalOf,
  type WindowRules,
  whatIsRead,
} from './fake-ollama-validation.ts';

import { asksForBrief, briefIn, textOf } from './models.ts';

export type { Reply } from './fake-ollama-replies.ts';
export type { ChatRequest, Overflow } from './fake-ollama-validation.ts';

export interface FakeModel {
  readonly name: string;
  readonly capabilities?: readonly string[];
  readonly contextLength?: number;
  readonly parameterSize?: string;
  readonly family?: string;
  readonly digest?: string;
}

/** The question how a goal is read is answered with what is put plainly, and is none of the chats. */
function briefAsked(body: string): ChatRequest | null {
  if (!body.includes('asks_for')) return null;
  const request = JSON.parse(body) as ChatRequest;
  return asksForBrief(request.format) ? request : null;
}

export interface FakeOllamaOptions {
  /** `n` counts chat requests from 1. */
  readonly script?: (request: ChatRequest, n: number, rawBody: string) => Reply | Promise<Reply>;
  readonly models?: readonly FakeModel[];
  readonly port?: number;
  /** Answers to other paths, tried first: `GET /api/version` → a response. */
  readonly routes?: Readonly<
    Record<string, { status: number; body: string; contentType?: string }>
  >;
  /** Like VRAM limits do: what /api/ps reports instead of the asked-for window. */
  readonly loadedWindow?: number;
  /** Answer prompts longer than num_ctx (4 characters a token) like a real server does. */
  readonly enforceWindow?: boolean;
  /** The window prompts must fit into, in tokens, where it is not the one that was asked for. */
  readonly realWindow?: number;
  /** Left out: 0.33, with calls in chunks of their own, as rendered templates send them. */
  readonly era?: Era;
  /** Waited for while a model loads: at first, and whenever `num_ctx` or `shift` change. */
  readonly whileLoading?: () => Promise<void>;
  /** What becomes of those that do not; left out: as in its era. */
  readonly overflow?: Overflow;
  /** Names it answers to; with any other Host header it refuses, as a real one does. */
  readonly hostNames?: readonly string[];
  /** What can be pulled. */
  readonly library?: Library;
  /** What happens to the n-th pull, counted from 1. */
  readonly pullTrouble?: (n: number) => PullTrouble | null;
  /** Every answer ends its connection, so that the next request is the first of another one. */
  readonly closesConnections?: boolean;
  /** Called with every chat request before anything is answered. */
  readonly onChat?: (rawBody: string, n: number) => void;
}

export interface FakeOllama {
  readonly url: string;
  readonly port: number;
  /** Every request: `POST /api/chat`. */
  readonly requests: readonly string[];
  /** Raw bodies of the chat requests, in order. */
  readonly chats: readonly string[];
  /** Parsed bodies of the chat requests. */
  chat(index: number): ChatRequest;
  /** Parsed bodies of the requests to pull a model. */
  readonly pulls: readonly unknown[];
  /** Numbers of the chat requests whose client went away before the answer's end. */
  readonly disconnects: readonly number[];
  /** Resolves when the client of a chat request has gone away. */
  whenDisconnected(n: number): Promise<void>;
  /** Resolves when the n-th chat request has arrived. */
  whenChat(n: number): Promise<void>;
  /** How often a model was loaded: a changed window or `shift` loads it again. */
  readonly loads: readonly string[];
  /** What a client should never send: `format` together with `tools`, an unset `think`, … */
  readonly violations: readonly string[];
  close(): Promise<void>;
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

export const DEFAULT_FAKE_MODELS: readonly FakeModel[] = [
  { name: 'qwen2.5-coder:1.5b', parameterSize: '1.5B' },
  { name: 'smollm2:135m', parameterSize: '134.52M', capabilities: ['completion'] },
];

export async function startFakeOllama(options: FakeOllamaOptions = {}): Promise<FakeOllama> {
  const state = new FakeState(options);
  const server = createServer((request, response) => {
    response.shouldKeepAlive = options.closesConnections !== true;
    void state.answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: `fake-ollama: ${String(error)}` }));
    });
  });
  // A real one leaves idle connections open.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: state.requests,
    chats: state.chats,
    chat: (index) => JSON.parse(state.chats.at(index) ?? 'null'),
    pulls: state.pulls.asked,
    disconnects: state.disconnects,
    whenDisconnected: (n) => state.disconnected.wait(n),
    whenChat: (n) => state.arrived.wait(n),
    loads: state.loads,
    violations: state.violations,
    close: () => stopServer(server),
  };
}

function stopServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

/** Lets tests wait for a numbered event without polling. */
class Milestones {
  private readonly reached = new Set<number>();
  private readonly waiting = new Map<number, (() => void)[]>();

  reach(n: number): void {
    this.reached.add(n);
    for (const resolve of this.waiting.get(n) ?? []) resolve();
  }

  wait(n: number): Promise<void> {
    if (this.reached.has(n)) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.set(n, [...(this.waiting.get(n) ?? []), resolve]);
    });
  }
}

class FakeState {
  readonly requests: string[] = [];
  readonly chats: string[] = [];
  readonly disconnects: number[] = [];
  readonly loads: string[] = [];
  readonly violations: string[] = [];
  readonly arrived = new Milestones();
  readonly disconnected = new Milestones();
  private loaded: { model: string; window: number; shift: boolean } | null = null;
  readonly pulls: FakePulls;
  private readonly models: FakeModel[];

  constructor(private readonly options: FakeOllamaOptions) {
    this.models = [...(options.models ?? DEFAULT_FAKE_MODELS)];
    const { library = {}, pullTrouble = () => null } = options;
    this.pulls = new FakePulls(library, pullTrouble);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = `${request.method} ${request.url}`;
    this.requests.push(route);
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    if (!(this.options.hostNames ?? LOOPBACK_NAMES).includes(host))
      return send(response, recorded('foreign_host'));
    const body = await readBody(request);
    const fixed = this.options.routes?.[route];
    if (fixed) return send(response, fixed);
    switch (route) {
      case 'GET /':
        return send(response, recorded('root'));
      case 'GET /api/version':
        return sendJson(response, 200, { version: this.era.version });
      case 'GET /api/tags':
        return sendJson(response, 200, { models: this.models.map((one) => this.tagOf(one)) });
      case 'GET /api/ps':
        return this.answerPs(response);
      case 'POST /api/show':
        return this.answerShow(body, response);
      case 'POST /api/pull': {
        const name = await this.pulls.answer(body, response);
        if (name !== null) this.models.push({ name });
        return;
      }
      case 'POST /api/chat':
        return this.answerChat(body, response);
      default:
        return send(response, {
          status: 404,
          body: '404 page not found',
          contentType: 'text/plain',
        });
    }
  }

  private answerPs(response: ServerResponse): void {
    const loaded = this.models.find((model) => model.name === this.loaded?.model);
    if (!loaded || !this.loaded) {
      send(response, recorded('ps_empty'));
      return;
    }
    const window = this.options.loadedWindow ?? this.loaded.window;
    sendJson(response, 200, { models: [{ ...this.tagOf(loaded), context_length: window }] });
  }

  private answerShow(body: string, response: ServerResponse): void {
    const name = String(JSON.parse(body).model);
    const model = findModel(this.models, name);
    if (!model) {
      sendJson(response, 404, { error: `model '${name}' not found` });
      return;
    }
    const show = JSON.parse(recorded('show').body);
    const architecture = model.family ?? show.model_info['general.architecture'];
    sendJson(response, 200, {
      ...show,
      details: {
        ...show.details,
        family: architecture,
        ...(model.parameterSize === undefined ? {} : { parameter_size: model.parameterSize }),
      },
      model_info: {
        'general.architecture': architecture,
        [`${architecture}.context_length`]: model.contextLength ?? 32768,
      },
      capabilities: model.capabilities ?? show.capabilities,
    });
  }

  private async answerChat(body: string, response: ServerResponse): Promise<void> {
    const early = briefAsked(body);
    if (early)
      return sendReply(response, early, { content: briefIn(textOf(early)), promptTokens: 100 });
    this.chats.push(body);
    const n = this.chats.length;
    response.once('close', () => {
      if (response.writableFinished) return;
      this.disconnects.push(n);
      this.disconnected.reach(n);
    });
    this.options.onChat?.(body, n);
    this.arrived.reach(n);
    const rules = (asked: ChatRequest) => this.rulesFor(asked);
    const { refusal, request, model } = refusalOf(body, this.models, rules);
    if (refusal) return send(response, inEra(refusal, this.era.badSchema));
    this.judge(request, model);
    if (!this.load(request)) await this.options.whileLoading?.();
    const read = whatIsRead(request, rules(request));
    const reply = (await this.options.script?.(read.request, n, body)) ?? { content: 'ok' };
    const callsIn = this.options.era ? { callsIn: this.era.callsIn } : {};
    const whole = { promptTokens: read.promptTokens, ...callsIn };
    // What waits in it is taken when it is reached, and not before.
    Object.defineProperties(whole, Object.getOwnPropertyDescriptors(reply));
    await sendReply(response, request, whole);
  }

  private rulesFor(request: ChatRequest): WindowRules {
    const { realWindow, enforceWindow, overflow = this.era.overflow } = this.options;
    const asked = request.options?.num_ctx ?? 4096;
    const window = realWindow ?? (enforceWindow ? asked : null);
    return { window, overflow };
  }

  private judge(request: ChatRequest, model: FakeModel): void {
    if (request.format !== undefined && request.tools?.length) {
      this.violations.push('format together with tools');
    }
    if (model.capabilities?.includes('thinking') && request.think === undefined) {
      this.violations.push('think left unset on a thinking model');
    }
    for (const switched of ['truncate', 'shift'] as const) {
      if (request[switched] !== false) this.violations.push(`${switched} left on`);
    }
  }

  /** True when the model is there already, as it is asked for. */
  private load(request: ChatRequest): boolean {
    const window = Math.max(256, request.options?.num_ctx ?? 4096);
    const wanted = { model: request.model, window, shift: request.shift ?? true };
    if (JSON.stringify(wanted) === JSON.stringify(this.loaded)) return true;
    this.loaded = wanted;
    this.loads.push(`${wanted.model} ${window} shift=${wanted.shift}`);
    return false;
  }

  private get era() {
    return ERAS[this.options.era ?? '0.33'];
  }

  private tagOf(model: FakeModel): object {
    const { capabilities, ...tag } = tagOf(model);
    return this.era.tagsHaveCapabilities ? { ...tag, capabilities } : tag;
  }
}

/** A schema without a grammar has words of its own in every era. */
const inEra = (refusal: Recorded, badSchema: Pick<Recorded, 'status' | 'body'> | null): Recorded =>
  badSchema && refusal.body.includes('Unable to generate parser')
    ? { ...refusal, ...badSchema }
    : refusal;

export const findModel = (models: readonly FakeModel[], name: string): FakeModel | undefined =>
  models.find((model) => model.name === name || model.name === `${name}:latest`);

const tagOf = (model: FakeModel) => ({
  name: model.name,
  model: model.name,
  modified_at: '2026-11-21T22:48:14.136558858Z',
  size: 491400218,
  digest: model.digest ?? 'ef0e9ff0a0ffc1497b40ccbb2d0c7256b4bbe5387814e89b77c5f0aa25807cba',
  details: {
    parent_model: '',
    format: 'gguf',
    family: model.family ?? 'qwen2',
    parameter_size: model.parameterSize ?? '1.5B',
    quantization_level: 'Q4_K_M',
  },
  // Even a model with tools says only this here.
  capabilities: model.capabilities?.includes('embedding') ? ['embedding'] : ['completion'],
});

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function send(
  response: ServerResponse,
  answer: { status: number; body: string; contentType?: string | null },
): void {
  response.writeHead(
    answer.status,
    answer.contentType ? { 'content-type': answer.contentType } : {},
  );
  response.end(answer.body);
}

const sendJson = (response: ServerResponse, status: number, value: unknown): void =>
  send(response, {
    status,
    body: JSON.stringify(value),
    contentType: 'application/json; charset=utf-8',
  });
