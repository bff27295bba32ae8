// Pure: every way in which Ollama refuses a request, in its own words.

import type { OptionAdvice } from '../../lib/errors.ts';
import { isRecord, jsonIn } from '../../lib/json-value.ts';
import { UNREADABLE_CALL } from '../../schema/model/turn.ts';
import {
  type Dialect,
  FAILED,
  type Failing,
  type Refusal,
  refusalError,
  serverText,
  type Verdict,
} from '../http/failure.ts';
import type { HeaderLookup } from '../http/retry-after.ts';
import type { ProviderError } from '../provider.ts';
import { shorten } from '../wire/nesting.ts';
import { overflowStatus } from '../wire/overflow.ts';
import { isOverflow } from '../wire/overflow-forms.ts';

export interface FailedResponse {
  readonly status: number;
  readonly body: string;
  readonly header: HeaderLookup;
  readonly url: string;
  readonly model: string;
}

interface OllamaRefusal extends Refusal {
  readonly url: string;
  readonly model: string;
  /** Whether the body has Ollama's form, so that no other server answered. */
  readonly isOllama: boolean;
}

/** An unsuccessful response, or an `{"error"}` line in a stream (then `status` is 200). */
export function responseError({ status, body, ...asked }: FailedResponse): ProviderError {
  const isOllama = errorField(body) !== null;
  return refusalError({ ...asked, code: status, text: errorText(body), isOllama }, OLLAMA);
}

/** The most characters of a server's sentence that are quoted. */
const LONGEST = 2000;

/** Since 0.30 an error can be llama-server's own body, as a JSON string inside `error`. */
function errorText(body: string): string {
  let text = body.trim();
  for (let depth = 0; depth < 3; depth += 1) {
    const inner = errorField(text);
    if (inner === null) break;
    text = inner;
  }
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} …`;
}

function errorField(text: string): string | null {
  const parsed = jsonIn(text);
  if (!isRecord(parsed) || !('error' in parsed)) return null;
  const { error } = parsed;
  if (typeof error === 'string') return error;
  if (!isRecord(error) || !('message' in error)) return JSON.stringify(error);
  return typeof error.message === 'string' ? error.message : shorten(error.message);
}

type Reading = (refusal: OllamaRefusal) => Failing | Verdict;

const tooLong: Reading = ({ text }) => ({
  status: overflowStatus(text),
  message: `The conversation does not fit into the model's context window: ${text}.`,
  hint: 'A larger context window helps, or a smaller goal.',
});

/** The server quotes a call of the model that its own parser could not read. */
const malformedCall: Reading = ({ text }) => ({
  status: UNREADABLE_CALL,
  message: `The model wrote a tool call that Ollama could not read: ${text}`,
  hint: '',
});

/** Ollama itself could not reach its library. */
const libraryGone: Reading = ({ url, text }) => ({
  status: { kind: 'network_error', retryable: true },
  message: `Ollama at ${url} cannot reach its library: ${text}`,
  hint: 'Check that its machine is online, then run the same command again: what is downloaded stays.',
});

const failed =
  (message: (refusal: OllamaRefusal) => string, hint: string, advice: OptionAdvice = {}): Reading =>
  (refusal) => ({ status: FAILED, message: message(refusal), hint, ...advice });

const noMemory: Reading = ({ model, text }) => ({
  status: { kind: 'model_error', retryable: false, lacks: 'memory' },
  message: `The model ${model} does not fit into memory: ${text}`,
  hint: 'Choose a smaller context window, or a smaller model.',
  option: 'model',
});

