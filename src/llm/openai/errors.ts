// Pure: every way in which an OpenAI-compatible server refuses a request, in words that fit them all.
import { UNREADABLE_CALL } from '../../schema/model/turn.ts';
import { type ErrorBody, type FailedResponse, readErrorBody } from '../http/error-body.ts';
import {
  type Dialect,
  FAILED,
  type Failing,
  type Refusal as HttpRefusal,
  refusalError,
  serverText,
  type Verdict,
  type Words,
} from '../http/failure.ts';
import { codeNamed, namesSpent } from '../http/named-codes.ts';
import type { ProviderError } from '../provider.ts';
import { isOverflow } from '../wire/overflow-forms.ts';

/** For messages: who was asked for what. */
export interface RequestTarget {
  readonly url: string;
  readonly model: string;
}

interface Refusal extends HttpRefusal, RequestTarget, ErrorBody {
  readonly isInAnswer: boolean;
}

/** A local server that is loading its model reports nothing else; loading takes about this long. */
const LOADING_MS = 15_000;

/** An unsuccessful response, or an error inside an answer (then `status` is 200). */
export function responseError(response: FailedResponse, asked: RequestTarget): ProviderError {
  const body = readErrorBody(response.body);
  const isInAnswer = response.status === 200;
  const code = isInAnswer ? codeNamed(body.names) : response.status;
  const { header } = response;
  return refusalError({ ...asked, ...body, code, header, isInAnswer }, OPENAI);
}

const QUOTA_WORDS =
  /exceeded your current quota|insufficient (credits|balance|funds)|(out of|more|no) credits|key limit exceeded/i;
const FILTERED = new Set(['content_filter', 'content_policy_violation', 'moderation_blocked']);
/** OpenRouter's 402 for too many simultaneous requests. */
const IN_FLIGHT = 'openrouter_in_flight_budget';

const NO_TOOLS =
  /does not support (tools|tool use|function calling)|support tool use|tool calling (is )?not supported|requires --jinja|--enable-auto-tool-choice/i;
const MALFORMED_CALL =
  /^error parsing tool call: |invalid tool call arguments for|failed to call a function|^failed to parse (input|JSON)/i;

/** Texts that mean the same whatever their code. */
function read(refusal: Refusal): Failing | Verdict | null {
  const { code, text, names, isApi, isInAnswer } = refusal;
  if (isOverflow(code, text, names)) return 'too_large';
  if (isQuota(refusal)) return 'unpaid';
  if (names.some((name) => FILTERED.has(name)) || isFlagged(refusal)) return filtered(refusal);
  if (NO_TOOLS.test(text)) return noTools(refusal);
  if (names.includes('tool_use_failed') || MALFORMED_CALL.test(text)) return malformedCall(refusal);
  if (code === 503 && /loading model/i.test(text)) return loading(refusal);
  if (isInAnswer && !isApi) return { status: FAILED, ...notAnApi(refusal) };
  return names.includes(IN_FLIGHT) ? 'busy' : null;
}

/** Google says "quota" for every rate limit. */
function isQuota({ code, text, names, header }: Refusal): boolean {
  if (namesSpent(names)) return true;
  if (names.includes(IN_FLIGHT)) return false;
  if (code === 402) return true;
  return (
    (code === 429 || code === 403) &&
    QUOTA_WORDS.test(text) &&
    !names.includes('resource_exhausted') &&
    header('retry-after') === null
  );
}

const isFlagged = ({ code, text }: Refusal): boolean =>
  code === 403 && /flagged|moderation/i.test(text);

const filtered = ({ text }: Refusal): Verdict => ({
  status: { kind: 'refused' },
  message: `A filter of the provider refused the request: ${text}`,
  hint: 'Put the goal in other words, or choose another model.',
});

const noTools = ({ model, text }: Refusal): Verdict => ({
  status: FAILED,
  message: `The model ${model} cannot call tools here: ${text}`,
  hint: 'Use another model, or let it answer in JSON.',
  option: 'toolMode',
  optionValue: 'json',
});

const malformedCall = ({ text }: Refusal): Verdict => ({
  status: UNREADABLE_CALL,
  message: `The model wrote a tool call that the server could not read: ${text}`,
  hint: '',
});

const loading = ({ url }: Refusal): Verdict => ({
  status: { kind: 'rate_limited', retryAfterMs: LOADING_MS },
  message: `The server at ${url} is still loading the model.`,
  hint: 'Wait until it is loaded, then run the same command again.',
});

const notAnApi = ({ url, text, code }: Refusal): Words => ({
  message: `What answers at ${url} is not an OpenAI-compatible API (${code}${serverText(text)}).`,
  hint: 'Check the base URL; it usually ends in /v1.',
  option: 'baseUrl',
});

const keyRefused = ({ url, code, text }: Refusal): string =>
  `The server at ${url} refuses the API key (${code}${serverText(text)}).`;

/** An API's own 404 is about the model; any other 404 means a wrong address. */
const isPathMissing = ({ isApi, text }: Refusal): boolean =>
  !isApi || /^(file )?not found$|unknown (request )?url|invalid url/i.test(text);

const OPENAI: Dialect<Refusal> = {
  read,
  words: {
    redirected: ({ url, code, header }) => ({
      message: `What answers at ${url} redirects to ${header('location') ?? 'nowhere'} (${code}).`,
      hint: 'Give the address it names as the base URL.',
      option: 'baseUrl',
    }),
    unknown_key: (refusal) => ({
      message: keyRefused(refusal),
      hint: 'Check the API key, and that it belongs to this base URL.',
    }),
    forbidden: (refusal) => ({
      message: keyRefused(refusal),
      hint: 'The key may not use this model, or not from here: check its permissions.',
    }),
    unpaid: ({ url, text, code }) => ({
      message: `The quota or credit at ${url} is used up: ${text || code}`,
      hint: 'Add credit or raise the limit of the key, or choose another model or provider.',
    }),
    missing: (refusal) =>
      isPathMissing(refusal)
        ? notAnApi(refusal)
        : {
            message: `The server at ${refusal.url} has no model ${refusal.model} for this (${refusal.text}).`,
            hint: 'Choose one of those that it has.',
            command: ['models'],
            option: 'model',
          },
    late: ({ url, code, text }) => ({
      message: `The server at ${url} waited too long for its model (${code}${serverText(text)}).`,
      hint: '',
    }),
    too_large: ({ text, code }) => ({
      message: `The conversation does not fit into the model's context window: ${text || code}`,
      hint: 'A larger context window helps, or a smaller goal.',
    }),
    busy: ({ url, code, text }) => ({
      message: `The server at ${url} is busy or limits how often it may be asked (${code}${serverText(text)}).`,
      hint: 'Wait a while, then run the same command again.',
    }),
    dropped: ({ url, code, text }) => ({
      message: `The request was dropped on its way to the model (${code}${serverText(text)}).`,
      hint: `Look at what stands between this machine and the model, ${url} first.`,
    }),
    refused: ({ url, code, text }) => ({
      message: `The server at ${url} refused the request (${code}): ${text}`,
      hint: '',
    }),
    crashed: ({ model, code, text }) => ({
      message: `The model ${model} stopped working (${code === 200 ? 'in mid-answer' : code}): ${text}`,
      hint: 'If it happens again, look at the log of the server.',
    }),
  },
};
