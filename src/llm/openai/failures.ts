// Whatever a request threw, as a `ProviderError` in which no secret stands; pure.
import type { TurnStatus } from '../../schema/turn.ts';
import { ProviderError } from '../provider.ts';
import { type FailedResponse, inAnswer } from './error-body.ts';
import { type Asked, responseError } from './errors.ts';
import { Carried } from './transport.ts';

/** What was refused, for those who can ask in another way. */
export interface Failure {
  readonly error: ProviderError;
  /** `null` where no server answered. */
  readonly response: FailedResponse | null;
}

export function failureOf(thrown: unknown, asked: Asked, signal: AbortSignal): Failure {
  if (signal.aborted) {
    const error = new ProviderError({ kind: 'aborted' }, 'The request was cancelled.', '');
    return { error, response: null };
  }
  if (thrown instanceof ProviderError) return { error: thrown, response: null };
  const response = responseIn(thrown);
  if (response !== null) return { error: responseError(response, asked), response };
  const carried = carriedIn(thrown)?.failure.thrown ?? thrown;
  if (carried instanceof ProviderError) return { error: carried, response: null };
  return {
    error: carried instanceof SyntaxError ? noJson(asked) : network(carried, asked),
    response: null,
  };
}

/** Replaces each secret by `***`. What caused the error is dropped: it may quote the request. */
export function withoutSecrets(error: ProviderError, secrets: readonly string[]): ProviderError {
  const clean = (text: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  return new ProviderError(error.status, clean(error.message), clean(error.hint));
}

/** The transport's own, or the `error` of an event, which the SDK throws as an `APIError`. */
function responseIn(thrown: unknown): FailedResponse | null {
  const carried = carriedIn(thrown);
  if (carried !== null) return carried.failure.response ?? null;
  if (!(thrown instanceof Error) || !('error' in thrown) || thrown.error === undefined) return null;
  return inAnswer(thrown.error);
}

function carriedIn(thrown: unknown): Carried | null {
  let current = thrown;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (current instanceof Carried) return current;
    current = current.cause;
  }
  return null;
}

const noJson = ({ url }: Asked): ProviderError =>
  new ProviderError(
    { kind: 'invalid_response' },
    `A part of the answer from ${url} is no JSON.`,
    'Check the base URL; it usually ends in /v1.',
  );

function network(cause: unknown, { url }: Asked): ProviderError {
  const code = codeOf(cause);
  const failed = (retryable: boolean, message: string, hint: string): ProviderError =>
    new ProviderError({ kind: 'network_error', retryable }, message, hint);
  switch (code) {
    case 'ECONNREFUSED':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
    case 'EADDRNOTAVAIL':
      return failed(
        true,
        `No server answers at ${url} (${code}).`,
        'Start it, or say where it runs with its base URL.',
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failed(
        code === 'EAI_AGAIN',
        `The host of ${url} is not known (${code}).`,
        'Check the base URL, and that this machine is online.',
      );
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return failed(
        true,
        `The connection to ${url} was cut.`,
        'See whether the server is still running.',
      );
    case 'ERR_INVALID_CHAR':
      return new ProviderError(
        AUTH,
        'The API key or a header holds characters that cannot be sent.',
        'Check the API key: it may have been copied with something else.',
      );
    default:
      return failed(
        false,
        `No request can be sent to ${url}: ${deepest(cause)}${code ? ` (${code})` : ''}.`,
        'Check the base URL: address, port, and http or https.',
      );
  }
}

const AUTH: TurnStatus = { kind: 'auth_failed' };

/** Several attempts come as an `AggregateError`. */
function* causes(error: unknown): Generator<Error> {
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    yield current;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
}

function codeOf(error: unknown): string {
  for (const link of causes(error)) {
    if ('code' in link && typeof link.code === 'string') return link.code;
  }
  return '';
}

function deepest(error: unknown): string {
  let message = String(error);
  for (const link of causes(error)) message = link.message || message;
  return message;
}
