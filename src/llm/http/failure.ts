// Pure: what a refusal means, the same for every server: its code, then a status, a sentence, a next step. A provider
// adds what its server says in other ways, and next steps of its own.
import { adviceIn, type OptionName, type RecoveryHint } from '../../lib/errors.ts';
import { type TurnStatus, UNREADABLE_CALL } from '../../schema/model/turn.ts';
import { ProviderError } from '../provider.ts';
import { overflowStatus } from '../wire/overflow.ts';
import { saysOverflow } from '../wire/overflow-forms.ts';
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
  | 'crashed'
  | 'no_tools'
  /** The model wrote a call that the server could not read. */
  | 'unreadable_call';

const CODES: Readonly<Record<number, Failing>> = {
  401: 'unknown_key',
  402: 'unpaid',
  403: 'forbidden',
  404: 'missing',
  405: 'missing',
  408: 'late',
  // A conflict with another request, and a request that came too early: both pass.
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

function failingOf(code: number): Failing {
  const known = CODES[code];
  if (known !== undefined) return known;
  if (code >= 300 && code < 400) return 'redirected';
  // Cloudflare's codes, from a proxy in front of the server.
  if (code >= 520 && code <= 527) return 'dropped';
  return code >= 400 && code < 500 ? 'refused' : 'crashed';
}

/** For messages: who was asked for what. */
export interface RequestTarget {
  readonly url: string;
  readonly model: string;
}

export interface HttpRefusal {
  /** The HTTP status, or what the server names instead; 200 for an error inside an answer that names none. */
  readonly code: number;
  /** True if the error came inside an answer that had begun with success. */
  readonly isInAnswer: boolean;
  /** The server's sentence; '' if it says nothing. */
  readonly text: string;
  /** The server's whole text, if the sentence is only a part of it. */
  readonly all?: string;
  /** The codes and types that the error names. */
  readonly names?: readonly string[];
  readonly header: HeaderLookup;
  /** Begins a sentence: `Ollama at http://…`. */
  readonly server: string;
  readonly model: string;
}

export interface FailureWords extends RecoveryHint {
  readonly message: string;
}

export interface FailureVerdict extends FailureWords {
  readonly status: TurnStatus;
}

export interface ErrorDialect<Asked extends HttpRefusal> {
  /** What the sentence or the name of an error says, whatever its code; `null`: the code decides. */
  read(refusal: Asked): Failing | FailureVerdict | null;
  /** No such model, or no such path. */
  missing(refusal: Asked): FailureWords;
  readonly hints?: { readonly [failing in Failing]?: string };
  /** The option of a call that sets the server's address. */
  readonly address?: OptionName;
}

/** Asking again would not help. */
export const FAILED: TurnStatus = { kind: 'model_error', retryable: false };

export function refusalError<Asked extends HttpRefusal>(
  refusal: Asked,
  dialect: ErrorDialect<Asked>,
): ProviderError {
  const meant = dialect.read(refusal) ?? failingIn(refusal);
  const { status, message, hint, ...advice } =
    typeof meant === 'string'
      ? { status: statusOf(meant, refusal), ...wordsOf(meant, refusal, dialect) }
      : meant;
  return new ProviderError(status, message, hint, adviceIn(advice));
}

function failingIn({ code, isInAnswer, text, all = text, names = [] }: HttpRefusal): Failing {
  return saysOverflow(isInAnswer ? 200 : code, all, names) ? 'too_large' : failingOf(code);
}

function statusOf(failing: Failing, { text, all = text, header }: HttpRefusal): TurnStatus {
  switch (failing) {
    case 'unknown_key':
    case 'forbidden':
      return { kind: 'auth_failed' };
    case 'unpaid':
      return { kind: 'quota_exceeded' };
    case 'late':
      return { kind: 'timeout' };
    case 'too_large':
      return overflowStatus(all);
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
    case 'no_tools':
      return FAILED;
    case 'unreadable_call':
      return UNREADABLE_CALL;
    default:
      return failing satisfies never;
  }
}

function wordsOf<Asked extends HttpRefusal>(
  failing: Failing,
  refusal: Asked,
  { missing, hints, address }: ErrorDialect<Asked>,
): FailureWords {
  if (failing === 'missing') return missing(refusal);
  const [sentence, hint] = WORDS[failing];
  return {
    message: sayRefusal(sentence(refusal), refusal),
    hint: hints?.[failing] ?? hint,
    ...(failing === 'redirected' && address !== undefined ? { option: address } : {}),
    ...(failing === 'no_tools' ? ({ option: 'toolMode', optionValue: 'json' } as const) : {}),
  };
}

/** `SENTENCE (404): what the server said` */
export function sayRefusal(sentence: string, { code, isInAnswer, text }: HttpRefusal): string {
  const place = isInAnswer ? ' in mid-answer' : '';
  return `${sentence} (${`${code === 200 ? '' : code}${place}`.trim()})${serverText(text) || '.'}`;
}

/** `: what the server said`, or nothing. */
export const serverText = (text: string): string => (text === '' ? '' : `: ${text}`);

const LATER = 'Wait a while, then run the same command again.';

const WORDS: {
  readonly [failing in Exclude<Failing, 'missing'>]: readonly [
    sentence: (refusal: HttpRefusal) => string,
    hint: string,
  ];
} = {
  redirected: [
    ({ server, header }) => `${server} redirects to ${header('location') ?? 'another address'}`,
    'Give the address that it names, without the path of the request.',
  ],
  unknown_key: [
    ({ server }) => `${server} refuses the API key`,
    'Check the API key, and that it belongs to this address.',
  ],
  forbidden: [
    ({ server }) => `${server} refuses the API key`,
    'The key may not use this model, or not from here: check its permissions.',
  ],
  unpaid: [
    ({ server }) => `${server} says that the quota or credit is used up`,
    'Add credit or raise the limit of the key, or choose another model or provider.',
  ],
  late: [({ server }) => `${server} waited too long for its model`, ''],
  too_large: [
    ({ model }) => `The conversation does not fit into one request to ${model}`,
    'A larger context window helps, or a smaller goal.',
  ],
  busy: [({ server }) => `${server} is busy or limits how often it may be asked`, LATER],
  dropped: [
    () => 'The request was dropped on its way to the model',
    'If it happens again, look at what stands between this machine and the model.',
  ],
  refused: [({ server }) => `${server} refused the request`, ''],
  crashed: [
    ({ server }) => `${server} failed`,
    'If it happens again, look at the log of the server.',
  ],
  no_tools: [
    ({ model }) => `The model ${model} cannot call tools here`,
    'Use another model, or let it answer in JSON.',
  ],
  unreadable_call: [() => 'The model wrote a tool call that the server could not read', ''],
};
