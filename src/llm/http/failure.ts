// Pure: what a refusal means, the same for every server: its code, then a status, a sentence, a next step. A provider
// adds its own words, and what its server says in other ways.
import { adviceIn, type NextStep } from '../../lib/errors.ts';
import type { TurnStatus } from '../../schema/model/turn.ts';
import { ProviderError } from '../provider.ts';
import { overflowStatus } from '../wire/overflow.ts';
import { type HeaderLookup, requestedWait } from './retry-after.ts';

export type Failing =
  /** The server names another address. */
  | 'redirected'
  | 'unknown_key'
  | 'forbidden'
  | 'unpaid'
  /** No such model, or no such path. */
  | 'missing'
  /** The server itself waited too long. */
  | 'late'
  | 'too_large'
  | 'busy'
  /** Something between here and the model gave up. */
  | 'dropped'
  /** The request is at fault. */
  | 'refused'
  | 'crashed';

const CODES: Readonly<Record<number, Failing>> = {
  401: 'unknown_key',
  402: 'unpaid',
  403: 'forbidden',
  404: 'missing',
  405: 'missing',
  408: 'late',
  // A conflict with another request, and one that came too early: both pass.
  409: 'crashed',
  413: 'too_large',
  425: 'crashed',
  429: 'busy',
  499: 'dropped',
  502: 'dropped',
  503: 'busy',
  504: 'dropped',
  529: 'busy',
};

export function failingOf(code: number): Failing {
  const known = CODES[code];
  if (known !== undefined) return known;
  if (code >= 300 && code < 400) return 'redirected';
  // Cloudflare's codes, from a proxy in front of the server.
  if (code >= 520 && code <= 527) return 'dropped';
  return code >= 400 && code < 500 ? 'refused' : 'crashed';
}

export interface Refusal {
  /** The HTTP status, or what the server names instead; 200 for an error inside an answer that names none. */
  readonly code: number;
  /** The server's sentence; '' if it says nothing. */
  readonly text: string;
  readonly header: HeaderLookup;
}

export interface Words extends NextStep {
  readonly message: string;
}

export interface Verdict extends Words {
  readonly status: TurnStatus;
}

export interface Dialect<Asked extends Refusal> {
  /** What the sentence or the name of an error says, whatever its code; `null`: the code decides. */
  read(refusal: Asked): Failing | Verdict | null;
  readonly words: Readonly<Record<Failing, (refusal: Asked) => Words>>;
}

/** Asking again would not help. */
export const FAILED: TurnStatus = { kind: 'model_error', retryable: false };

export function refusalError<Asked extends Refusal>(
  refusal: Asked,
  { read, words }: Dialect<Asked>,
): ProviderError {
  const meant = read(refusal) ?? failingOf(refusal.code);
  const verdict: Verdict =
    typeof meant === 'string'
      ? { status: statusOf(meant, refusal), ...words[meant](refusal) }
      : meant;
  return new ProviderError(verdict.status, verdict.message, verdict.hint, adviceIn(verdict));
}

function statusOf(failing: Failing, { text, header }: Refusal): TurnStatus {
  switch (failing) {
    case 'unknown_key':
    case 'forbidden':
      return { kind: 'auth_failed' };
    case 'unpaid':
      return { kind: 'quota_exceeded' };
    case 'late':
      return { kind: 'timeout' };
    case 'too_large':
      return overflowStatus(text);
    case 'busy':
      return { kind: 'rate_limited', ...requestedWait(header) };
    case 'dropped':
      return { kind: 'network_error', retryable: true, ...requestedWait(header) };
    case 'crashed':
      return {
        kind: 'model_error',
        retryable: header('x-should-retry') !== 'false',
        ...requestedWait(header),
      };
    case 'redirected':
    case 'missing':
    case 'refused':
      return FAILED;
    default:
      return failing satisfies never;
  }
}

/** `: what the server said`, or nothing. */
export const serverText = (text: string): string => (text === '' ? '' : `: ${text}`);
