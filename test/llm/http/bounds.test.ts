import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { anthropicProvider } from '../../../src/llm/anthropic/anthropic-provider.ts';
import { inWholeLines, splitIntoLines } from '../../../src/llm/http/lines.ts';
import { sseData } from '../../../src/llm/http/sse.ts';
import { ollamaProvider } from '../../../src/llm/ollama/ollama-provider.ts';
import { openAiProvider } from '../../../src/llm/openai/openai-provider.ts';
import { type Provider, ProviderError } from '../../../src/llm/provider.ts';
import { BOUNDS } from '../../../src/llm/wire/bounds.ts';
import type { ModelRequest } from '../../../src/schema/model/turn.ts';

const MB = 1024 * 1024;
const PACKET = Buffer.alloc(64 * 1024, 'x');

async function* packets(count: number, packet: Uint8Array = PACKET): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < count; sent += 1) yield packet;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const refusal = async (work: Promise<unknown>): Promise<ProviderError> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ProviderError) return error;
  throw new Error(`expected a ProviderError, not ${String(error)}`);
};

it('reads a long line that comes in small packets without searching it again', async () => {
  const [line] = await all(splitIntoLines(packets(7 * 1024, Buffer.alloc(1024, 'x'))));
  expect(line).toHaveLength(7 * MB);
});

it('ends an answer whose line or event has no end, and says so', async () => {
  for (const reading of [splitIntoLines, inWholeLines]) {
    const lines: AsyncIterable<unknown> = reading(packets(200));
    const { status, message } = await refusal(all(lines));
    expect(status).toEqual({ kind: 'invalid_response' });
    expect(message).toContain('a line longer than 8 MB');
  }
  const lines = packets(20_000, Buffer.from(`data: ${'x'.repeat(500)}\n`));
  const event = await refusal(all(sseData(lines, { last: '', onStray: () => {} })));
  expect(event.message).toContain('an event larger than 8 MB');
});

it('gives a reader of its own only whole lines', async () => {
  const cut = ['data: a\nda', 'ta:', ' b\r', '\n\n', 'rest'].map((text) => Buffer.from(text));
  async function* pieces() {
    yield* cut;
  }
  const read = (await all(inWholeLines(pieces()))).map((bytes) => Buffer.from(bytes).toString());
  expect(read).toEqual(['data: a\n', 'data: b\r', '\n\n', 'rest']);
});

/** A server that goes on for ever unless it is hung up on; tells how much it could send. */
async function endless(head: (response: ServerResponse) => void, packet = PACKET) {
  let sent = 0;
  let isClosed: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    isClosed = resolve;
  });
  const listener: RequestListener = (request, response) => {
    request.resume();
    head(response);
    response.on('close', isClosed);
    const more = (): void => {
      while (!response.destroyed) {
        sent += packet.length;
        if (!response.write(packet)) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
  };
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, closed, sent: () => sent };
}

const request: ModelRequest = {
  ...{ model: 'm', messages: [{ role: 'user', content: 'hi' }], temperature: 0, seed: 0 },
  ...{ contextWindow: 4096, maxOutputTokens: 100 },
};

const providers: readonly (readonly [string, (url: string) => Provider])[] = [
  ['OpenAI-compatible', (url) => openAiProvider({ baseUrl: url })],
  ['Anthropic', (url) => anthropicProvider({ apiKey: 'key', baseUrl: url })],
  ['Ollama', (url) => ollamaProvider({ host: url })],
];

it.each(providers)(
  'hangs up on an %s server whose stream has no line end, lists without end, and errors without end',
  async (name, open) => {
    const signal = new AbortController().signal;
    const ask = async (
      status: number,
      type: string,
      work: (provider: Provider) => Promise<unknown>,
    ) => {
      const server = await endless((response) =>
        response.writeHead(status, { 'content-type': type }),
      );
      const provider = open(server.url);
      const error = await refusal(work(provider));
      await server.closed;
      await provider.close();
      return { error, sent: server.sent() };
    };
    const streamed = await ask(200, 'text/event-stream', (provider) =>
      all(provider.stream(request, signal)),
    );
    expect(streamed.error.status.kind).toBe('invalid_response');
    expect(streamed.sent).toBeLessThan(BOUNDS.body + 16 * MB);
    // All of them have their lists from the connections that are asked here.
    if (name === providers[0]?.[0]) {
      const listed = await ask(200, 'application/json', (provider) => provider.list(signal));
      expect(listed.error.message).toContain('larger than 16 MB');
      expect(listed.sent).toBeLessThan(BOUNDS.body + 16 * MB);
    }
    const refused = await ask(401, 'application/json', (provider) => provider.list(signal));
    expect(refused.error.status).toEqual({ kind: 'auth_failed' });
    expect(refused.sent).toBeLessThan(16 * MB);
  },
);
