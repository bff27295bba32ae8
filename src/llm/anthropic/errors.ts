// Pure: what only this API says of a request that it refuses.

import {
  type ErrorDialect,
  type Failing,
  type FailureVerdict,
  type HttpRefusal,
  type RequestTarget,
  refusalError,
  sayRefusal,
} from '../http/failure.ts';
import type { HeaderLookup } from '../http/retry-after.ts';
import type { ProviderError } from '../provider.ts';

/** An unsuccessful response, or an error event in a stream (then `status` is null). */
export interface ApiFailure {
  readonly status: number | null;
  /** The API's name for the kind of error; null if the answer does not come from the API. */
  readonly type: string | null;
  readonly code: string | null;
  readonly text: string;
  readonly header: HeaderLookup;
}

interface ApiRefusal extends HttpRefusal, RequestTarget {
  readonly failure: ApiFailure;
}

export function failureError(failure: ApiFailure, place: RequestTarget): ProviderError {
  const { status, text, header } = failure;
  const isInAnswer = status === null;
  const asked = { ...place, code: codeOf(failure), isInAnswer, text, header, failure };
  return refusalError({ ...asked, server: 'Anthropic' }, ANTHROPIC);
}

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
function read({
  failure: { code, text },
  code: httpCode,
}: ApiRefusal): Failing | FailureVerdict | null {
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

const ANTHROPIC: ErrorDialect<ApiRefusal> = {
  read,
  address: 'baseUrl',
  hints: {
    unknown_key: 'Set ANTHROPIC_API_KEY to a key from https://platform.claude.com/settings/keys.',
    unpaid:
      'Add credit or raise the limit at https://platform.claude.com/settings/billing, or use another key.',
    crashed: 'Run the same command again later; https://status.claude.com says more.',
  },
  missing: (refusal) =>
    refusal.code === 405 || isNoSuchPath(refusal.failure)
      ? {
          message: sayRefusal(`What answers at ${refusal.url} is not the Anthropic API`, refusal),
          hint: 'Check the base URL; it goes without /v1.',
          option: 'baseUrl',
        }
      : {
          message: sayRefusal(`Anthropic has no model ${refusal.model}`, refusal),
          hint: 'Choose another one of those of your key.',
          command: ['models'],
          option: 'model',
        },
};
