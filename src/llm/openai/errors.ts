// Every way an OpenAI-compatible server says no, mapped once to a status, a sentence and a next
// step; pure.
import type { TurnStatus } from '../../schema/turn.ts';
import { askedWait } from '../http/retry-after.ts';
import { ProviderError } from '../provider.ts';
import { overflowStatus } from '../wire/overflow.ts';
import { type ErrorBody, type FailedResponse, readErrorBody } from './error-body.ts';
import { isOverflow } from './overflow.ts';

/** For messages: who was asked for what. */
export interface Asked {
  readonly url: string;
  readonly model: string;
}

interface Verdict {
  readonly status: TurnStatus;
  readonly message: string;
  readonly hint: string;
}

interface Refusal extends Asked, ErrorBody {
  /** HTTP's code, or for an error inside of an answer the one it names; 200 where it names none. */
  readonly code: number;
  readonly response: FailedResponse;
}

const FAILED: TurnStatus = { kind: 'model_error', retryable: false };

/** A local server that loads its model says no more than that; loading takes about so long. */
const LOADING_MS = 15_000;

/** A response that is no success, or an error inside of one (then `status` is 200). */
export function responseError(response: FailedResponse, asked: Asked): ProviderError {
  const body = readErrorBody(response.body);
  const code = response.status === 200 ? codeNamed(body.names) : response.status;
  const refusal: Refusal = { ...asked, ...body, code, response };
  const { status, message, hint } = byMeaning(refusal) ?? byText(refusal) ?? byCode(refusal);
  return new ProviderError(status, message, hint);
}

/** Words that servers use instead of HTTP's codes once an answer has begun. */
const NAMED_CODES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  badrequesterror: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  permission_error: 403,
  not_found_error: 404,
  model_not_found: 404,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  server_error: 500,
  internal_error: 500,
  api_error: 500,
  internalservererror: 500,
  unavailable_error: 503,
  overloaded_error: 503,
};

function codeNamed(names: readonly string[]): number {
  for (const name of names) {
    const code = NAMED_CODES[name] ?? (/^[45]\d\d$/.test(name) ? Number(name) : undefined);
    if (code !== undefined) return code;
  }
  return 200;
}

const QUOTA = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'insufficient_balance',
  'insufficient_credits',
]);
const QUOTA_WORDS =
  /exceeded your current quota|insufficient (credits|balance|funds)|(out of|more|no) credits|key limit exceeded/i;
const FILTERED = new Set(['content_filter', 'content_policy_violation', 'moderation_blocked']);

/** What means the same whatever code it comes with. */
function byMeaning(refusal: Refusal): Verdict | null {
  const { code, text, names, url } = refusal;
  if (isOverflow(code, text, names) || code === 413) {
    return {
      status: overflowStatus(text),
      message: `The conversation does not fit into the model's context window: ${text || code}`,
      hint: 'A larger context window helps, or a smaller goal.',
    };
  }
  if (isQuota(refusal)) {
    return {
      status: { kind: 'quota_exceeded' },
      message: `The quota or credit at ${url} is used up: ${text || code}`,
      hint: 'Add credit or raise the limit of the key, or choose another model or provider.',
    };
  }
  if (
    names.some((name) => FILTERED.has(name)) ||
    (code === 403 && /flagged|moderation/i.test(text))
  )
    return {
      status: { kind: 'refused' },
      message: `A filter of the provider refused the request: ${text}`,
      hint: 'Put the goal in other words, or choose another model.',
    };
  return null;
}

/** Google says "quota" of every rate limit, and OpenRouter 402 of too many requests at a time. */
function isQuota({ code, text, names, response }: Refusal): boolean {
  if (names.some((name) => QUOTA.has(name))) return true;
  if (names.includes('openrouter_in_flight_budget')) return false;
  if (code === 402) return true;
  return (
    (code === 429 || code === 403) &&
    QUOTA_WORDS.test(text) &&
    !names.includes('resource_exhausted') &&
    response.header('retry-after') === null
  );
}

const NO_TOOLS =
  /does not support (tools|tool use|function calling)|support tool use|tool calling (is )?not supported|requires --jinja|--enable-auto-tool-choice/i;
const MALFORMED_CALL =
  /^error parsing tool call: |invalid tool call arguments for|failed to call a function|^failed to parse (input|JSON)/i;

