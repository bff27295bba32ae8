// A model that always thinks, behind the wire of Anthropic's API.
import { anthropicProvider } from '../../src/llm/anthropic/anthropic-provider.ts';
import type { Message } from '../../src/schema/model/messages.ts';
import type { JsonSchema, ModelRequest } from '../../src/schema/model/turn.ts';
import {
  type AnthropicBody,
  type AnthropicReply,
  CLAUDE,
  errorBody,
  startFakeAnthropic,
  wireModel,
} from './fake-anthropic.ts';
import { SENTENCES } from './fake-sentences.ts';
import { type HostedApi, keyIn, keysIn, type Trouble } from './hosted-api.ts';
import { planning, withConstants } from './models.ts';
import type { ScriptedReply } from './scripted-provider.ts';

const SAYS = SENTENCES.anthropic;

type Block = AnthropicBody['messages'][number]['content'][number];

const TROUBLES: { readonly [T in Trouble]: AnthropicReply } = {
  'expired key': {
    error: { status: 401, body: errorBody('authentication_error', SAYS['expired key']) },
  },
  'rate limited': {
    error: {
      status: 429,
      body: errorBody('rate_limit_error', SAYS['rate limited']),
      headers: { 'retry-after': '2' },
    },
  },
  'server error': { error: { status: 529, body: errorBody('overloaded_error', SAYS.overloaded) } },
  'connection reset': { cut: 'before headers' },
  'cut midway': { content: 'half', cut: 'after content' },
  'falls silent midway': { content: 'half', endAfter: new Promise<never>(() => undefined) },
  'error event': { content: 'half', errorEvent: errorBody('overloaded_error', SAYS.overloaded) },
  'no end': { content: 'half', noStop: true },
  'call cut off by the limit': {
    blocks: [
      { type: 'tool_use', id: 'toolu_cut', name: 'write_file', input: '{"path":"hello.mjs"' },
    ],
    stopReason: 'max_tokens',
  },
};

const THOUGHTLESS: AnthropicReply = {
  error: {
    status: 400,
    body: errorBody('invalid_request_error', SAYS['thoughts left out']),
  },
};

/** Calls are taken back only with the thoughts that led to them. */
const hasItsThoughts = ({ content }: AnthropicBody['messages'][number]): boolean =>
  content[0]?.type === 'thinking' || content.every(({ type }) => type !== 'tool_use');

export const ANTHROPIC: HostedApi = {
  name: 'anthropic',
  model: CLAUDE,
  keyVariable: 'ANTHROPIC_API_KEY',
  urlVariable: 'ANTHROPIC_BASE_URL',
  async serve(script, { onlyKey, trouble, usage } = {}) {
    const server = await startFakeAnthropic({
      ...(onlyKey === undefined ? {} : { apiKey: onlyKey }),
      models: [wireModel(CLAUDE, { thinking: 'always' })],
      script: (body, n, headers) => {
        const met = trouble?.(n, keyIn(headers)) ?? null;
        if (met !== null) return TROUBLES[met];
        if (!body.messages.every(hasItsThoughts)) return THOUGHTLESS;
        const reply = wireReply(planning(script)(neutral(body), n), schemaOf(body).isWrapped, n);
        return usage
          ? { ...reply, usage: { ...usage, output_tokens: 1 }, lastUsage: usage }
          : reply;
      },
    });
    const { url, raw, headers, close } = server;
    return { url, asked: raw, keys: () => keysIn(headers), close };
  },
  provider: ({ url }, key, clock) => anthropicProvider({ apiKey: key, baseUrl: url, clock }),
  partsOf(raw) {
    const { system = [], messages }: AnthropicBody = JSON.parse(raw);
    const turns = [{ role: 'system', content: system }, ...messages];
    return turns.flatMap(({ role, content }) =>
      content.map((block) => `${role} ${JSON.stringify({ ...block, cache_control: undefined })}`),
    );
  },
};

function neutral(body: AnthropicBody): ModelRequest {
  const { model, system = [], messages, tools = [], tool_choice } = body;
  const { schema } = schemaOf(body);
  return {
    model,
    messages: [
      ...system.map((block) => ({ role: 'system', content: block.text ?? '' })),
      ...messages.flatMap(({ role, content }) => {
        return role === 'assistant' ? [answerOf(content)] : content.map(wordsOf);
      }),
    ],
    ...(tools.length > 0 && tool_choice === undefined ? { tools } : {}),
    ...(schema === null ? {} : { responseSchema: withConstants(schema) }),
  } as unknown as ModelRequest;
}

/** A choice between several is put into an object with one field. */
function schemaOf({ output_config }: AnthropicBody): {
  readonly schema: JsonSchema | null;
  readonly isWrapped: boolean;
} {
  const schema = output_config?.format.schema ?? null;
  const fields = (schema?.properties ?? {}) as Record<string, JsonSchema>;
  const isWrapped = Object.keys(fields).join() === 'answer' && fields.answer?.anyOf !== undefined;
  return { schema: isWrapped ? (fields.answer ?? null) : schema, isWrapped };
}

const answerOf = (blocks: readonly Block[]): Message => ({
  role: 'assistant',
  content: blocks.map(({ text = '' }) => text).join(''),
  toolCalls: blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id = '', name = '', input }) => ({
      id,
      name,
      args: input as Record<string, unknown>,
    })),
});

const wordsOf = (block: Block): Message =>
  block.type === 'tool_result'
    ? {
        role: 'tool',
        toolCallId: block.tool_use_id ?? '',
        toolName: '',
        content: String(block.content),
      }
    : { role: 'user', content: block.text ?? '' };

function wireReply({ text, calls = [] }: ScriptedReply, isWrapped: boolean, n: number) {
  const words = isWrapped ? `{"answer":${text}}` : text;
  const thinking = `This is step ${n}.`;
  return {
    blocks: [
      { type: 'thinking', thinking, signature: `signed(${thinking})` },
      ...(words ? [{ type: 'text', text: words }] : []),
      ...calls.map(({ name, args }, index) => ({
        type: 'tool_use',
        id: `toolu_${n}_${index}`,
        name,
        input: args,
      })),
    ],
  };
}
