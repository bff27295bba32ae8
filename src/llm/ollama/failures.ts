// Pure: turns whatever a request threw into a `ProviderError` with Ollama's next steps.
import { cancelled, networkError } from '../http/network-failures.ts';
import { modelFault, ProviderError } from '../provider.ts';
import { scrubbedError, textScrubber } from '../secrets/scrubbed-provider.ts';

export type FailureAt = (error: unknown, signal: AbortSignal) => ProviderError;

export function failureAt(host: string, secrets: readonly string[]): FailureAt {
  const scrub = textScrubber(secrets);
  return (error, signal) =>
    scrubbedError(asProviderError(error, signal, host), scrub) as ProviderError;
}

/** An abort by the caller is not the server's fault, and a body that is not JSON does not come from Ollama. */
export function asProviderError(error: unknown, signal: AbortSignal, host: string): ProviderError {
  if (signal.aborted) return cancelled(error);
  if (error instanceof ProviderError) return error;
  if (error instanceof SyntaxError) return notOllama(host, error);
  return networkError(error, {
    url: host,
    silence: 'Ollama does not answer',
    hints: HINTS,
    option: 'host',
  });
}

const HINTS = {
  silent: 'Start it with `ollama serve` (get it from https://ollama.com), or say where it runs.',
  unknownName: 'Check the name in its address.',
  cut: 'See whether `ollama serve` is still running.',
  address: 'Check its address: name, port, and http or https.',
};

export const notOllama = (host: string, cause?: unknown): ProviderError =>
  modelFault(
    `What answers at ${host} does not speak Ollama's language.`,
    'Check the address; Ollama listens on port 11434 by default.',
    { cause, option: 'host' },
  );