function byText({ text, names, model, code, url }: Refusal): Verdict | null {
  if (NO_TOOLS.test(text)) {
    return {
      status: FAILED,
      message: `The model ${model} cannot call tools here: ${text}`,
      hint: 'Use --tool-mode json, or another model.',
    };
  }
  if (names.includes('tool_use_failed') || MALFORMED_CALL.test(text)) {
    return {
      status: { kind: 'invalid_response' },
      message: `The model wrote a tool call that the server could not read: ${text}`,
      hint: '',
    };
  }
  if (code === 503 && /loading model/i.test(text)) {
    return {
      status: { kind: 'rate_limited', retryAfterMs: LOADING_MS },
      message: `The server at ${url} is still loading the model.`,
      hint: 'Wait until it is loaded, then run the same command again.',
    };
  }
  return null;
}

function byCode(refusal: Refusal): Verdict {
  const { url, code, text, response, names } = refusal;
  const said = text ? `: ${text}` : '';
  if (code >= 300 && code < 400) return redirected(refusal);
  if (response.status === 200 && !refusal.isApi) return notAnApi(refusal);
  if (code === 401 || code === 403) return keyRefused(refusal);
  if (code === 404 || code === 405) return missing(refusal);
  if (code === 408) {
    return {
      status: { kind: 'timeout' },
      message: `The server at ${url} waited too long for its model (408${said}).`,
      hint: '',
    };
  }
  if (isBusy(code) || names.includes('openrouter_in_flight_budget')) {
    return {
      status: { kind: 'rate_limited', ...askedWait(response.header) },
      message: `The server at ${url} is busy or limits how often it may be asked (${code}${said}).`,
      hint: 'Wait a while, then run the same command again.',
    };
  }
  if (code === 499 || code === 502 || code === 504 || (code >= 520 && code <= 527)) {
    return {
      status: { kind: 'network_error', retryable: true, ...askedWait(response.header) },
      message: `The request was dropped on its way to the model (${code}${said}).`,
      hint: `Look at what stands between this machine and the model, ${url} first.`,
    };
  }
  return otherCode(refusal);
}

const isBusy = (code: number): boolean => code === 429 || code === 503 || code === 529;

const redirected = ({ url, code, response }: Refusal): Verdict => ({
  status: FAILED,
  message: `What answers at ${url} sends on to ${response.header('location') ?? 'nowhere'} (${code}).`,
  hint: 'Give the address it names as the base URL.',
});

const notAnApi = ({ url, text, code }: Refusal): Verdict => ({
  status: FAILED,
  message: `What answers at ${url} is no OpenAI-compatible API (${code}${text ? `: ${text}` : ''}).`,
  hint: 'Check the base URL; it usually ends in /v1.',
});

const keyRefused = ({ url, code, text }: Refusal): Verdict => ({
  status: { kind: 'auth_failed' },
  message: `The server at ${url} refuses the API key (${code}${text ? `: ${text}` : ''}).`,
  hint:
    code === 401
      ? 'Check the API key, and that it belongs to this base URL.'
      : 'The key may not use this model, or not from here: check its permissions.',
});

/** An API's own 404 is about the model; anything else is a wrong address. */
function missing(refusal: Refusal): Verdict {
  if (
    !refusal.isApi ||
    /^(file )?not found$|unknown (request )?url|invalid url/i.test(refusal.text)
  ) {
    return notAnApi(refusal);
  }
  return {
    status: FAILED,
    message: `The server at ${refusal.url} has no model ${refusal.model} for this (${refusal.text}).`,
    hint: 'Run `agent models` to see what it has, and choose one with --model.',
  };
}

/** Below 500 the request itself is at fault, but for a conflict with another one. */
function otherCode({ code, text, model, url, response }: Refusal): Verdict {
  const isOurFault = code >= 400 && code < 500 && code !== 409 && code !== 425;
  return isOurFault
    ? {
        status: FAILED,
        message: `The server at ${url} refused the request (${code}): ${text}`,
        hint: '',
      }
    : {
        status: { kind: 'model_error', retryable: true, ...askedWait(response.header) },
        message: `The model ${model} stopped working (${code === 200 ? 'in mid-answer' : code}): ${text}`,
        hint: 'If it happens again, look at the log of the server.',
      };
}
