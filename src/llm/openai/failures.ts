// Pure: turns whatever a request threw into a `ProviderError` without secrets.
import { type FailedResponse, RefusedRequest } from '../http/error-body.ts';
import type { RequestTarget } from '../http/failure.ts';
import { cancelled, networkError, networkFailure } from '../http/network-failures.ts';
import { invalidAnswer, ProviderError } from '../provider.ts';
import { responseError } from './errors.ts';

/** What was refused, for a caller that can ask in another way. */
export interface RequestFailure {
  readonly error: ProviderError;
  /** `null` if no server answered. */
  readonly response: FailedResponse | null;
}

export function requestFailureOf(
  thrown: unknown,
  asked: RequestTarget,
  signal: AbortSignal,
): RequestFailure {
  if (signal.aborted) return { error: cancelled(), response: null };
  if (thrown instanceof ProviderError) return { error: thrown, response: null };
  if (thrown instanceof RefusedRequest) {
    const { response } = thrown;
    return { error: responseError(response, asked), response };
  }
  return {
    error: thrown instanceof SyntaxError ? notJson(asked) : networkFailed(thrown, asked),
    response: null,
  };
}

const notJson = ({ url }: RequestTarget): ProviderError =>
  invalidAnswer(
    `A part of the answer from ${url} is not JSON.`,
    'Check the base URL; it usually ends in /v1.',
    { option: 'baseUrl' },
  );

function networkFailed(thrown: unknown, { url }: RequestTarget): ProviderError {
  if (networkFailure(thrown).kind === 'unsendable') return badHeader();
  return networkError(thrown, {
    url,
    silence: 'No server answers',
    hints: HINTS,
    option: 'baseUrl',
  });
}

const badHeader = (): ProviderError =>
  new ProviderError(
    { kind: 'auth_failed' },
    'The API key or a header holds characters that cannot be sent.',
    'Check the API key: it may have been copied with something else.',
  );

const HINTS = {
  silent: 'Start it, or say where it runs with its base URL.',
  unknownName: 'Check the base URL, and that this machine is online.',
  cut: 'See whether the server is still running.',
  address: 'Check the base URL: address, port, and http or https.',
};
