/** Reads the body of a request: JSON of at most 1 MB that fits its schema. */
import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { jsonIn } from '../../lib/json-value.ts';
import { ServerRefusal } from './problem.ts';

const MAX_BYTES = 1024 * 1024;
const FORMS = 'See /openapi.json for what this takes.';

/** Throws if it is too large, not whole, no JSON, or does not fit the schema. */
export async function readRequestBody<Body>(request: IncomingMessage, schema: z.ZodType<Body>) {
  const text = await textOf(request);
  // An empty body counts as `{}`.
  const value = text === '' ? {} : jsonIn(text);
  if (value === undefined) throw new ServerRefusal('E_BODY', 'The body is not JSON.', FORMS);
  const read = schema.safeParse(value);
  if (read.success) return { body: read.data, text };
  const [issue] = read.error.issues;
  const words = issue === undefined ? 'The body: not what is expected' : wordsOf(issue);
  throw new ServerRefusal('E_BODY', words, FORMS);
}

/** For a body with several possible forms, what each form misses. */
function wordsOf(issue: z.core.$ZodIssue): string {
  const firsts = issue.code === 'invalid_union' ? issue.errors.flatMap(([one]) => one ?? []) : [];
  if (firsts.length > 0) return firsts.map(wordsOf).join('; or ');
  return `${issue.path.length === 0 ? 'The body' : issue.path.join('.')}: ${issue.message}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const tooLarge = new ServerRefusal(
    'E_TOO_LARGE',
    'The body has more than 1 MB.',
    'Put long texts into files of the folder.',
  );
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw tooLarge;
      chunks.push(chunk);
    }
  } catch (error) {
    if (error === tooLarge || !request.readableAborted) throw error;
    throw new ServerRefusal('E_BODY', 'The body did not come to its end.', 'Send it again.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new ServerRefusal('E_BODY', 'The body is not in UTF-8.', 'Send it in that encoding.');
  }
}
