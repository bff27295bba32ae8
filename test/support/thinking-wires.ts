/** A model that thinks, behind each of the three wires: one script, and what stood on the wire. */
import { anthropicProvider } from '../../src/llm/anthropic/anthropic-provider.ts';
import { ollamaProvider } from '../../src/llm/ollama/ollama-provider.ts';
import { openAiProvider } from '../../src/llm/openai/openai-provider.ts';
import type { Provider } from '../../src/llm/provider.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { type AnthropicBody, CLAUDE, startFakeAnthropic, wireModel } from './fake-anthropic.ts';
import { startFakeOllama } from './fake-ollama.ts';
import { startFakeOpenAi } from './fake-openai.ts';
import { callDeltas, chunk, DONE, event, opening, usageChunk } from './fake-openai-bodies.ts';
import type { ScriptedReply } from './scripted-provider.ts';

export interface Thought extends ScriptedReply {
  readonly thinks: string;
}

/** What a script may look at: the words of the conversation, the tools, and the room of the answer. */
export type Asked = Pick<ModelRequest, 'messages' | 'tools' | 'maxOutputTokens'>;

export interface ThinkingServer {
  provider(): Provider;
  /** Bodies of the requests, parsed. */
  bodies(): readonly Body[];
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: three wires, each with a form of its own
type Body = any;

export interface ThinkingWire {
  readonly name: string;
  readonly model: string;
  serve(script: (asked: Asked) => Thought): Promise<ThinkingServer>;
  /** The room that a request asks for, thoughts included. */
  roomIn(body: Body): number;
  effortIn(body: Body): unknown;
  /** What of its thoughts the model is given back, as it stands there. */
  thoughtsIn(body: Body): readonly unknown[];
  /** The thought as it is to come back. */
  signed(thinks: string): unknown;
  /** Whether the server tells thoughts apart from the answer when it counts. */
  readonly countsThoughts: boolean;
}

/** Of each answer; on Ollama they are part of what it calls the answer. */
export const THOUGHT_TOKENS = 70;
export const ANSWER_TOKENS = 30;

/** Tools without the wrapping that two of the wires give them. */
const plain = (tools: Body): unknown => tools?.map(({ function: tool }: Body) => tool);

const OLLAMA: ThinkingWire = {
  name: 'ollama',
  model: 'gpt-oss:20b',
  countsThoughts: false,
  async serve(script) {
    const capabilities = ['completion', 'tools', 'thinking'];
    const model = { name: 'gpt-oss:20b', capabilities, family: 'gptoss', contextLength: 131_072 };
    const server = await startFakeOllama({
      models: [{ ...model, parameterSize: '20.9B' }],
      script: ({ messages, tools, options }) => {
        const maxOutputTokens = (options as { readonly num_predict: number }).num_predict;
        const reply = script({
          messages,
          tools: plain(tools),
          maxOutputTokens,
        } as unknown as Asked);
        return {
          thinking: reply.thinks,
          outputTokens: THOUGHT_TOKENS + ANSWER_TOKENS,
          ...(reply.text === undefined ? {} : { content: reply.text }),
          toolCalls: (reply.calls ?? []).map(({ name, args }) => ({ name, arguments: args })),
          ...(reply.isCutOff ? { doneReason: 'length' } : {}),
        };
      },
    });
    return {
      provider: () => ollamaProvider({ host: server.url }),
      bodies: () => server.chats.map((body) => JSON.parse(body)),
      close: server.close,
    };
  },
  roomIn: ({ options }) => options.num_predict,
  effortIn: ({ think }) => think,
  thoughtsIn: ({ messages }) => messages.flatMap((one: Body) => one.thinking ?? []),
  signed: (thinks) => thinks,
};

const OPENAI: ThinkingWire = {
  name: 'openai',
  model: 'thinker',
  countsThoughts: true,
  async serve(script) {
    const server = await startFakeOpenAi({
      pages: {
        '/v1/models': { object: 'list', data: [{ id: 'thinker', max_model_len: 32_768 }] },
      },
      script: (request, n) => {
        const body = request as Body;
        const maxOutputTokens = OPENAI.roomIn(body);
        const reply = script({ ...body, tools: plain(body.tools), maxOutputTokens } as Asked);
        return { stream: openAiStream(reply, n) };
      },
    });
    return {
      provider: () => openAiProvider({ apiKey: 'sk-not-a-key', baseUrl: server.url }),
      bodies: () => server.chats.map((body) => JSON.parse(body)),
      close: server.close,
    };
  },
  roomIn: ({ max_tokens, max_completion_tokens }) => max_tokens ?? max_completion_tokens,
  effortIn: ({ reasoning_effort }) => reasoning_effort,
  thoughtsIn: ({ messages }) => messages.flatMap((one: Body) => one.reasoning_details ?? []),
  signed: (thinks) => ({ type: 'reasoning.encrypted', index: 0, data: `sealed(${thinks})` }),
};

function openAiStream({ thinks, text = '', calls = [], isCutOff }: Thought, n: number): string {
  const counts = {
    prompt_tokens: 100,
    completion_tokens: THOUGHT_TOKENS + ANSWER_TOKENS,
    total_tokens: 100 + THOUGHT_TOKENS + ANSWER_TOKENS,
    completion_tokens_details: { reasoning_tokens: THOUGHT_TOKENS },
  };
  const made = calls.flatMap(({ name, args }, index) =>
    callDeltas(index, { id: `call_${n}_${index}`, name, args }),
  );
  const reason = isCutOff ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  return [
    event(opening()),
    event(chunk({ reasoning_details: [OPENAI.signed(thinks)] })),
    ...(text === '' ? [] : [event(chunk({ content: text }))]),
    ...made.map((delta) => event(chunk(delta))),
    event(chunk({}, reason)),
    event(usageChunk(counts)),
    DONE,
  ].join('');
}

const ANTHROPIC: ThinkingWire = {
  name: 'anthropic',
  model: CLAUDE,
  countsThoughts: true,
  async serve(script) {
    const server = await startFakeAnthropic({
      models: [wireModel(CLAUDE, { thinking: 'always' }, { max_input_tokens: 32_768 })],
      script: (body, n) => {
        const reply = script(askedOf(body));
        const calls = (reply.calls ?? []).map(({ name, args }, index) => ({
          ...{ type: 'tool_use', id: `toolu_${n}_${index}`, name, input: args },
        }));
        const lastUsage = {
          output_tokens: THOUGHT_TOKENS + ANSWER_TOKENS,
          output_tokens_details: { thinking_tokens: THOUGHT_TOKENS },
        };
        return {
          blocks: [
            ANTHROPIC.signed(reply.thinks) as { readonly type: string },
            ...(reply.text ? [{ type: 'text', text: wrapped(reply.text, body) }] : []),
            ...calls,
          ],
          lastUsage,
          ...(reply.isCutOff ? { stopReason: 'max_tokens' } : {}),
        };
      },
    });
    return {
      provider: () => anthropicProvider({ apiKey: 'sk-not-a-key', baseUrl: server.url }),
      bodies: () => server.raw.map((body) => JSON.parse(body)),
      close: server.close,
    };
  },
  roomIn: ({ max_tokens }) => max_tokens,
  effortIn: ({ output_config }) => output_config?.effort,
  thoughtsIn: ({ messages }) =>
    messages.flatMap(({ content }: Body) =>
      content.filter(({ type }: Body) => type === 'thinking').map(withoutMark),
    ),
  signed: (thinking) => ({ type: 'thinking', thinking, signature: `signed(${thinking})` }),
};

const withoutMark = ({ cache_control: _mark, ...block }: Body): unknown => block;

/** A choice between several is put into an object with one field. */
function wrapped(text: string, { output_config }: AnthropicBody): string {
  const fields = (output_config?.format?.schema?.properties ?? {}) as Record<string, unknown>;
  return Object.keys(fields).join() === 'answer' ? `{"answer":${text}}` : text;
}

/** Of a body the words alone, with the names of the calls. */
function askedOf({ messages, tools, max_tokens }: AnthropicBody): Asked {
  const words = messages.flatMap(({ role, content }) =>
    content.map((block: Body) => ({
      role: block.type === 'tool_result' ? 'tool' : role,
      content: block.text ?? String(block.content ?? ''),
      toolCalls: block.type === 'tool_use' ? [{ name: block.name }] : [],
    })),
  );
  return { messages: words, tools, maxOutputTokens: max_tokens } as unknown as Asked;
}

export const THINKING_WIRES: readonly ThinkingWire[] = [OLLAMA, OPENAI, ANTHROPIC];
