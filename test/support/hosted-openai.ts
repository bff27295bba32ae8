// A model behind the wire of OpenAI and of all that follow it.
import { openAiProvider } from '../../src/llm/openai/openai-provider.ts';
import type { JsonSchema, ModelRequest } from '../../src/schema/model/turn.ts';
import { type ChatRequest, type OpenAiReply, startFakeOpenAi } from './fake-openai.ts';
import {
  callDelta,
  callDeltas,
  chunk,
  closing,
  DONE,
  event,
  midStream,
  openAiError,
  opening,
  saying,
} from './fake-openai-bodies.ts';
import { SENTENCES } from './fake-sentences.ts';
import { type HostedApi, keyIn, keysIn, type Trouble } from './hosted-api.ts';
import { planning, withConstants } from './models.ts';
import type { ScriptedReply } from './scripted-provider.ts';

const SAYS = SENTENCES.openai;
const MODEL = 'qwen2.5-coder-1.5b-instruct';

const TROUBLES: { readonly [T in Trouble]: OpenAiReply } = {
  'expired key': openAiError(401, SAYS['expired key'], 'invalid_api_key'),
  'rate limited': openAiError(429, SAYS['rate limited'], 'rate_limit_exceeded', {
    headers: { 'retry-after': '2' },
  }),
  'server error': openAiError(500, SAYS['server error'], null, { type: 'server_error' }),
  'connection reset': { cut: 'before headers' },
  'cut midway': { ...midStream(), isCut: true },
  'falls silent midway': { ...midStream(), beforeEnd: new Promise<never>(() => undefined) },
  'error event': midStream({
    error: { message: SAYS['server error'], type: 'server_error', param: null, code: null },
  }),
  'no end': midStream(),
  'call cut off by the limit': {
    stream: [
      event(
        chunk(
          callDelta({
            index: 0,
            id: 'call_cut',
            name: 'write_file',
            arguments: '{"path":"hello.mjs"',
          }),
        ),
      ),
      event(chunk({}, 'length')),
      DONE,
    ],
  },
};

const UNANSWERED = openAiError(400, SAYS['calls without results']);

/** Every call has its result right behind it, and every result its call. */
function isAnswered({ messages }: ChatRequest): boolean {
  let open: readonly unknown[] = [];
  for (const { role, tool_call_id, tool_calls = [] } of messages) {
    if (role === 'tool' ? !open.includes(tool_call_id) : open.length > 0) return false;
    open =
      role === 'tool'
        ? open.filter((id) => id !== tool_call_id)
        : (tool_calls as readonly WireCall[]).map(({ id }) => id);
  }
  return open.length === 0;
}

export const OPENAI: HostedApi = {
  name: 'openai',
  model: MODEL,
  keyVariable: 'OPENAI_API_KEY',
  urlVariable: 'OPENAI_BASE_URL',
  async serve(script, { onlyKey, trouble } = {}) {
    const server = await startFakeOpenAi({
      ...(onlyKey === undefined ? {} : { apiKey: onlyKey }),
      pages: {
        '/v1/models': {
          object: 'list',
          data: [{ id: MODEL, object: 'model', max_model_len: 32768 }],
        },
      },
      script: (request, n, headers) => {
        const met = trouble?.(n, keyIn(headers)) ?? null;
        if (!isAnswered(request)) return UNANSWERED;
        return met === null ? wireReply(planning(script)(neutral(request), n), n) : TROUBLES[met];
      },
    });
    const { url, chats, headers, close } = server;
    return { url, asked: chats, keys: () => keysIn(headers), close };
  },
  provider: ({ url }, key, clock) => openAiProvider({ apiKey: key, baseUrl: url, clock }),
  partsOf(raw) {
    const { messages }: ChatRequest = JSON.parse(raw);
    return messages.map((message) => JSON.stringify(message));
  },
};

interface WireCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

function neutral(request: ChatRequest): ModelRequest {
  const {
    model,
    messages,
    tools,
    response_format: format,
  } = request as ChatRequest & {
    readonly response_format?: { readonly json_schema: { readonly schema: JsonSchema } };
  };
  return {
    model,
    messages: messages.map(({ tool_call_id, tool_calls = [], ...message }) => ({
      ...message,
      toolCallId: tool_call_id,
      toolCalls: (tool_calls as readonly WireCall[]).map(
        ({ id, function: { name, arguments: args } }) => ({
          id,
          name,
          args: JSON.parse(args),
        }),
      ),
    })),
    ...(tools === undefined ? {} : { tools }),
    ...(format === undefined ? {} : { responseSchema: withConstants(format.json_schema.schema) }),
  } as unknown as ModelRequest;
}

function wireReply({ text = '', calls = [] }: ScriptedReply, n: number): OpenAiReply {
  if (calls.length === 0) return { stream: saying(text) };
  const deltas = calls.flatMap(({ name, args }, index) =>
    callDeltas(index, { id: `call_${n}_${index}`, name, args }),
  );
  return {
    stream: [
      event(opening()),
      ...(text ? [event(chunk({ content: text }))] : []),
      ...deltas.map((delta) => event(chunk(delta))),
      closing('tool_calls'),
    ],
  };
}
