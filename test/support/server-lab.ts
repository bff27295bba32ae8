/** The built `agent serve` over real HTTP, with a model of its own, and clients of it. */
import { request as ask } from 'node:http';
import { vi } from 'vitest';
import { notesIn } from '../../src/live/address.ts';
import { type Client, type ClientEvent, connect } from '../../src/server/client/client.ts';
import type { AgentLab, RunningAgent } from './e2e-agent.ts';
import { type FakeOllama, type Reply, startFakeOllama } from './fake-ollama.ts';
import { placeOf } from './live-lab.ts';

export const MODEL = 'big:30b';
export const called = (name: string, args: object): Reply => ({
  toolCalls: [{ name, arguments: args }],
});
export const PLAN = called('set_plan', {
  tasks: [{ description: 'do it', subtasks: [{ do: 'begin a repository', files: ['a.txt'] }] }],
});
export const ASKS = called('run_cmd', { cmd: 'git init here' });
export const WRITES = called('write_file', { path: 'a.txt', content: 'hello\n' });
export const DONE = called('mark_subtask_complete', { success: true });

export const modelSaying = (script: (n: number) => Reply): Promise<FakeOllama> =>
  startFakeOllama({
    models: [
      {
        ...{ name: MODEL, capabilities: ['completion', 'tools'], contextLength: 65_536 },
        ...{ parameterSize: '30B', family: 'qwen3' },
      },
    ],
    script: (_, n) => script(n),
  });

export interface Served {
  readonly agent: RunningAgent;
  readonly url: string;
  readonly client: Client;
}

/** @param env of the server, and so of its runs */
export async function serveIn(
  lab: AgentLab,
  folder: string,
  env: { readonly [name: string]: string },
  { port = 0, token = '' } = {},
): Promise<Served> {
  const agent = lab.start(['serve', '--port', String(port), '--root', '..'], { in: folder, env });
  await vi.waitUntil(() => agent.said().includes('#k='), { timeout: 60_000, interval: 20 });
  const link = /http:\S+/.exec(agent.said())?.[0] ?? '';
  const url = new URL(link).origin;
  const client = await connect(token === '' ? { url: link } : { url, token });
  return { agent, url, client };
}

export interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly text: string;
  readonly body: { readonly [field: string]: unknown };
}

/** Conversations that a server has begun go on without it. */
export function endTalks(folder: string): void {
  for (const { pid } of notesIn(placeOf(folder))) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** As no client would send it: headers as they are given. */
export function rawly(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: { [name: string]: string }; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = ask(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        const isJson = String(headers['content-type']).includes('json');
        resolve({ status, headers, text, body: isJson ? JSON.parse(text) : {} });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** All up to one that fits, which is the last. */
export async function until(
  stream: AsyncIterable<ClientEvent>,
  fits: (event: ClientEvent) => boolean,
): Promise<readonly ClientEvent[]> {
  const all: ClientEvent[] = [];
  for await (const event of stream) {
    all.push(event);
    if (fits(event)) return all;
  }
  return all;
}
