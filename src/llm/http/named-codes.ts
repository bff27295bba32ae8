// Pure: the words that servers use instead of HTTP statuses, and for an account without credit.
import { own } from '../../lib/own.ts';

/** An error inside an answer has no other code. */
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

/** @param names in lower case; 200 if none of them states a code */
export function codeNamed(names: readonly string[]): number {
  for (const name of names) {
    const code = own(NAMED_CODES, name) ?? (/^[45]\d\d$/.test(name) ? Number(name) : undefined);
    if (code !== undefined) return code;
  }
  return 200;
}

const SPENT = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'insufficient_balance',
  'insufficient_credits',
]);

export const namesSpent = (names: readonly string[]): boolean =>
  names.some((name) => SPENT.has(name));
