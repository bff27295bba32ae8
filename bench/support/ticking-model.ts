/** A model behind Ollama's wire whose answer is a clock: each piece of it is the moment when it was sent. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFakeOllama } from '../../test/support/fake-ollama.ts';

export const TICKING = 'big:30b';

export interface TickingModel {
  readonly url: string;
  close(): Promise<void>;
}

/** @param pieces of each answer, `gapMs` apart */
export async function tickingModel(pieces: number, gapMs: number): Promise<TickingModel> {
  const fake = await startFakeOllama({
    models: [
      {
        ...{ name: TICKING, capabilities: ['completion', 'tools'], contextLength: 65_536 },
        ...{ parameterSize: '30B', family: 'qwen3' },
      },
    ],
  });
  const server = createServer((asked, answer) => {
    if (asked.url !== '/api/chat') {
      const { method = 'GET', headers, url = '/' } = asked;
      const passed = request(new URL(url, fake.url), { method, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(answer);
      });
      asked.pipe(passed);
      return;
    }
    asked.resume();
    answer.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    const line = (content: string, done: boolean): string =>
      `${JSON.stringify({
        ...{ model: TICKING, created_at: new Date().toISOString(), done },
        message: { role: 'assistant', content },
        ...(done ? { done_reason: 'stop', prompt_eval_count: 9, eval_count: pieces } : {}),
      })}\n`;
    let sent = 0;
    const timer = setInterval(() => {
      sent += 1;
      if (sent <= pieces) answer.write(line(`${Date.now()} `, false));
      else {
        clearInterval(timer);
        answer.end(line('', true));
      }
    }, gapMs);
    answer.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await fake.close();
    },
  };
}
