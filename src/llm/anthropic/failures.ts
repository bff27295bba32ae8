// Pure: turns any thrown value into a `ProviderError` without the key in it.
import { isRecord } from '../../lib/json-value.ts';
import type { RequestTarget } from '../http/failure.ts';
import { cancelled, networkError } from '../http/network-failures.ts';
import { modelFault, ProviderError } from '../provider.ts';
import { type ScrubText, scrubbedError } from '../secrets/scrubbed-provider.ts';
import { type ApiFailure, failureError } from './errors.ts';

export interface Circumstances extends RequestTarget {
  readonly signal: AbortSignal;
  readonly scrub: ScrubText;
}

/** An abort by the caller is not the server's fault, and a body that is not JSON does not come from the API. */
export const asProviderError = (error: unknown, circumstances: Circumstances): ProviderError =>
  circumstances.signal.aborted
    ? cancelled()
    : (scrubbedError(classify(error, circumstances), circumstances.scrub) as ProviderError);

function classify(error: unknown, { url, model }: Circumstances): ProviderError {
  if (error instanceof ProviderError) return error;
  const failure = apiFailure(error);
  if (failure !== null) return failureError(failure, { url, model });
  if (error instanceof SyntaxError) return notAnthropic(url);
  return networkError(error, {
    url,
    silence: 'Anthropic does not answer',
    hints: HINTS,
    option: 'baseUrl',
  });
}

const ONLINE = 'Check the connection to the internet, and the base URL where one is given.';
const HINTS = {
  silent: ONLINE,
  unknownName: ONLINE,
  cut: 'Run the same command again; it goes on where it was.',
  address: 'Check the base URL: address, port, and http or https.',
};

export const notAnthropic = (url: string): ProviderError =>
  modelFault(
    `What answers at ${url} does not speak Anthropic's language.`,
    'Check the base URL; it goes without /v1.',
    { option: 'baseUrl' },
  );

/**
 * What the SDK made of an unsuccessful answer. Its classes are recognised by their fields, so that they need not be
 * loaded. Null if no answer arrived.
 */
export function apiFailure(error: unknown): ApiFailure | null {
  if (!(error instanceof Error) || !('status' in error) || !('headers' in error)) return null;
  const body = 'error' in error ? error.error : undefined;
  const status = typeof error.status === 'number' ? error.status : null;
  if (status === null && body === undefined) return null;
  const inner = field(body, 'error');
  const { headers } = error;
  return {
    status,
    type: textOf(field(inner, 'type')),
    code: textOf(field(field(inner, 'details'), 'error_code')),
    text: oneLine(textOf(field(inner, 'message')) ?? textOf(inner) ?? plainText(error, status)),
    header: (name) => (headers instanceof Headers ? headers.get(name) : null),
  };
}

const field = (value: unknown, name: string): unknown =>
  isRecord(value) ? value[name] : undefined;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The SDK's sentence begins with the status. */
const plainText = (error: Error, status: number | null): string =>
  status === null ? error.message : error.message.replace(new RegExp(`^${status} `), '');

const oneLine = (text: string): string =>
  text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
