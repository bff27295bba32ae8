/** Classifies failures of a server by types and codes, not by texts, as a status with a message. */
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { oneLine } from '../../lib/text/plain-text.ts';
import { shortened } from '../../lib/text/shortened.ts';
import type { ActionStatus } from '../../schema/actions.ts';

export interface ServerFailure {
  readonly status: Extract<ActionStatus, 'timeout' | 'mcp_error' | 'connection_error'>;
  readonly why: string;
}

const MAX_WORDS = 500;

export function serverFailureOf(error: unknown): ServerFailure {
  if (error instanceof SdkHttpError) return { status: 'connection_error', why: wordsOf(error) };
  if (error instanceof UnauthorizedError)
    return { status: 'connection_error', why: NOT_LET_IN(401) };
  if (error instanceof SdkError)
    return { status: STATUS[error.code] ?? 'connection_error', why: textOf(error) };
  if (error instanceof RangeError) return { status: 'mcp_error', why: TOO_DEEP };
  // The response was read but was not an answer.
  const isAnswer = error instanceof ProtocolError || error instanceof SyntaxError;
  return { status: isAnswer ? 'mcp_error' : 'connection_error', why: textOf(error) };
}

const STATUS: { readonly [code in SdkErrorCode]?: ServerFailure['status'] } = {
  [SdkErrorCode.RequestTimeout]: 'timeout',
  [SdkErrorCode.InvalidResult]: 'mcp_error',
  [SdkErrorCode.UnsupportedResultType]: 'mcp_error',
  [SdkErrorCode.CapabilityNotSupported]: 'mcp_error',
  [SdkErrorCode.MethodNotSupportedByProtocolVersion]: 'mcp_error',
  [SdkErrorCode.InputRequiredRoundsExceeded]: 'mcp_error',
  [SdkErrorCode.ListPaginationExceeded]: 'mcp_error',
};

/** The stack does not suffice to read it. */
const TOO_DEEP = 'its answer is nested too deeply to be read';

const NOT_LET_IN = (status: number): string =>
  `it answered ${status}: it wants a key, or another one, in its headers`;

function wordsOf(error: SdkHttpError): string {
  const { status } = error;
  if (status === 401 || status === 403) return NOT_LET_IN(status);
  return `it answered ${status}: ${textOf(error)}`;
}

/** Adds the underlying reason unless the message names it: `fetch failed` alone is useless. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return shortened(oneLine(String(error)), MAX_WORDS);
  const { cause, message } = error;
  const beneath =
    cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : '';
  const added = message.includes(beneath) ? '' : ` (${beneath})`;
  return shortened(oneLine(`${message}${added}`), MAX_WORDS);
}
