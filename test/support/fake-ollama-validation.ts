// What a real Ollama refuses before a model is asked, with the words it was recorded with.
import type { FakeModel } from './fake-ollama.ts';
import { type Recorded, recorded, recordedFor } from './fake-ollama-recordings.ts';

export interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly think?: boolean | string;
  readonly truncate?: boolean;
  readonly shift?: boolean;
  readonly keep_alive?: string | number;
  readonly options?: {
    readonly num_ctx?: number;
    readonly num_predict?: number;
    readonly temperature?: number;
    readonly seed?: number;
  };
  readonly format?: unknown;
  readonly tools?: readonly { function: { name: string; parameters?: { properties?: unknown } } }[];
  readonly messages: readonly {
    readonly role: string;
    readonly content: string;
    readonly thinking?: string;
    readonly tool_name?: string;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly {
      readonly id?: string;
      readonly function: {
        readonly index?: number;
        readonly name: string;
        readonly arguments: unknown;
      };
    }[];
  }[];
}

/**
 * What happens to a prompt that does not fit. `400 text`: up to 0.24, asked not to truncate;
 * `400 nested`: since 0.30; `halve` and `drop`: the text is cut, or whole messages are left out, and
 * nobody says so.
 */
export type Overflow = '400 text' | '400 nested' | 'halve' | 'drop';

export interface WindowRules {
  /** Tokens; `null`: prompts of any length fit. */
  readonly window: number | null;
  readonly overflow: Overflow;
}

interface Validated {
  readonly refusal: Recorded | null;
  readonly request: ChatRequest;
  readonly model: FakeModel;
}

export function refusalOf(
  body: string,
  models: readonly FakeModel[],
  rules: (request: ChatRequest) => WindowRules,
): Validated {
  const nothing: ChatRequest = { model: '', messages: [] };
  const refuse = (refusal: Recorded): Validated => ({
    refusal,
    request: nothing,
    model: { name: '' },
  });
  if (body === '') return refuse(recorded('chat_empty_body'));
  let request: ChatRequest;
  try {
    request = JSON.parse(body);
  } catch {
    return refuse(recorded('chat_bad_json'));
  }
  if (!request.model) return refuse(recorded('chat_empty_model'));
  const model = models.find(
    ({ name }) => name === request.model || name === `${request.model}:latest`,
  );
  if (!model) return refuse(recordedFor('chat_missing_model', 'nope:1b', request.model));
  const refusal = badContent(request) ?? badForModel(request, model) ?? badOptions(request);
  if (refusal) return refuse(refusal);
  return { refusal: overflowOf(request, rules(request)), request, model };
}

function badContent(request: ChatRequest): Recorded | null {
  for (const message of request.messages) {
    if (typeof message.content !== 'string') return recorded('chat_content_array');
    for (const call of message.tool_calls ?? []) {
      if (typeof call.function.arguments === 'string') return recorded('chat_arguments_string');
    }
  }
  for (const tool of request.tools ?? []) {
    const properties = tool.function.parameters?.properties;
    if (properties !== undefined && (typeof properties !== 'object' || Array.isArray(properties))) {
      return {
        status: 400,
        contentType: 'application/json; charset=utf-8',
        body: '{"error":"json: cannot unmarshal array into Go struct field ChatRequest.tools.function.parameters.properties of type api.ToolPropertiesMap"}',
      };
    }
  }
  return null;
}

function badForModel(request: ChatRequest, model: FakeModel): Recorded | null {
  const capabilities = model.capabilities ?? ['tools', 'completion'];
  if (request.tools?.length && !capabilities.includes('tools')) {
    return recordedFor('chat_tools_unsupported', 'smollm2:135m', model.name);
  }
  if (request.think && !capabilities.includes('thinking')) {
    return recordedFor('chat_think_unsupported', 'qwen2.5-coder:0.5b', model.name);
  }
  return null;
}

function badOptions(request: ChatRequest): Recorded | null {
  const window: unknown = request.options?.num_ctx;
  if (window !== undefined && typeof window !== 'number') return recorded('options_wrong_type');
  const { format } = request;
  if (typeof format === 'string' && format !== 'json') return recorded('chat_format_bad');
  const text = JSON.stringify(format ?? '');
  if (text.includes('"$ref":"#"')) return recorded('chat_format_ref_root');
  if (/"pattern":"(?!\^)/.test(text)) return recorded('chat_format_bad_pattern');
  return null;
}

/** About four characters a token, as a server counts English text and code. */
export const countTokens = (request: ChatRequest): number =>
  Math.ceil(JSON.stringify([request.messages, request.tools ?? []]).length / 4);

/** The same of some messages of a request, whose own texts are counted once. */
function tokenCounter({ messages, tools }: ChatRequest) {
  const lengths = new Map(messages.map((one) => [one, JSON.stringify(one).length]));
  const around = JSON.stringify([[], tools ?? []]).length;
  return (some: ChatRequest['messages']): number => {
    const commas = Math.max(0, some.length - 1);
    const length = some.reduce((sum, one) => sum + (lengths.get(one) ?? 0), around + commas);
    return Math.ceil(length / 4);
  };
}

function overflowOf(request: ChatRequest, { window, overflow }: WindowRules): Recorded | null {
  const tokens = countTokens(request);
  if (window === null || tokens < window || !overflow.startsWith('400')) return null;
  const answer = recorded('overflow_truncate_false');
  const body =
    overflow === '400 text'
      ? '{"error":"the input length exceeds the context length"}'
      : answer.body.replaceAll('2030', String(tokens)).replaceAll('512', String(window));
  return { ...answer, body };
}

/** What a server that shortens without a word reads of a request, and how much it says it read. */
export function whatIsRead(
  request: ChatRequest,
  { window, overflow }: WindowRules,
): { readonly request: ChatRequest; readonly promptTokens: number } {
  const tokens = countTokens(request);
  if (window === null || tokens < window) return { request, promptTokens: tokens };
  if (overflow === 'halve') return { request, promptTokens: window - Math.floor((window - 4) / 2) };
  const { messages } = request;
  const system = messages.filter(({ role }) => role === 'system');
  const tokensOf = tokenCounter(request);
  for (let from = system.length; from < messages.length; from += 1) {
    const rest = { ...request, messages: [...system, ...messages.slice(from)] };
    const promptTokens = tokensOf(rest.messages);
    if (promptTokens < window || from === messages.length - 1)
      return { request: rest, promptTokens };
  }
  return { request, promptTokens: tokens };
}
