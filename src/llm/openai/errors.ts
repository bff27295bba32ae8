// Pure: what only OpenAI-compatible servers say of a request that they refuse.
import { type ErrorBody, type FailedResponse, readErrorBody } from '../http/error-body.ts';
import {
  type ErrorDialect,
  FAILED,
  type Failing,
  type FailureVerdict,
  type FailureWords,
  type HttpRefusal,
  type RequestTarget,
  refusalError,
  sayRefusal,
} from '../http/failure.ts';
import { codeNamed, namesSpent } from '../http/named-codes.ts';
import type { ProviderError } from '../provider.ts';

interface Refusal extends HttpRefusal, RequestTarget, ErrorBody {
  readonly names: readonly string[];
}

/** A local server that is loading its model reports nothing else; loading takes about this long. */
const LOADING_MS = 15_000;

/** An unsuccessful response, or an error inside an answer (then `status` is 200). */
export function responseError(response: FailedResponse, asked: RequestTarget): ProviderError {
  const body = readErrorBody(response.body);
  const isInAnswer = response.status === 200;
  const code = isInAnswer ? codeNamed(body.names) : response.status;
  const server = `The server at ${asked.url}`;
  return refusalError(
    { ...asked, ...body, server, code, header: response.header, isInAnswer },
    OPENAI,
  );
}

const QUOTA_WORDS =
  /exceeded your current quota|insufficient (credits|balance|funds)|(out of|more|no) credits|key limit exceeded/i;
const FILTERED = new Set(['content_filter', 'content_policy_violation', 'moderation_blocked']);
/** OpenRouter's 402 for too many simultaneous requests. */
const IN_FLIGHT = 'openrouter_in_flight_budget';

const NO_TOOLS =
  /does not support (tools|tool use|function calling)|support tool use|tool calling (is )?not supported|requires --jinja|--enable-auto-tool-choice/i;
const MALFORMED_CALL =
  /^error parsing tool call: |invalid tool call arguments for|failed to call a function|^failed to parse (input|JSON)/i;

/** Texts that mean the same whatever their code. */
function read(refusal: Refusal): Failing | FailureVerdict | null {
  const { code, text, names, isApi, isInAnswer } = refusal;
  if (isQuota(refusal)) return 'unpaid';
  if (names.some((name) => FILTERED.has(name)) || isFlagged(refusal)) return filtered(refusal);
  if (NO_TOOLS.test(text)) return 'no_tools';
  if (names.includes('tool_use_failed') || MALFORMED_CALL.test(text)) return 'unreadable_call';
  if (code === 503 && /loading model/i.test(text)) return loading(refusal);
  if (isInAnswer && !isApi) return { status: FAILED, ...notAnApi(refusal) };
  return names.includes(IN_FLIGHT) ? 'busy' : null;
}

/** Google says "quota" for every rate limit. */
function isQuota({ code, text, names, header }: Refusal): boolean {
  if (namesSpent(names)) return true;
  if (names.includes(IN_FLIGHT)) return false;
  if (code === 402) return true;
  return (
    (code === 429 || code === 403) &&
    QUOTA_WORDS.test(text) &&
    !names.includes('resource_exhausted') &&
    header('retry-after') === null
  );
}

const isFlagged = ({ code, text }: Refusal): boolean =>
  code === 403 && /flagged|moderation/i.test(text);

const filtered = ({ text }: Refusal): FailureVerdict => ({
  status: { kind: 'refused' },
  message: `A filter of the provider refused the request: ${text}`,
  hint: 'Put the goal in other words, or choose another model.',
});

const loading = ({ server }: Refusal): FailureVerdict => ({
  status: { kind: 'rate_limited', retryAfterMs: LOADING_MS },
  message: `${server} is still loading the model.`,
  hint: 'Wait until it is loaded, then run the same command again.',
});

const notAnApi = (refusal: Refusal): FailureWords => ({
  message: sayRefusal(`What answers at ${refusal.url} is not an OpenAI-compatible API`, refusal),
  hint: 'Check the base URL; it usually ends in /v1.',
  option: 'baseUrl',
});

/** An API's own 404 is about the model; any other 404 means a wrong address. */
const isPathMissing = ({ isApi, text }: Refusal): boolean =>
  !isApi || /^(file )?not found$|unknown (request )?url|invalid url/i.test(text);

const OPENAI: ErrorDialect<Refusal> = {
  read,
  address: 'baseUrl',
  missing: (refusal) =>
    isPathMissing(refusal)
      ? notAnApi(refusal)
      : {
          message: sayRefusal(`${refusal.server} has no model ${refusal.model} for this`, refusal),
          hint: 'Choose one of those that it has.',
          command: ['models'],
          option: 'model',
        },
};
