// Pure: turns what a request threw into one neutral kind, a sentence, and whether to try again. Decided by the codes of
// Node, OpenSSL and `fetch`, never by a message.
import type { OptionAdvice, OptionName } from '../../lib/errors.ts';
import { ProviderError } from '../provider.ts';

export type NetworkFailureKind =
  | 'refused'
  | 'unreachable'
  | 'timed_out'
  | 'unknown_name'
  /** The DNS query itself was not answered. */
  | 'no_name_service'
  /** The connection was established, and broke. */
  | 'cut'
  /** The server shows a certificate that this machine does not trust. */
  | 'certificate'
  /** A header or an address contains what HTTP cannot carry: no server was asked. */
  | 'unsendable'
  | 'other';

const KINDS: ReadonlyMap<string, NetworkFailureKind> = new Map([
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'unreachable'],
  ['EHOSTDOWN', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['ENETDOWN', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['ETIMEDOUT', 'timed_out'],
  ['ERR_SOCKET_TIMEOUT', 'timed_out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timed_out'],
  ['ENOTFOUND', 'unknown_name'],
  ['EAI_AGAIN', 'no_name_service'],
  ['ECONNRESET', 'cut'],
  ['ECONNABORTED', 'cut'],
  ['ENETRESET', 'cut'],
  ['EPIPE', 'cut'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'cut'],
  ['UND_ERR_SOCKET', 'cut'],
  ['UND_ERR_CLOSED', 'cut'],
  ['CERT_HAS_EXPIRED', 'certificate'],
  ['CERT_NOT_YET_VALID', 'certificate'],
  ['CERT_UNTRUSTED', 'certificate'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'certificate'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ['ERR_INVALID_CHAR', 'unsendable'],
]);

export interface NetworkFailure {
  readonly kind: NetworkFailureKind;
  /** The system's code: `ECONNREFUSED`; '' if there is none. */
  readonly code: string;
  /** The innermost error with a message. */
  readonly cause: Error;
}

export function networkFailure(thrown: unknown): NetworkFailure {
  let code = '';
  let cause = thrown instanceof Error ? thrown : new Error(String(thrown));
  for (const link of causes(thrown)) {
    if (code === '' && 'code' in link && typeof link.code === 'string') code = link.code;
    if (link.message) cause = link;
  }
  return { kind: kindOfCode(code), code, cause };
}

/** Also for a code that another program printed. */
export const kindOfCode = (code: string): NetworkFailureKind => KINDS.get(code) ?? 'other';

/** Whether no server can be reached from here; otherwise the server was reached but did not answer well. */
export const isOffline = (kind: NetworkFailureKind): boolean =>
  kind === 'refused' ||
  kind === 'unreachable' ||
  kind === 'unknown_name' ||
  kind === 'no_name_service';

/** `fetch` and the SDKs wrap the error, and Node wraps several attempts in an `AggregateError`. */
function* causes(error: unknown): Generator<Error> {
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    yield current;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
}

/** Who was asked, and the next step for each kind of failure. */
export interface ServerHints {
  readonly url: string;
  /** Begins a sentence: `Ollama does not answer`. */
  readonly silence: string;
  /** The option of a call that sets the server's address. */
  readonly option?: OptionName;
  readonly hints: {
    readonly silent: string;
    readonly unknownName: string;
    readonly cut: string;
    readonly address: string;
  };
}

export const CERTIFICATE_HINT =
  "check the address and the machine's clock; where a proxy or a server has a certificate of its own, name its file in NODE_EXTRA_CA_CERTS";

/** A sentence with a next step. Waiting does not correct a certificate or an address. */
export function networkError(thrown: unknown, asked: ServerHints): ProviderError {
  const { url, silence, hints, option } = asked;
  const where: OptionAdvice = option === undefined ? {} : { option };
  const { kind, code, cause } = networkFailure(thrown);
  const failed = (
    retryable: boolean,
    message: string,
    hint: string,
    advice: OptionAdvice = {},
  ): ProviderError =>
    new ProviderError({ kind: 'network_error', retryable }, message, hint, { cause, ...advice });
  switch (kind) {
    case 'refused':
    case 'unreachable':
    case 'timed_out':
      return failed(true, `${silence} at ${url} (${code}).`, hints.silent, where);
    case 'unknown_name':
    case 'no_name_service':
      return failed(
        kind === 'no_name_service',
        `The host of ${url} is not known (${code}).`,
        hints.unknownName,
        where,
      );
    case 'cut':
      return failed(true, `The connection to ${url} was cut.`, hints.cut);
    case 'certificate':
      return failed(
        false,
        `The certificate of ${url} is not trusted: ${cause.message} (${code}).`,
        sentence(CERTIFICATE_HINT),
      );
    case 'unsendable':
    case 'other':
      return failed(
        false,
        `No request can be sent to ${url}: ${cause.message}${code ? ` (${code})` : ''}.`,
        hints.address,
        where,
      );
    default:
      return kind satisfies never;
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** The caller aborted: no fault of the server. */
export const cancelled = (cause?: unknown): ProviderError =>
  new ProviderError({ kind: 'aborted' }, 'The request was cancelled.', '', { cause });
