// Bodies of OpenAI-compatible servers: streams as they come, and errors in each server's dialect.

export interface Failure {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const failing = (status: number, body: unknown, headers?: Record<string, string>): Failure => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...(headers ? { headers } : {}),
});

/** OpenAI, Ollama's /v1: message, type, param, code. */
export const openAiError = (
  status: number,
  message: string,
  code: string | null = null,
  rest: { type?: string; param?: string; headers?: Record<string, string> } = {},
): Failure =>
  failing(
    status,
    {
      error: {
        message,
        type: rest.type ?? 'invalid_request_error',
        param: rest.param ?? null,
        code,
      },
    },
    rest.headers,
  );

export const llamaCppError = (code: number, message: string, type: string): Failure =>
  failing(code, { error: { code, message, type } });

export const vllmError = (code: number, message: string, type = 'BadRequestError'): Failure =>
  failing(code, { error: { message, type, param: null, code } });

/** vLLM before it wrapped its errors. */
export const flatError = (code: number, message: string): Failure =>
  failing(code, { object: 'error', message, type: 'BadRequestError', param: null, code });

/** `status` is HTTP's, which may be 200 though `code` is not. */
export const openRouterError = (
  status: number,
  code: number,
  message: string,
  rest: { metadata?: Record<string, unknown>; headers?: Record<string, string> } = {},
): Failure =>
  failing(
    status,
    { error: { code, message, ...(rest.metadata ? { metadata: rest.metadata } : {}) } },
    rest.headers,
  );

/** LM Studio says it in one string. */
export const plainError = (status: number, message: string): Failure =>
  failing(status, { error: message });

export const fastApiError = (status: number, detail: unknown): Failure =>
  failing(status, { detail });

export const htmlPage = (status: number, title: string): Failure =>
  failing(
    status,
    `<html>\r\n<head><title>${title}</title></head>\r\n<body><center><h1>${title}</h1></center></body></html>`,
    { 'content-type': 'text/html' },
  );

export const emptyBody = (status: number, headers?: Record<string, string>): Failure =>
  failing(status, '', headers);

const HEAD = {
  id: 'chatcmpl-DQ7eXhV0a1b2c3d4e5f6g7h8i9j0k',
  object: 'chat.completion.chunk',
  created: 1_795_000_000,
  model: 'm',
  service_tier: 'default',
  system_fingerprint: 'fp_0123456789',
};

/** One chunk of a stream: OpenAI's fields in its order, with the padding it adds against listeners. */
export const chunk = (
  delta: Record<string, unknown>,
  finish_reason: string | null = null,
  rest: Record<string, unknown> = {},
): Record<string, unknown> => ({
  ...HEAD,
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  usage: null,
  obfuscation: 'x7Qf2L',
  ...rest,
});

/** The first chunk says who speaks. */
export const opening = (): Record<string, unknown> =>
  chunk({ role: 'assistant', content: '', refusal: null });

/** The last chunk, where counts were asked for. */
export const usageChunk = (usage: Record<string, unknown>): Record<string, unknown> => ({
  ...HEAD,
  choices: [],
  usage,
  obfuscation: 'kD',
});

const COUNTS = {
  prompt_tokens: 26,
  completion_tokens: 9,
  total_tokens: 35,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};

export const callDelta = (call: {
  index?: number;
  id?: string;
  name?: string;
  arguments?: unknown;
}): Record<string, unknown> => {
  const { index, id, name } = call;
  return {
    tool_calls: [
      {
        ...(index === undefined ? {} : { index }),
        ...(id === undefined ? {} : { id }),
        ...(id === undefined && name === undefined ? {} : { type: 'function' }),
        function: {
          ...(name === undefined ? {} : { name }),
          ...('arguments' in call ? { arguments: call.arguments } : {}),
        },
      },
    ],
  };
};

/** A call as OpenAI streams it: its name first, then its arguments in fragments. */
export const callDeltas = (
  index: number,
  { id, name, args }: { readonly id: string; readonly name: string; readonly args: unknown },
): Record<string, unknown>[] => [
  callDelta({ index, id, name, arguments: '' }),
  ...(JSON.stringify(args).match(/[\s\S]{1,9}/g) ?? []).map((text) =>
    callDelta({ index, arguments: text }),
  ),
];

export const event = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

export const DONE = event('[DONE]');

/** The end of a good stream: why it ends, what it cost. */
export const closing = (reason: string): string =>
  event(chunk({}, reason)) + event(usageChunk(COUNTS)) + DONE;

/** A whole good stream. */
export const saying = (text: string, reason = 'stop'): string =>
  event(opening()) + event(chunk({ content: text })) + closing(reason);

/** Text first, then the given data. */
export const midStream = (...data: unknown[]): { readonly stream: string } => ({
  stream: [event(chunk({ role: 'assistant', content: 'half' })), ...data.map(event)].join(''),
});
