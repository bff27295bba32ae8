// Pure: what only Ollama says of a request that it refuses.
import { type FailedResponse, readErrorBody } from '../http/error-body.ts';
import {
  type ErrorDialect,
  FAILED,
  type Failing,
  type FailureVerdict,
  type HttpRefusal,
  type RequestTarget,
  refusalError,
  sayRefusal,
} from '../http/failure.ts';
import type { ProviderError } from '../provider.ts';

interface OllamaRefusal extends HttpRefusal, RequestTarget {
  /** Whether the body has Ollama's form, so that no other server answered. */
  readonly isApi: boolean;
}

/** An unsuccessful response, or an `{"error"}` line in a stream (then `status` is 200). */
export function responseError(
  { status: code, body, header }: FailedResponse,
  asked: RequestTarget,
): ProviderError {
  const { text, isApi } = readErrorBody(body);
  const isInAnswer = code === 200;
  const server = `Ollama at ${asked.url}`;
  return refusalError({ ...asked, code, isInAnswer, text, isApi, header, server }, OLLAMA);
}

type Reading = (refusal: OllamaRefusal) => Failing | FailureVerdict;

/** Ollama itself could not reach its library. */
const libraryGone: Reading = ({ server, text }) => ({
  status: { kind: 'network_error', retryable: true },
  message: `${server} cannot reach its library: ${text}`,
  hint: 'Check that its machine is online, then run the same command again: what is downloaded stays.',
});

const unknownToLibrary: Reading = ({ model }) => ({
  status: FAILED,
  message: `Ollama's library has no model ${model}.`,
  hint: 'Look for its name at https://ollama.com/library, with the tag behind the colon.',
});

const noMemory: Reading = ({ model, text }) => ({
  status: { kind: 'model_error', retryable: false, lacks: 'memory' },
  message: `The model ${model} does not fit into memory: ${text}`,
  hint: 'Choose a smaller context window, or a smaller model.',
  option: 'model',
});

/** Sentences that mean the same whatever their code. */
const SENTENCES: readonly (readonly [RegExp, Reading])[] = [
  [/^error parsing tool call: /, () => 'unreadable_call'],
  [/^llama-server returned invalid tool call arguments/, () => 'unreadable_call'],
  [/^failed to parse JSON: /, () => 'unreadable_call'],
  [/ does not support tools$/, () => 'no_tools'],
  [/requires more system memory|out of memory|cudaMalloc failed/i, noMemory],
  [/^pull model manifest: (file does not exist|.*manifest unknown)/, unknownToLibrary],
  // The server reports these as its own fault, or as its library's.
  [/requires a newer version of Ollama/, () => 'refused'],
  [/no space left on device|not enough space on the disk/i, () => 'refused'],
  [/^invalid (format|JSON schema)/, () => 'refused'],
  [/^option ".*" must be of type/, () => 'refused'],
  [/^(pull model manifest: |max retries exceeded)/, libraryGone],
];

const OLLAMA: ErrorDialect<OllamaRefusal> = {
  read: (refusal) => SENTENCES.find(([form]) => form.test(refusal.text))?.[1](refusal) ?? null,
  address: 'host',
  hints: {
    unknown_key: 'Run `ollama signin`, or choose a model that runs on this machine.',
    forbidden:
      'It only answers to its own address: use 127.0.0.1 as host, or start it with OLLAMA_HOST=0.0.0.0 (and OLLAMA_ORIGINS) on the other machine.',
    crashed: 'If it happens again, memory may be short: try a smaller model or context window.',
  },
  missing: (refusal) =>
    refusal.isApi
      ? {
          message: sayRefusal(`Ollama has no model ${refusal.model}`, refusal),
          hint: `Run \`ollama pull ${refusal.model}\`, or choose another one.`,
          option: 'model',
        }
      : {
          message: sayRefusal(`What answers at ${refusal.url} is not Ollama`, refusal),
          hint: 'Check the address; Ollama listens on port 11434 by default.',
          option: 'host',
        },
};