/** Sentences that mean the same whatever their code. */
const SENTENCES: readonly (readonly [RegExp, Reading])[] = [
  [/^error parsing tool call: /, malformedCall],
  [/^llama-server returned invalid tool call arguments/, malformedCall],
  [/^failed to parse JSON: /, malformedCall],
  [
    / does not support tools$/,
    failed(
      ({ model }) => `The model ${model} cannot call tools.`,
      'Use another model, or let it answer in JSON.',
      { option: 'toolMode', optionValue: 'json' },
    ),
  ],
  [
    / does not support thinking$/,
    failed(({ model }) => `The model ${model} does not support thinking.`, ''),
  ],
  [
    / does not support (chat|generate)$/,
    failed(
      ({ model }) => `The model ${model} cannot hold a conversation.`,
      '`ollama list` shows the installed models: choose another one.',
      { option: 'model' },
    ),
  ],
  [/requires more system memory|out of memory|cudaMalloc failed/i, noMemory],
  [
    /^pull model manifest: (file does not exist|.*manifest unknown)/,
    failed(
      ({ model }) => `Ollama's library has no model ${model}.`,
      'Look for its name at https://ollama.com/library, with the tag behind the colon.',
    ),
  ],
  [
    /requires a newer version of Ollama/,
    failed(
      ({ model }) => `The model ${model} needs a newer Ollama.`,
      'Update Ollama (https://ollama.com/download), then run the same command again.',
    ),
  ],
  [
    /no space left on device|not enough space on the disk/i,
    failed(
      ({ url, text }) => `The disk of the machine that Ollama at ${url} runs on is full: ${text}`,
      'Free some space there, then run the same command again: what is downloaded stays.',
    ),
  ],
  [/^(pull model manifest: |max retries exceeded)/, libraryGone],
  // The server reports these as its own fault.
  [/^invalid (format|JSON schema)/, () => 'refused'],
  [/^option ".*" must be of type/, () => 'refused'],
];

const OLLAMA: Dialect<OllamaRefusal> = {
  read: (refusal) =>
    SENTENCES.find(([form]) => form.test(refusal.text))?.[1](refusal) ??
    (isOverflow(refusal.code, refusal.text, []) ? tooLong(refusal) : null),
  words: {
    redirected: ({ url, code, header }) => ({
      message: `What answers at ${url} redirects to ${header('location') ?? 'nowhere'} (${code}).`,
      hint: 'Give the address it names, without what stands behind /api.',
      option: 'host',
    }),
    unknown_key: ({ url, text }) => ({
      message: `Ollama at ${url} asks for a sign-in (${text || 'unauthorized'}).`,
      hint: 'Run `ollama signin`, or choose a model that runs on this machine.',
    }),
    forbidden: ({ url, text }) => ({
      message: `Ollama at ${url} refuses this client (403${serverText(text)}).`,
      hint: 'It only answers to its own address: use 127.0.0.1 as host, or start it with OLLAMA_HOST=0.0.0.0 (and OLLAMA_ORIGINS) on the other machine.',
    }),
    unpaid: ({ text }) => ({
      message: `Ollama's quota is used up: ${text}`,
      hint: 'Choose a model that runs on this machine.',
    }),
    missing: ({ url, model, text, code, isOllama }) =>
      isOllama
        ? {
            message: `Ollama has no model ${model} (${text}).`,
            hint: `Run \`ollama pull ${model}\`, or choose another one.`,
            option: 'model',
          }
        : {
            message: `What answers at ${url} is not Ollama (${code}).`,
            hint: 'Check the address; Ollama listens on port 11434 by default.',
            option: 'host',
          },
    late: ({ url, code, text }) => ({
      message: `The server at ${url} waited too long for its model (${code}${serverText(text)}).`,
      hint: '',
    }),
    too_large: ({ url, code, text }) => ({
      message: `The request is larger than what answers at ${url} takes (${code}${serverText(text)}).`,
      hint: 'A smaller goal helps, or smaller files.',
    }),
    busy: ({ url, code, text }) => ({
      message: `Ollama at ${url} is busy (${text || code}).`,
      hint: 'Wait until other requests are done, then run the same command again.',
    }),
    dropped: ({ url, code, text }) => ({
      message: `The request was dropped on its way to the model (${code}${serverText(text)}).`,
      hint: `Look at what stands between this machine and ${url}.`,
    }),
    refused: ({ code, text }) => ({
      message: `Ollama refused the request (${code}): ${text}`,
      hint: '',
    }),
    crashed: ({ model, code, text }) => ({
      message: `The model ${model} stopped working (${code === 200 ? 'in mid-answer' : code}): ${text}`,
      hint: 'If it happens again, memory may be short: try a smaller model or context window.',
    }),
  },
};
