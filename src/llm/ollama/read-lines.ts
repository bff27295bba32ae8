// Reads the body of a streamed answer line by line, each line as JSON.
import type { IncomingMessage } from 'node:http';
import { isRecord } from '../../lib/json-value.ts';
import { bytesOf, letGo, NO_HEADERS } from '../http/connections.ts';
import { linesOf } from '../http/lines.ts';
import { ProviderError } from '../provider.ts';
import { responseError } from './errors.ts';

/** For error messages. */
interface StreamRequest {
  readonly url: string;
  readonly model: string;
}

/**
 * Parsed lines, one at a time and only on demand, so that everything sent before a failure arrives before it. A line
 * that is not Ollama's is the failure. The connection of a finished answer is kept for the next request; if reading
 * stops earlier, it is closed.
 */
export async function* readLines(
  response: IncomingMessage,
  asked: StreamRequest,
): AsyncGenerator<unknown> {
  let isDone = false;
  try {
    for await (const line of linesOf(bytesOf(response))) {
      if (line.trim() === '') continue;
      const parsed = parseLine(line, asked);
      isDone = isLast(parsed);
      yield parsed;
    }
  } finally {
    if (isDone) letGo(response);
    else response.destroy();
  }
}

function parseLine(line: string, asked: StreamRequest): unknown {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (cause) {
    throw new ProviderError(
      { kind: 'invalid_response' },
      `A line of Ollama's answer is not JSON: ${line.slice(0, 120)}`,
      '',
      { cause },
    );
  }
  if (isRecord(parsed) && 'error' in parsed) {
    throw responseError({ ...asked, status: 200, body: line, header: NO_HEADERS });
  }
  return parsed;
}

const isLast = (parsed: unknown): boolean => isRecord(parsed) && parsed.done === true;
