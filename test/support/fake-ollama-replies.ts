// How a scripted reply goes over the wire: every shape and every accident seen on real servers.
import type { ServerResponse } from 'node:http';
import { type RecordingName, recorded } from './fake-ollama-recordings.ts';
import { type ChatRequest, countTokens } from './fake-ollama-validation.ts';

export interface FakeCall {
  readonly name: string;
  readonly arguments: unknown;
  /** `null`: none, as before 0.12.10; left out: `call_` and eight characters. */
  readonly id?: string | null;
  /** Left out before 0.12.6 when 0. */
  readonly withoutIndex?: boolean;
}

export interface Reply {
  readonly content?: string;
  readonly thinking?: string;
  readonly toolCalls?: readonly FakeCall[];
  /** `middle`: a chunk for each call, as rendered templates do; `final`: all in the `done` chunk. */
  readonly callsIn?: 'middle' | 'final';
  readonly doneReason?: string;
  /** The stream simply ends. */
  readonly noDone?: boolean;
  /** Counts and times are left out, as when they are zero. */
  readonly noMetrics?: boolean;
  readonly promptTokens?: number;
  readonly outputTokens?: number;
  /** Characters a chunk of text holds. */
  readonly pieceLength?: number;
  /** The calls stand in the chunk that ends the text. */
  readonly callsWithContent?: boolean;
  /** A real status instead of an answer. */
  readonly error?: {
    readonly status: number;
    readonly body: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** After the content, a last line `{"error": …}`. */
  readonly errorLine?: string;
  /** The body a real server sent. */
  readonly recorded?: RecordingName;
  /** Raw bytes of the stream. */
  readonly raw?: string;
  /** Waited for before the headers, as for a model that loads. */
  readonly beforeHeaders?: Promise<void>;
  /** Waited for behind the headers, as where a proxy sends them at once. */
  readonly beforeBody?: Promise<void>;
  readonly delayHeadersMs?: number;
  /** Waited for after the content and before the end. */
  readonly beforeEnd?: Promise<void>;
  /** Milliseconds between chunks. */
  readonly chunkDelayMs?: number;
  /** Waited for when this many chunks of the answer are sent. */
  readonly holdAfter?: { readonly chunks: number; readonly until: Promise<void> };
  /** The socket is destroyed: before the headers, or after the content. */
  readonly cut?: 'before headers' | 'after content';
}

export async function sendReply(
  response: ServerResponse,
  request: ChatRequest,
  reply: Reply,
): Promise<void> {
  await reply.beforeHeaders;
  if (reply.delayHeadersMs) await delay(reply.delayHeadersMs);
  if (reply.cut === 'before headers') return void response.socket?.destroy();
  if (reply.error) {
    response.writeHead(reply.error.status, {
      'content-type': 'application/json; charset=utf-8',
      ...reply.error.headers,
    });
    return void response.end(reply.error.body);
  }
  if (reply.recorded) {
    const answer = recorded(reply.recorded);
    response.writeHead(
      answer.status,
      answer.contentType ? { 'content-type': answer.contentType } : {},
    );
    return void response.end(answer.body);
  }
  if (request.stream === false) {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    return void response.end(JSON.stringify(wholeAnswer(request, reply)));
  }
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  if (reply.beforeBody) response.flushHeaders();
  await reply.beforeBody;
  if (reply.raw !== undefined) return void response.end(reply.raw);
  let sent = 0;
  for (const chunk of chunksOf(request, reply)) {
    if (sent === reply.holdAfter?.chunks) await reply.holdAfter.until;
    sent += 1;
    response.write(`${JSON.stringify(chunk)}\n`);
    if (reply.chunkDelayMs) await delay(reply.chunkDelayMs);
    if (response.destroyed) return;
  }
  await reply.beforeEnd;
  if (reply.cut === 'after content') return void response.socket?.destroySoon();
  if (reply.errorLine !== undefined) {
    return void response.end(`${JSON.stringify({ error: reply.errorLine })}\n`);
  }
  response.end(reply.noDone ? '' : `${JSON.stringify(finalChunk(request, reply))}\n`);
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const CREATED_AT = '2026-11-21T22:49:21.509466558Z';

const chunk = (request: ChatRequest, message: object, done: boolean) => ({
  model: request.model,
  created_at: CREATED_AT,
  message: { role: 'assistant', content: '', ...message },
  done,
});

function* chunksOf(request: ChatRequest, reply: Reply): Generator<object> {
  const length = reply.pieceLength ?? 12;
  // A model that thinks does so unless it is told not to.
  for (const thinking of request.think === false ? [] : pieces(reply.thinking ?? '', length)) {
    yield chunk(request, { thinking }, false);
  }
  const texts = pieces(reply.content ?? '', length);
  const last = reply.callsWithContent ? texts.pop() : undefined;
  for (const content of texts) yield chunk(request, { content }, false);
  if (last !== undefined)
    yield chunk(request, { content: last, tool_calls: wireCalls(reply) }, false);
  if (reply.callsIn === 'final' || last !== undefined) return;
  for (const call of wireCalls(reply)) yield chunk(request, { tool_calls: [call] }, false);
}

function finalChunk(request: ChatRequest, reply: Reply): object {
  const calls =
    reply.callsIn === 'final' && !reply.callsWithContent ? { tool_calls: wireCalls(reply) } : {};
  return {
    ...chunk(request, calls, true),
    done_reason: reply.doneReason ?? 'stop',
    ...(reply.noMetrics ? {} : metrics(request, reply)),
  };
}

function wholeAnswer(request: ChatRequest, reply: Reply): object {
  const message = {
    content: reply.content ?? '',
    ...(reply.thinking && request.think !== false ? { thinking: reply.thinking } : {}),
    ...(reply.toolCalls ? { tool_calls: wireCalls(reply) } : {}),
  };
  return {
    ...chunk(request, message, true),
    done_reason: reply.doneReason ?? 'stop',
    ...(reply.noMetrics ? {} : metrics(request, reply)),
  };
}

const metrics = (request: ChatRequest, reply: Reply) => ({
  total_duration: 4_883_583_458,
  load_duration: 1_334_875,
  prompt_eval_count: reply.promptTokens ?? countTokens(request),
  prompt_eval_duration: 342_546_000,
  eval_count: reply.outputTokens ?? Math.ceil((reply.content ?? '').length / 4) + 1,
  eval_duration: 535_599_000,
});

const wireCalls = (reply: Reply): object[] =>
  (reply.toolCalls ?? []).map((call, index) => ({
    ...(call.id === null ? {} : { id: call.id ?? `call_fake000${index + 1}` }),
    function: {
      ...(call.withoutIndex ? {} : { index }),
      name: call.name,
      arguments: call.arguments,
    },
  }));

function pieces(text: string, length: number): string[] {
  const characters = [...text];
  const result: string[] = [];
  for (let start = 0; start < characters.length; start += length) {
    result.push(characters.slice(start, start + length).join(''));
  }
  return result;
}
