// Every way Ollama says no, mapped once to a status, a sentence and a next step; pure.
import type { TurnStatus } from '../../schema/turn.ts';
import type { HeaderLookup } from '../http/connections.ts';
import { askedWait } from '../http/retry-after.ts';
import { ProviderError } from '../provider.ts';
import { overflowStatus } from '../wire/overflow.ts';

export interface FailedResponse {
  readonly status: number;
  readonly body: string;
  readonly header: HeaderLookup;
  readonly url: string;
  readonly model: string;
}

interface Verdict {
  readonly status: TurnStatus;
  readonly message: string;
  readonly hint: string;
}

const FAILED: TurnStatus = { kind: 'model_error', retryable: false };
const CRASHED: TurnStatus = { kind: 'model_error', retryable: true };

/** A response that is no success, or an `{"error"}` line in a stream (then `status` is 200). */
export function responseError(response: FailedResponse): ProviderError {
  const text = errorText(response.body);
  const { status, message, hint } = byText(response, text) ?? byCode(response, text);
  return new ProviderError(status, message, hint);
}

/** Since 0.30 an error can be llama-server's own body, as a JSON string inside `error`. */
function errorText(body: string): string {
  let text = body.trim();
  for (let depth = 0; depth < 3; depth += 1) {
    const inner = errorField(text);
    if (inner === null) return text;
    text = inner;
  }
  return text;
}

function errorField(text: string): string | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !('error' in parsed)) return null;
    const error = parsed.error;
    if (typeof error === 'string') return error;
    if (typeof error === 'object' && error !== null && 'message' in error) {
      return String(error.message);
    }
    return JSON.stringify(error);
  } catch {
    return null;
  }
}

const OVERFLOW = [
  /^the input length exceeds the context length/,
  /exceeds the available context size/,
  /^the prompt is longer than the context length/,
  // Models that Ollama serves from its cloud.
  /^prompt too long; exceeded max context length/,
];

/** The server passes on a call of the model that its own parser could not read. */
const MALFORMED_CALL = [
  /^error parsing tool call: /,
  /^llama-server returned invalid tool call arguments/,
  /^failed to parse JSON: /,
];

/** Sentences that mean the same whatever code they come with. */
function byText(response: FailedResponse, text: string): Verdict | null {
  const { model } = response;
  if (OVERFLOW.some((form) => form.test(text))) {
    return {
      status: overflowStatus(text),
      message: `The conversation does not fit into the model's context window: ${text}.`,
      hint: 'A larger context window helps, or a smaller goal.',
    };
  }
  if (MALFORMED_CALL.some((form) => form.test(text))) {
    return {
      status: { kind: 'invalid_response' },
      message: `The model wrote a tool call that Ollama could not read: ${text}`,
      hint: '',
    };
  }
  if (/ does not support tools$/.test(text)) {
    return {
      status: FAILED,
      message: `The model ${model} cannot call tools.`,
      hint: 'Use --tool-mode json, or another model.',
    };
  }
  if (/ does not support thinking$/.test(text)) {
    return { status: FAILED, message: `The model ${model} cannot think aloud.`, hint: '' };
  }
  if (/ does not support (chat|generate)$/.test(text)) {
    return {
      status: FAILED,
      message: `The model ${model} cannot hold a conversation.`,
      hint: 'Choose another model with --model; `ollama list` shows the installed ones.',
    };
  }
  if (/requires more system memory|out of memory|cudaMalloc failed/i.test(text)) {
    return {
      status: FAILED,
      message: `The model ${model} does not fit into memory: ${text}`,
      hint: 'Choose a smaller model with --model, or a smaller context window.',
    };
  }
  return null;
}

function byCode(response: FailedResponse, text: string): Verdict {
  const { model, url, status, header } = response;
  const location = header('location');
  if (location !== null && status >= 300 && status < 400) {
    return {
      status: FAILED,
      message: `What answers at ${url} sends on to ${location} (${status}).`,
      hint: 'Give the address it names with --host or OLLAMA_HOST, without what stands behind /api.',
    };
  }
  switch (status) {
    case 401:
      return {
        status: { kind: 'auth_failed' },
        message: `Ollama at ${url} asks for a sign-in (${text || 'unauthorized'}).`,
        hint: 'Run `ollama signin`, or choose a model that runs on this machine.',
      };
    case 402:
      return {
        status: { kind: 'quota_exceeded' },
        message: `Ollama's quota is used up: ${text}`,
        hint: 'Choose a model that runs on this machine.',
      };
    case 403:
      return {
        status: { kind: 'auth_failed' },
        message: `Ollama at ${url} refuses this client (403${text ? `: ${text}` : ''}).`,
        hint: 'It only answers to its own address: use 127.0.0.1 as host, or start it with OLLAMA_HOST=0.0.0.0 (and OLLAMA_ORIGINS) on the other machine.',
      };
    case 404:
      return missing(response, text);
    case 429:
    case 503:
      return {
        status: { kind: 'rate_limited', ...askedWait(header) },
        message: `Ollama at ${url} is busy (${text || status}).`,
        hint: 'Wait until other requests are done, then run the same command again.',
      };
    case 499:
    case 502:
    case 504:
      return {
        status: { kind: 'network_error', retryable: true, ...askedWait(header) },
        message: `The request was dropped on its way to the model (${status}${text ? `: ${text}` : ''}).`,
        hint: `Look at what stands between this machine and ${url}.`,
      };
    default:
      return otherCode(status, text, model);
  }
}

/** The server's own 404 names the model; anything else is not Ollama's. */
function missing({ url, model, body }: FailedResponse, text: string): Verdict {
  if (errorField(body) === null) {
    return {
      status: FAILED,
      message: `What answers at ${url} is not Ollama (404).`,
      hint: 'Check --host and OLLAMA_HOST; Ollama listens on port 11434 by default.',
    };
  }
  return {
    status: FAILED,
    message: `Ollama has no model ${model} (${text}).`,
    hint: `Run \`ollama pull ${model}\`, or choose another one with --model.`,
  };
}

/** Below 500 the request itself is at fault; so it is with two sentences that come as a 500. */
function otherCode(status: number, text: string, model: string): Verdict {
  const isOurFault =
    (status >= 400 && status < 500) ||
    /^invalid (format|JSON schema)/.test(text) ||
    /^option ".*" must be of type/.test(text);
  return isOurFault
    ? { status: FAILED, message: `Ollama refused the request (${status}): ${text}`, hint: '' }
    : {
        status: CRASHED,
        message: `The model ${model} stopped working (${status === 200 ? 'in mid-answer' : status}): ${text}`,
        hint: 'If it happens again, memory may be short: try a smaller model or context window.',
      };
}
