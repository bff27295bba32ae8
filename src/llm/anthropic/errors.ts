// Every way the API says no, mapped once to a status, a sentence and a next step; pure.
import type { TurnStatus } from '../../schema/turn.ts';
import type { HeaderLookup } from '../http/connections.ts';
import { askedWait } from '../http/retry-after.ts';
import { ProviderError } from '../provider.ts';
import { overflowStatus } from '../wire/overflow.ts';

/** A response that is no success, or an error event in a stream (then `status` is null). */
export interface ApiFailure {
  readonly status: number | null;
  /** The API's word for the kind of error; null where what answered is not the API. */
  readonly type: string | null;
  readonly code: string | null;
  readonly text: string;
  readonly header: HeaderLookup;
}

export interface Place {
  readonly url: string;
  readonly model: string;
}

interface Verdict {
  readonly status: TurnStatus;
  readonly message: string;
  readonly hint: string;
}

const FAILED: TurnStatus = { kind: 'model_error', retryable: false };

export function failureError(failure: ApiFailure, place: Place): ProviderError {
  const { status, message, hint } =
    byText(failure, place) ?? byType(typeOf(failure), failure, place);
  return new ProviderError(status, message, hint);
}

const OVERFLOW = [
  /prompt is too long/i,
  /input length and `?max_tokens`? exceed context limit/i,
  /exceeds? the (available |maximum )?context (size|length|limit|window)/i,
];

const SPENT = [
  /credit balance is too low/i,
  /reached your specified (API )?usage limits/i,
  /(spend|usage|spending) limit .*(reached|exceeded)/i,
];
const SPENT_CODE =
  /^(enforced|contract|linked_organization)_spend_limit_reached$|_billing_unavailable$/;

/** What only the sentence or the code tells: the same type of error means many things. */
function byText({ status, type, code, text }: ApiFailure, { model }: Place): Verdict | null {
  const isRefusedRequest = status === null || [400, 413, 422, 500].includes(status);
  const isRate = type === 'rate_limit_error' || /rate limit/i.test(text);
  if (isRefusedRequest && !isRate && OVERFLOW.some((form) => form.test(text))) {
    return {
      status: overflowStatus(text),
      message: `The conversation does not fit into the context window of ${model}: ${text}.`,
      hint: 'A larger context window helps, or a smaller goal.',
    };
  }
  if (SPENT_CODE.test(code ?? '') || SPENT.some((form) => form.test(text))) return spent(text);
  if (code === 'organization_on_hold' || /organization has been disabled/i.test(text)) {
    return {
      status: { kind: 'auth_failed' },
      message: `Anthropic does not serve this account: ${text}`,
      hint: 'Use the key of another account.',
    };
  }
  return null;
}

const spent = (text: string): Verdict => ({
  status: { kind: 'quota_exceeded' },
  message: `The Anthropic account has no credit left or reached its limit: ${text}`,
  hint: 'Add credit or raise the limit at https://platform.claude.com/settings/billing, or use another key.',
});

const OWN_TYPES: ReadonlySet<string> = new Set([
  'api_error',
  'authentication_error',
  'billing_error',
  'conflict_error',
  'invalid_request_error',
  'not_found_error',
  'overloaded_error',
  'permission_error',
  'rate_limit_error',
  'request_too_large',
  'timeout_error',
]);

/** For answers of others that stand before the API or speak its language: its type by the status. */
function typeOf({ type, status }: ApiFailure): string {
  if (type !== null && OWN_TYPES.has(type)) return type;
  if (status === null) return 'api_error';
  const types: Readonly<Record<number, string>> = {
    401: 'authentication_error',
    402: 'billing_error',
    403: 'permission_error',
    404: 'not_found_error',
    408: 'timeout_error',
    409: 'conflict_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    499: 'timeout_error',
    502: 'timeout_error',
    503: 'timeout_error',
    504: 'timeout_error',
    529: 'overloaded_error',
  };
  if (status >= 300 && status < 400) return 'redirect';
  return types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

function byType(type: string, failure: ApiFailure, place: Place): Verdict {
  const { text, header } = failure;
  const { model } = place;
  switch (type) {
    case 'authentication_error':
      return {
        status: { kind: 'auth_failed' },
        message: `Anthropic does not accept the API key (${text}).`,
        hint: 'Set ANTHROPIC_API_KEY to a key from https://platform.claude.com/settings/keys.',
      };
    case 'permission_error':
      return {
        status: { kind: 'auth_failed' },
        message: `This API key may not use ${model || 'the API'} (${text}).`,
        hint: "Use a key whose workspace may, or another model; a firewall's answer looks the same.",
      };
    case 'billing_error':
      return spent(text);
    case 'not_found_error':
      return missing(failure, place);
    case 'request_too_large':
      return {
        status: { kind: 'context_overflow' },
        message: `The request is larger than Anthropic takes: ${text}`,
        hint: 'A smaller goal helps, or smaller files.',
      };
    case 'rate_limit_error':
      return {
        status: { kind: 'rate_limited', ...askedWait(header) },
        message: `Anthropic asks for fewer requests (${text}).`,
        hint: 'Wait a little, then run the same command again.',
      };
    default:
      return byFault(type, failure, place);
  }
}

/** Faults of the server, of what stands before it, or of the request. */
function byFault(type: string, failure: ApiFailure, { url }: Place): Verdict {
  const { text, header } = failure;
  switch (type) {
    case 'overloaded_error':
    case 'api_error':
    case 'conflict_error':
      return {
        status: {
          kind: 'model_error',
          retryable: header('x-should-retry') !== 'false',
          ...askedWait(header),
        },
        message:
          type === 'overloaded_error'
            ? `Anthropic is overloaded${at(failure)}: ${text}`
            : `Anthropic failed${at(failure)}: ${text}`,
        hint: 'Run the same command again later; https://status.claude.com says more.',
      };
    case 'timeout_error':
      return {
        status: { kind: 'network_error', retryable: true, ...askedWait(header) },
        message: `The request was dropped on its way to the model${at(failure)}: ${text}`,
        hint: `If it happens again, look at what stands between this machine and ${url}.`,
      };
    case 'redirect':
      return {
        status: FAILED,
        message: `What answers at ${url} sends on to ${header('location') ?? 'another address'}${at(failure)}.`,
        hint: 'Give the address it names as base URL, without what stands behind /v1.',
      };
    default:
      return {
        status: FAILED,
        message: `Anthropic refused the request${at(failure)}: ${text}`,
        hint: '',
      };
  }
}

/** A 404 for the path: the API's own names the model. */
export const isNoSuchPath = ({ status, type, text }: ApiFailure): boolean =>
  status === 404 && (type === null || /^(file )?not found$/i.test(text));

function missing(failure: ApiFailure, { url, model }: Place): Verdict {
  const { text } = failure;
  return isNoSuchPath(failure)
    ? {
        status: FAILED,
        message: `What answers at ${url} is not the Anthropic API (404).`,
        hint: 'Check the base URL; it goes without /v1.',
      }
    : {
        status: FAILED,
        message: `Anthropic has no model ${model} (${text}).`,
        hint: 'Choose another one with --model; `agent models` shows those of your key.',
      };
}

const at = ({ status }: ApiFailure): string =>
  status === null ? ' in mid-answer' : ` (${status})`;
