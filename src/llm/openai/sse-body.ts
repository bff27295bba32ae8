// The bytes of an event stream, with what some servers put beside the events made into one.

/** Characters that are looked at again when the stream ends. */
const TAIL = 8192;

/**
 * Ends with the `[DONE]` event, though the connection may stay open. An error that stands in no
 * `data:` line (older llama.cpp writes `error: {…}`, some gateways plain JSON) is sent as one.
 */
export async function* sseBytes(
  incoming: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const decoder = new TextDecoder();
  let tail = '\n';
  for await (const bytes of incoming) {
    yield bytes;
    tail = (tail + decoder.decode(bytes, { stream: true })).slice(-TAIL);
    if (tail.includes('[DONE]') && /\ndata: ?\[DONE\]/.test(tail)) return;
  }
  const stray = strayError(tail);
  if (stray !== null) yield new TextEncoder().encode(`\n\ndata: ${stray}\n\n`);
}

function strayError(tail: string): string | null {
  const named = /\nerror: ?(\{.*\})/.exec(tail)?.[1];
  if (named !== undefined) return isJson(named) ? `{"error":${named}}` : null;
  const whole = tail.trim().replace(/[\r\n]+/g, ' ');
  return whole.startsWith('{') && isJson(whole) ? whole : null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
