/** Pure: turns what an AI SDK model throws into a `ProviderError`, by its status and its own fields. */
import { readErrorBody } from '../http/error-body.ts';
import {
  type ErrorDialect,
  type HttpRefusal,
  refusalError,
  sayRefusal,
  serverText,
} from '../http/failure.ts';
import { codeNamed, namesSpent } from '../http/named-codes.ts';
import { cancelled, networkError } from '../http/network-failures.ts';
import { NO_HEADERS } from '../http/retry-after.ts';
import { invalidAnswer, ProviderError } from '../provider.ts';
import { jsonOf } from '../wire/nesting.ts';
import { saysOverflow } from '../wire/overflow-forms.ts';

/** As much of a server's text as a person reads. */
const LONGEST = 500;

/** @param text the whole text of the error; it is shown up to its bound */
const inAnswer = (model: string, text: string, names: readonly string[] = []): HttpRefusal => ({
  code: 200,
  isInAnswer: true,
  server: model,
  model,
  names,
  header: NO_HEADERS,
  text: text.slice(0, LONGEST),
  all: text,
});

/** @param model as a person knows it */
export function providerErrorFrom(
  thrown: unknown,
  model: string,
  signal: AbortSignal,
): ProviderError {
  if (signal.aborted) return cancelled(thrown);
  if (thrown instanceof ProviderError) return thrown;
  if (!isError(thrown)) return serverError(thrown, model);
  const { statusCode } = fieldsOf(thrown);
  // An answer that began with success was not refused: the cause says what became of it.
  if (typeof statusCode === 'number' && !isGood(statusCode))
    return refused(thrown, statusCode, model);
  if (isOfNetwork(thrown)) return notReached(thrown, model);
  return isUnreadable(thrown, statusCode) ? unreadable(thrown, model) : failed(thrown, model);
}

/** Errors of another realm count, too, as some test runners make them. */
const isError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error ||
  (typeof thrown === 'object' && thrown !== null && 'name' in thrown && 'message' in thrown);

const isGood = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;

function refused(thrown: Error, code: number, model: string): ProviderError {
  const { isRetryable, responseHeaders, responseBody } = fieldsOf(thrown);
  const headers = headersIn(responseHeaders);
  const body = typeof responseBody === 'string' ? responseBody : '';
  const asked: HttpRefusal = {
    ...inAnswer(model, thrown.message, readErrorBody(body).names),
    code,
    isInAnswer: false,
    all: `${thrown.message} ${body}`,
    header: (name) => headers.get(name) ?? null,
  };
  return withRetry(refusalError(asked, DIALECT), isRetryable);
}

/** An error inside an answer, as the server sent it. */
function serverError(thrown: unknown, model: string): ProviderError {
  const all = typeof thrown === 'string' ? thrown : jsonOf(thrown);
  const { text, names } = readErrorBody(all);
  const { statusCode, isRetryable } = fieldsOf(thrown);
  const code = typeof statusCode === 'number' ? statusCode : codeNamed(names);
  const asked = { ...inAnswer(model, text, names), code, all };
  return withRetry(refusalError(asked, DIALECT), isRetryable);
}

const notReached = (thrown: Error, model: string): ProviderError =>
  networkError(thrown, {
    url: model,
    silence: 'No server answers',
    hints: {
      silent: 'Check that it is running.',
      unknownName: 'Check its address, and that this machine is online.',
      cut: 'See whether the server is still running.',
      address: 'Check its address.',
    },
  });

/** The SDK's error names for an unusable answer. */
const UNREADABLE = new Set([
  'AI_EmptyResponseBodyError',
  'AI_InvalidResponseDataError',
  'AI_JSONParseError',
  'AI_NoContentGeneratedError',
  'AI_TypeValidationError',
]);

const isUnreadable = (thrown: Error, statusCode: unknown): boolean =>
  UNREADABLE.has(thrown.name) || typeof statusCode === 'number';

/** After the first line the SDK explains what it looked for. */
const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, LONGEST);

const unreadable = (thrown: Error, model: string): ProviderError =>
  invalidAnswer(
    `What ${model} answered cannot be read${serverText(firstLine(thrown.message))}`,
    'Check the address that the model was made with.',
    { cause: thrown },
  );

/** An error of the SDK itself is not a network failure. */
function failed(thrown: Error, model: string): ProviderError {
  const { message } = thrown;
  if (saysOverflow(200, message, [])) return refusalError(inAnswer(model, message), DIALECT);
  const retryable = fieldsOf(thrown).isRetryable === true;
  return new ProviderError(
    { kind: 'model_error', retryable },
    `The model ${model} failed${serverText(message.slice(0, LONGEST))}`,
    '',
    { cause: thrown },
  );
}

interface Fields {
  readonly statusCode?: unknown;
  readonly isRetryable?: unknown;
  readonly responseHeaders?: unknown;
  readonly responseBody?: unknown;
}

const fieldsOf = (thrown: unknown): Fields =>
  typeof thrown === 'object' && thrown !== null ? thrown : {};

/** `fetch` reports it like this; the SDK wraps it, and says that another attempt may help. */
const isOfNetwork = (thrown: unknown): boolean =>
  thrown instanceof TypeError ||
  (thrown instanceof Error && (isSystemError(thrown) || isOfNetwork(thrown.cause)));

const isSystemError = (error: Error): boolean =>
  'code' in error && typeof error.code === 'string' && /^(E[A-Z]{3,}|UND_ERR)/.test(error.code);

function headersIn(headers: unknown): ReadonlyMap<string, string> {
  const all = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  return new Map(all.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** The SDK's own word on retrying counts more than the code alone. */
function withRetry(error: ProviderError, isRetryable: unknown): ProviderError {
  const { status, message, hint } = error;
  const isOpen = status.kind === 'model_error' || status.kind === 'network_error';
  if (!isOpen || typeof isRetryable !== 'boolean' || isRetryable === status.retryable) return error;
  return new ProviderError({ ...status, retryable: isRetryable }, message, hint, {
    cause: error.cause,
  });
}

const DIALECT: ErrorDialect<HttpRefusal> = {
  read: ({ names = [] }) => (namesSpent(names) ? 'unpaid' : null),
  missing: (refusal) => ({
    message: sayRefusal(`${refusal.server} is not there`, refusal),
    hint: 'Check the name of the model and its address.',
  }),
};
