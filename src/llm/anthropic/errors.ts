// Pure: every way in which the API refuses a request, in its own words.

import {
  type Dialect,
  type Failing,
  type Refusal,
  refusalError,
  type Verdict,
} from '../http/failure.ts';
import type { HeaderLookup } from '../http/retry-after.ts';
import type { ProviderError } from '../provider.ts';
import { overflowStatus } from '../wire/overflow.ts';
import { isOverflow } from '../wire/overflow-forms.ts';

/** An unsuccessful response, or an error event in a stream (then `status` is null). */
export interface ApiFailure {
  readonly status: number | null;
  /** The API's name for the kind of error; null if the answer does not come from the API. */
  readonly type: string | null;
  readonly code: string | null;
  readonly text: string;
  readonly header: HeaderLookup;
}

export interface RequestTarget {
  readonly url: string;
  readonly model: string;
}

interface ApiRefusal extends Refusal, RequestTarget {
  readonly failure: ApiFailure;
}

export const failureError = (failure: ApiFailure, place: RequestTarget): ProviderError =>
  refusalError(
    { ...place, code: codeOf(failure), text: failure.text, header: failure.header, failure },
    ANTHROPIC,
  );

/** The API's name for an error counts more than the HTTP status that comes with it. */
const NAMED_CODES: ReadonlyMap<string | null, number> = new Map([
  ['api_error', 500],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['conflict_error', 409],
  ['invalid_request_error', 400],
  ['not_found_error', 404],
  ['overloaded_error', 529],
  ['permission_error', 403],
  ['rate_limit_error', 429],
  ['request_too_large', 413],
  ['timeout_error', 504],
]);

const codeOf = ({ type, status }: ApiFailure): number => NAMED_CODES.get(type) ?? status ?? 500;

/** Statuses to which the API gives another meaning: a 529 passes with the next attempt, as a crash does. */
const OWN_CODES: Readonly<Record<number, Failing>> = {
  408: 'dropped',
  503: 'dropped',
  529: 'crashed',
};

const SPENT = [
  /credit balance is too low/i,
  /reached your specified (API )?usage limits/i,
  /(spend|usage|spending) limit .*(reached|exceeded)/i,
];
const SPENT_CODE =
  /^(enforced|contract|linked_organization)_spend_limit_reached$|_billing_unavailable$/;

/** Facts that only the message or the code states: one type of error means many things. */
function read({ failure, code: httpCode, model }: ApiRefusal): Failing | Verdict | null {
  const { status, type, code, text } = failure;
  if (type !== 'rate_limit_error' && isOverflow(status ?? 200, text, [])) {
    return {
      status: overflowStatus(text),
      message: `The conversation does not fit into the context window of ${model}: ${text}.`,
      hint: 'A larger context window helps, or a smaller goal.',
    };
  }
  if (SPENT_CODE.test(code ?? '') || SPENT.some((form) => form.test(text))) return 'unpaid';
  if (code === 'organization_on_hold' || /organization has been disabled/i.test(text)) {
    return {
      status: { kind: 'auth_failed' },
      message: `Anthropic does not serve this account: ${text}`,
      hint: 'Use the key of another account.',
    };
  }
  return OWN_CODES[httpCode] ?? null;
}

/** A 404 for the path: the API's own 404 names the model. */
export const isNoSuchPath = ({ status, type, text }: ApiFailure): boolean =>
  status === 404 && (type === null || /^(file )?not found$/i.test(text));

const at = ({ failure: { status } }: ApiRefusal): string =>
  status === null ? ' in mid-answer' : ` (${status})`;

const dropped = (refusal: ApiRefusal) => ({
  message: `The request was dropped on its way to the model${at(refusal)}: ${refusal.text}`,
  hint: `If it happens again, look at what stands between this machine and ${refusal.url}.`,
});

const ANTHROPIC: Dialect<ApiRefusal> = {
  read,
  words: {
    redirected: (refusal) => ({
      message: `What answers at ${refusal.url} redirects to ${refusal.header('location') ?? 'another address'}${at(refusal)}.`,
      hint: 'Give the address it names as base URL, without what stands behind /v1.',
      option: 'baseUrl',
    }),
    unknown_key: ({ text }) => ({
      message: `Anthropic does not accept the API key (${text}).`,
      hint: 'Set ANTHROPIC_API_KEY to a key from https://platform.claude.com/settings/keys.',
    }),
    forbidden: ({ model, text }) => ({
      message: `This API key may not use ${model || 'the API'} (${text}).`,
      hint: "Use a key whose workspace may, or another model; a firewall's answer looks the same.",
    }),
    unpaid: ({ text }) => ({
      message: `The Anthropic account has no credit left or reached its limit: ${text}`,
      hint: 'Add credit or raise the limit at https://platform.claude.com/settings/billing, or use another key.',
    }),
    missing: ({ failure, url, model, text, code }) =>
      code === 405 || isNoSuchPath(failure)
        ? {
            message: `What answers at ${url} is not the Anthropic API (${code}).`,
            hint: 'Check the base URL; it goes without /v1.',
            option: 'baseUrl',
          }
        : {
            message: `Anthropic has no model ${model} (${text}).`,
            hint: 'Choose another one of those of your key.',
            command: ['models'],
            option: 'model',
          },
    late: dropped,
    too_large: ({ text }) => ({
      message: `The request is larger than Anthropic takes: ${text}`,
      hint: 'A smaller goal helps, or smaller files.',
    }),
    busy: ({ text }) => ({
      message: `Anthropic asks for fewer requests (${text}).`,
      hint: 'Wait a little, then run the same command again.',
    }),
    dropped,
    refused: (refusal) => ({
      message: `Anthropic refused the request${at(refusal)}: ${refusal.text}`,
      hint: '',
    }),
    crashed: (refusal) => ({
      message: `Anthropic ${refusal.code === 529 ? 'is overloaded' : 'failed'}${at(refusal)}: ${refusal.text}`,
      hint: 'Run the same command again later; https://status.claude.com says more.',
    }),
  },
};
