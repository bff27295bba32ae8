// Failures beside HTTP's own, told apart by the codes of Node and undici; pure.
import type { TurnStatus } from '../../schema/turn.ts';
import { ProviderError } from '../provider.ts';

const network = (retryable: boolean): TurnStatus => ({ kind: 'network_error', retryable });

/** A caller that went away is no fault of the server's; a body that is no JSON is none of Ollama's. */
export function asProviderError(error: unknown, signal: AbortSignal, host: string): ProviderError {
  if (signal.aborted) {
    return new ProviderError({ kind: 'aborted' }, 'The request was cancelled.', '', {
      cause: error,
    });
  }
  if (error instanceof ProviderError) return error;
  if (error instanceof SyntaxError) return notOllama(host, error);
  return networkError(error, host);
}

export const notOllama = (host: string, cause?: unknown): ProviderError =>
  new ProviderError(
    { kind: 'model_error', retryable: false },
    `What answers at ${host} does not speak Ollama's language.`,
    'Check --host and OLLAMA_HOST; Ollama listens on port 11434 by default.',
    { cause },
  );

/** What a request threw, as a `ProviderError` with the way out. */
function networkError(cause: unknown, url: string): ProviderError {
  const code = codeOf(cause);
  const wrap = (status: TurnStatus, message: string, hint: string): ProviderError =>
    new ProviderError(status, message, hint, { cause });
  switch (code) {
    case 'ECONNREFUSED':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
    case 'EADDRNOTAVAIL':
      return wrap(
        network(true),
        `Ollama does not answer at ${url} (${code}).`,
        'Start it with `ollama serve` (get it from https://ollama.com), or say where it runs with --host or OLLAMA_HOST.',
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return wrap(
        network(code === 'EAI_AGAIN'),
        `The host of ${url} is not known (${code}).`,
        'Check the name given with --host or OLLAMA_HOST.',
      );
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_CLOSED':
      return wrap(
        network(true),
        `The connection to Ollama at ${url} was cut.`,
        'See whether `ollama serve` is still running.',
      );
    default:
      return wrap(
        network(false),
        `No request can be sent to ${url}: ${deepest(cause)}${code ? ` (${code})` : ''}.`,
        'Check --host and OLLAMA_HOST: address, port, and http or https.',
      );
  }
}

/** fetch wraps what happened in a `TypeError`, and several attempts in an `AggregateError`. */
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
