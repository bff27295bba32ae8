/** Pure: why a request is refused, as RFC 9457 defines it; one table maps our codes to statuses. */

import { defined } from '../../lib/defined.ts';
import { type ErrorCode, TardigradeError } from '../../lib/errors.ts';
import { ProviderError } from '../../llm/provider.ts';
import type { Problem } from '../api/schemas.ts';

const STATUS = {
  E_USAGE: 400,
  E_BODY: 400,
  E_TOKEN: 401,
  E_RIGHT: 403,
  E_ORIGIN: 403,
  E_UNKNOWN: 404,
  E_METHOD: 405,
  E_LOCKED: 409,
  E_FENCED: 409,
  E_ANSWERED: 409,
  E_BUSY: 409,
  E_GONE: 410,
  E_TOO_LARGE: 413,
  E_TYPE: 415,
  E_HOST: 421,
  E_WORKSPACE: 422,
  E_OUTSIDE: 422,
  E_FOREIGN: 422,
  E_JOURNAL_CORRUPT: 422,
  E_JOURNAL_MISSING: 422,
  E_STATE_GONE: 422,
  E_TOO_NEW: 422,
  E_TOO_MANY: 429,
  E_INTERNAL: 500,
  E_IO: 500,
  E_PROVIDER: 502,
  E_STOPPING: 503,
  E_INTERRUPTED: 503,
  E_DISK_FULL: 507,
} as const satisfies { readonly [Code in ErrorCode]: number } & { readonly [code: string]: number };

/** Codes that exist only in the server. */
type ServerCode = Exclude<keyof typeof STATUS, ErrorCode>;

/** Seconds until another attempt makes sense. */
const RETRY_AFTER: { readonly [status: number]: number } = { 429: 10, 503: 5 };

/** A refusal by the server itself. */
export class ServerRefusal extends Error {
  constructor(
    readonly code: ServerCode,
    message: string,
    readonly hint: string,
    readonly headers: { readonly [name: string]: string } = {},
  ) {
    super(message);
  }
}

/** @param kept stores an error that is our bug, and returns the words to find it by */
export function refusalAnswer(error: unknown, kept: (error: unknown) => string) {
  const said = wordsOf(error, kept);
  const status = STATUS[said.code] ?? 500;
  const after = RETRY_AFTER[status];
  return {
    status,
    headers: {
      ...(error instanceof ServerRefusal ? error.headers : {}),
      ...(after === undefined ? {} : { 'Retry-After': String(after) }),
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    },
    problem: {
      type: `urn:tardigrade:error:${said.code}`,
      title: TITLES[status] ?? 'Internal error',
      status,
      ...said,
    },
  };
}

type Said = Pick<Problem, 'detail' | 'hint' | 'option' | 'optionValue'> & {
  readonly code: keyof typeof STATUS;
};

function wordsOf(error: unknown, kept: (error: unknown) => string): Said {
  if (error instanceof ServerRefusal)
    return { code: error.code, detail: error.message, hint: error.hint };
  if (error instanceof TardigradeError && error.code !== 'E_INTERNAL') {
    const { code, message, option, optionValue } = error;
    return { code, detail: message, hint: hintOf(error), ...defined({ option, optionValue }) };
  }
  if (error instanceof ProviderError)
    return {
      code: 'E_PROVIDER',
      detail: error.message,
      hint: 'The command doctor says what is missing.',
    };
  const detail = `This is a bug of the server; nothing that was done is lost. ${kept(error)}`;
  return { code: 'E_INTERNAL', detail, hint: 'Report it with what the log says.' };
}

/** The next step, with the command that takes it: each door has its own name for the program. */
const hintOf = ({ hint, command }: TardigradeError): string =>
  command === undefined ? hint : `${hint.replace(/\.$/, '')} (the command ${command.join(' ')}).`;

const TITLES: { readonly [status: number]: string } = {
  400: 'The request cannot be read',
  401: 'No valid token',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not this way',
  409: 'Not at this moment',
  410: 'Not wanted any more',
  413: 'Too large',
  415: 'Not JSON',
  421: 'Another server',
  422: 'Not here',
  429: 'Too many',
  502: 'The model does not answer',
  503: 'The server is stopping',
  507: 'The disk is full',
};

export const unknownRefusal = (what: string, hint: string): ServerRefusal =>
  new ServerRefusal('E_UNKNOWN', `There is no ${what}.`, hint);
export const busyRefusal = (why: string, hint: string): ServerRefusal =>
  new ServerRefusal('E_BUSY', why, hint);
