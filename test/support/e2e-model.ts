// Models that answer over Ollama's wire; what they go by in a request is said in `models.ts`.
import type { ToolMode } from '../../src/schema/records.ts';
import type { JsonSchema, ModelRequest } from '../../src/schema/turn.ts';
import {
  type ChatRequest,
  type FakeOllama,
  type FakeOllamaOptions,
  type Reply,
  startFakeOllama,
} from './fake-ollama.ts';
import { diligentModel, type PlannedWork, wantedBy } from './models.ts';
import type { Script } from './scripted-provider.ts';

export const MODEL = 'qwen2.5-coder:1.5b';
export const MODES: readonly ToolMode[] = ['native', 'json'];

export type Answer = (request: ChatRequest, n: number) => Reply;

/** Follows its plan to the letter; asked what a user would type, it types what its plan says. */
export const worker = (work: PlannedWork): Answer =>
  overOllama((request, n) => {
    const reply = diligentModel(work)(request, n);
    const text = typeof reply === 'string' ? reply : reply.text;
    if (wantedBy(request) !== 'action' || text === undefined) return reply;
    const answer = JSON.parse(text);
    return 'stdin' in answer
      ? JSON.stringify({ ...answer, stdin: work.verify?.stdin ?? '' })
      : reply;
  });

/** A scripted model behind the wire. */
export function overOllama(script: Script): Answer {
  return (request, n) => {
    const said = script(asModelRequest(request), n);
    const { text = '', calls = [] } = typeof said === 'string' ? { text: said } : said;
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

/** On the wire a constant is a list of one. */
function withConstants(schema: JsonSchema): JsonSchema {
  const anyOf = schema.anyOf as readonly JsonSchema[] | undefined;
  if (anyOf) return { ...schema, anyOf: anyOf.map(withConstants) };
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return {
    ...schema,
    properties: Object.fromEntries(
      properties.map(([name, property]) => {
        const values = property.enum as readonly unknown[] | undefined;
        const isConstant = name !== 'file' && values?.length === 1;
        return [name, isConstant ? { const: values[0] } : property];
      }),
    ),
  };
}
