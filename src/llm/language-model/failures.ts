/** What a model of the AI SDK throws, as a `ProviderError`: by its status and what it says of itself; pure. */
import { type Dialect, type Refusal, refusalError, said, type Words } from '../http/failure.ts';
import { cancelled, networkError } from '../http/network-failures.ts';
import { ProviderError } from '../provider.ts';
import { overflowStatus } from '../wire/overflow.ts';
import { isOverflow } from '../wire/overflow-forms.ts';

/** As much of a server's words as a person reads. */
const LONGEST = 500;

interface Asked extends Refusal {
  /** With the body, as it came. */
  readonly all: string;
  readonly model: string;
}

/** @param model as a person knows it */
export function failureOf(thrown: unknown, model: string, signal: AbortSignal): ProviderError {
  if (signal.aborted) return cancelled(thrown);
  if (thrown instanceof ProviderError) return thrown;
  const { statusCode, isRetryable, message, responseHeaders, responseBody } = fieldsOf(thrown);
  if (typeof statusCode === 'number') {
    const headers = headersIn(responseHeaders);
    const text = typeof message === 'string' ? message : '';
    const all = `${text} ${typeof responseBody === 'string' ? responseBody : ''}`;
    const header = (name: string): string | null => headers.get(name) ?? null;
    const error = refusalError(
      { code: statusCode, text: text.slice(0, LONGEST), all, header, model },
      DIALECT,
    );
    return withRetry(error, isRetryable);
  }
  // An error in the middle of an answer, or one of the SDK's own, is no matter of the network.
  if (!isOfNetwork(thrown)) {
    const text = typeof message === 'string' ? message : JSON.stringify(thrown ?? '');
    const refusal = {
      code: 200,
      text: text.slice(0, LONGEST),
      all: text,
      header: () => null,
      model,
    };
    if (isOverflow(200, text, [])) return refusalError(refusal, DIALECT);
    const status = { kind: 'model_error', retryable: isRetryable === true } as const;
    return new ProviderError(status, `The model ${model} failed${said(refusal.text)}`, '', {
      cause: thrown,
    });
  }
  return networkError(thrown, {
    url: model,
    silence: 'No server answers',
    hints: {
      silent: 'Check that it is running.',
      unknownName: 'Check its address, and that this machine is online.',
      cut: 'See whether the server is still running.',
      address: 'Check its address.',
    },
  });
}

interface Fields {
  readonly statusCode?: unknown;
  readonly isRetryable?: unknown;
  readonly message?: unknown;
  readonly responseHeaders?: unknown;
  readonly responseBody?: unknown;
  readonly cause?: unknown;
}

const fieldsOf = (thrown: unknown): Fields =>
  typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) };

/** `fetch` says it so; the SDK wraps it, and says that another try may help. */
const isOfNetwork = (thrown: unknown): boolean =>
  thrown instanceof TypeError ||
  (thrown instanceof Error && (isSystemError(thrown) || isOfNetwork(thrown.cause)));

const isSystemError = (error: Error): boolean =>
  'code' in error && typeof error.code === 'string' && /^(E[A-Z]{3,}|UND_ERR)/.test(error.code);

function headersIn(headers: unknown): ReadonlyMap<string, string> {
  const all = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  return new Map(all.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** What the SDK says of another try counts more than what the code alone would mean. */
function withRetry(error: ProviderError, isRetryable: unknown): ProviderError {
  const { status, message, hint } = error;
  const isOpen = status.kind === 'model_error' || status.kind === 'network_error';
  if (!isOpen || typeof isRetryable !== 'boolean' || isRetryable === status.retryable) return error;
  return new ProviderError({ ...status, retryable: isRetryable }, message, hint, {
    cause: error.cause,
  });
}

const words =
  (what: string, hint = '') =>
  ({ model, text, code }: Asked): Words => ({
    message: `${model}: ${what} (${code})${said(text)}`,
    hint,
  });

const DIALECT: Dialect<Asked> = {
  read: ({ code, text, all, model }) =>
    isOverflow(code, all, [])
      ? {
          status: overflowStatus(all),
          message: `The conversation does not fit into the context window of ${model}${said(text)}`,
          hint: 'A larger context window helps, or a smaller goal.',
        }
      : null,
  words: {
    redirected: words('the address redirects', 'Check the address of the model.'),
    unknown_key: words('the key is not accepted', 'Check the key that the model was made with.'),
    forbidden: words('the key may not use it', 'Use another key, or another model.'),
    unpaid: words('there is no credit left', 'Add credit, or use another key.'),
    missing: words('there is no such model', 'Check the name of the model and its address.'),
    late: words('the server waited too long', 'Try it again.'),
    too_large: words('the request is too large', 'A smaller goal helps, or smaller files.'),
    busy: words('fewer requests are asked for', 'Wait a little, then try again.'),
    dropped: words('the request was dropped on its way', 'Try it again.'),
    refused: words('the request was refused'),
    crashed: words('the server failed', 'Try it again later.'),
  },
};
