import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ollamaProvider } from '../../../src/llm/ollama/ollama-provider.ts';
import { takeTurn } from '../../../src/llm/turn/take-turn.ts';
import { ManualClock, requestOf } from '../support.ts';

const MINUTE = 60_000;

const LINES = [
  { message: { role: 'assistant', content: 'late' }, done: false },
  { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
]
  .map((line) => `${JSON.stringify({ model: 'm', ...line })}\n`)
  .join('');

const SHOWN = JSON.stringify({
  capabilities: ['completion', 'tools'],
  details: {},
  model_info: {},
});

const toClose: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

/** Ollama sends its headers with its first word; a proxy before it may send them at once. */
async function slowServer(headers: Promise<void>, firstWord: Promise<void>) {
  const asked = gate();
  const server = createServer(async (request, response) => {
    request.resume();
    if (request.url !== '/api/chat') return void response.end(SHOWN);
    asked.open();
    await headers;
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders();
    await firstWord;
    response.end(LINES);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const provider = ollamaProvider({ host: `http://127.0.0.1:${port}` });
  toClose.push(() => server.close(), provider.close);
  return { provider, isAsked: asked.opened };
}

/** Time passes before the headers, then between them and the first word. */
async function askSlowServer(headersMs: number, firstWordMs: number, patience = {}) {
  const [headers, firstWord] = [gate(), gate()];
  const { provider, isAsked } = await slowServer(headers.opened, firstWord.opened);
  const clock = new ManualClock();
  const asked = takeTurn(provider, requestOf(), {
    signal: new AbortController().signal,
    clock,
    deadlines: patience,
  });
  await isAsked;
  clock.advance(headersMs);
  headers.open();
  clock.advance(firstWordMs);
  firstWord.open();
  return await asked;
}

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

it.each([
  ['headers after 400 s', 400_000, 0],
  ['a first word 20 minutes behind the headers', 0, 20 * MINUTE],
  ['headers after 400 s, and a first word 20 minutes behind them', 400_000, 20 * MINUTE],
])('%s: in time by default', async (_, headersMs, firstWordMs) => {
  const { status, message } = await askSlowServer(headersMs, firstWordMs);
  expect({ status, content: message.content }).toEqual({
    status: { kind: 'success' },
    content: 'late',
  });
});

it('both waits count together towards the time until the first word', async () => {
  const patience = { firstEventMs: 26 * MINUTE, idleMs: MINUTE };
  const { status, detail } = await askSlowServer(400_000, 20 * MINUTE, patience);
  expect(status).toEqual({ kind: 'timeout' });
  expect(detail).toContain('has said nothing for 1560 s');
});
