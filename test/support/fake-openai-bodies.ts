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

/** One chunk of a stream, as OpenAI and all that follow it write it. */
export const chunk = (
  delta: Record<string, unknown>,
  finish_reason: string | null = null,
  rest: Record<string, unknown> = {},
): Record<string, unknown> => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_795_000_000,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
  ...rest,
});

export const usageChunk = (usage: Record<string, unknown>): Record<string, unknown> => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [],
  usage,
});

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
        type: 'function',
        function: {
          ...(name === undefined ? {} : { name }),
          ...('arguments' in call ? { arguments: call.arguments } : {}),
        },
      },
    ],
  };
};

export const event = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

export const DONE = event('[DONE]');

/** A whole good stream: what is said, why it ends, what it cost. */
export const saying = (text: string, reason = 'stop'): string =>
  [
    event(chunk({ role: 'assistant', content: '' })),
    event(chunk({ content: text })),
    event(chunk({}, reason)),
    event(usageChunk({ prompt_tokens: 26, completion_tokens: 9, total_tokens: 35 })),
    DONE,
  ].join('');

/** Text first, then the given data. */
export const midStream = (...data: unknown[]): { readonly stream: string } => ({
  stream: [event(chunk({ role: 'assistant', content: 'half' })), ...data.map(event)].join(''),
});
