// Models that answer over Ollama's wire; what they go by in a request is said in `models.ts`.

import type { JsonSchema, ModelRequest } from '../../src/schema/model/turn.ts';
import type { ToolMode } from '../../src/schema/records.ts';
import {
  type ChatRequest,
  type FakeOllama,
  type FakeOllamaOptions,
  type Reply,
  startFakeOllama,
} from './fake-ollama.ts';
import { type PlannedWork, planning, wantedBy, withConstants, workingModel } from './models.ts';
import type { Script } from './scripted-provider.ts';

export const MODEL = 'qwen2.5-coder:1.5b';
export const MODES: readonly ToolMode[] = ['native', 'json'];

export type Answer = (request: ChatRequest, n: number) => Reply;

/** A model at its work behind the wire. */
export const worker = (work: PlannedWork): Answer => overOllama(workingModel(work));

/** A scripted model behind the wire. */
export function overOllama(script: Script): Answer {
  return (request, n) => {
    const { text = '', calls = [] } = planning(script)(asModelRequest(request), n);
    const toolCalls = calls.map(({ name, args }) => ({ name, arguments: args }));
    return { content: text, ...(toolCalls.length > 0 ? { toolCalls } : {}) };
  };
}

export const isAskedForPlan = (request: ChatRequest): boolean =>
  wantedBy(asModelRequest(request)) === 'plan';

/** Plans as asked, then calls the one tool again and again. */
export const stubbornCaller =
  (work: PlannedWork, name: string, args: Record<string, unknown>): Answer =>
  (request, n) =>
    isAskedForPlan(request) ? worker(work)(request, n) : { toolCalls: [{ name, arguments: args }] };

export const serve = (
  script: Answer,
  options: Omit<FakeOllamaOptions, 'script'> = {},
): Promise<FakeOllama> => startFakeOllama({ ...options, script });

/** How often a plan was asked for, over all requests of a server. */
export const plansAsked = (server: FakeOllama): number =>
  server.chats.filter((body) => isAskedForPlan(JSON.parse(body))).length;

function asModelRequest(request: ChatRequest): ModelRequest {
  const schema = request.format as JsonSchema | undefined;
  return {
    model: request.model,
    messages: request.messages,
    ...(request.tools ? { tools: request.tools } : {}),
    ...(schema === undefined ? {} : { responseSchema: withConstants(schema) }),
  } as unknown as ModelRequest;
}
