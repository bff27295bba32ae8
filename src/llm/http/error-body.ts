// Pure: what a refusing server says, in any format: one sentence, one code.

import { isRecord, jsonIn } from '../../lib/json-value.ts';
import { onOneLine } from '../../lib/text/one-line.ts';
import { jsonOf } from '../wire/nesting.ts';
import { type HeaderLookup, NO_HEADERS } from './retry-after.ts';

export interface FailedResponse {
  /** 200 for an error inside an answer. */
  readonly status: number;
  readonly body: string;
  readonly header: HeaderLookup;
}

/** The server answered with a refusal. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';

  constructor(readonly response: FailedResponse) {
    super('The request was refused.');
  }
}

export interface ErrorBody {
  /** The server's sentence, followed by what it quotes from an upstream server. */
  readonly text: string;
  /** Every code and type that it names, in lower case: `insufficient_quota`, `429`. */
  readonly names: readonly string[];
  readonly param: string;
  /** Whether the body was an error as JSON, so that an API answered and not a web server in front of it. */
  readonly isApi: boolean;
}

export const inAnswer = (error: unknown): FailedResponse => ({
  status: 200,
  body: jsonOf({ error }),
  header: NO_HEADERS,
});

const LONGEST = 400;

type Fields = Readonly<Record<string, unknown>>;

export function readErrorBody(body: string): ErrorBody {
  const parsed = parse(body);
  if (parsed === undefined)
    return { text: shorten(pageTitle(body) ?? body), names: [], param: '', isApi: false };
  const found = errorsIn(parsed, 0);
  const texts = found.map((fields) => messageOf(fields)).filter((text) => text !== '');
  const distinct = texts.filter((text, index) => texts.indexOf(text) === index);
  return {
    text: shorten(distinct.join(': ') || body),
    names: found.flatMap((fields) =>
      [fields.code, fields.type, fields.status, limitSource(fields)]
        .filter((name) => typeof name === 'string' || typeof name === 'number')
        .map((name) => String(name).toLowerCase()),
    ),
    param: String(found.find((fields) => typeof fields.param === 'string')?.param ?? ''),
    isApi: found.length > 0 && !isBareNotFound(parsed),
  };
}

/**
 * The error and those that it quotes: OpenRouter keeps the upstream's body in `metadata.raw`, Ollama's llama-server
 * body is JSON inside `message`, Google sends a list of one.
 */
function errorsIn(value: unknown, depth: number): Fields[] {
  if (depth > 4) return [];
  if (Array.isArray(value)) return errorsIn(value[0], depth + 1);
  if (typeof value === 'string') {
    const inner = parse(value);
    return typeof inner === 'object' && inner !== null
      ? errorsIn(inner, depth + 1)
      : [{ message: value }];
  }
  if (!isRecord(value)) return [];
  if (value.error !== undefined && value.error !== null) {
    const { error, ...around } = value;
    const inner = errorsIn(error, depth + 1);
    return isRecord(around) && 'message' in around ? [...inner, { ...around }] : inner;
  }
  const quoted = isRecord(value.metadata) ? value.metadata.raw : undefined;
  const nested = typeof value.message === 'string' && parse(value.message) !== undefined;
  return [
    ...(nested ? errorsIn(value.message, depth + 1) : []),
    nested ? { ...value, message: '' } : value,
    ...(quoted === undefined ? [] : errorsIn(quoted, depth + 1)),
  ];
}

function messageOf({ message, detail, errors }: Fields): string {
  for (const field of [message, detail, errors]) {
    if (typeof field === 'string' && field.trim() !== '') return field.trim();
    if (typeof field === 'object' && field !== null) return jsonOf(field);
  }
  return '';
}

const limitSource = ({ metadata }: Fields): unknown =>
  isRecord(metadata) ? metadata.limit_source : undefined;

/** What a web framework says about an address it does not have. */
const isBareNotFound = (parsed: unknown): boolean =>
  isRecord(parsed) && parsed.error === undefined && parsed.detail === 'Not Found';

/** Only objects, lists and strings count as JSON here. */
const parse = (text: string): unknown => (/^\s*[{["]/.test(text) ? jsonIn(text) : undefined);

const pageTitle = (body: string): string | null => {
  if (!/<html|<!doctype|<body/i.test(body)) return null;
  const title = /<title[^<>]*>([^<]*)/i.exec(body)?.[1]?.trim();
  return title ? `a web page, "${title}"` : 'a web page';
};

const shorten = (text: string): string => {
  const line = onOneLine(text);
  return line.length > LONGEST ? `${line.slice(0, LONGEST)} …` : line;
};
