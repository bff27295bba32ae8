/** What the page asks for, answered out of events that are at hand: no run, no disk, no model. */

import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { StreamEvent } from '../../../src/schema/events/stream.ts';
import type {
  FileDiff,
  Question,
  RunDetail,
  RunSummary,
} from '../../../src/server/api/run-schemas.ts';
import type { SessionSummary } from '../../../src/server/api/session-schemas.ts';

export const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const TYPES: { readonly [ending: string]: string } = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

export interface FakeWork {
  readonly summary: RunSummary | SessionSummary;
  readonly events: readonly StreamEvent[];
  readonly detail?: Partial<RunDetail>;
  /** The list of all work does not have it yet. */
  readonly isUnlisted?: true;
}

export interface FakePosted {
  readonly path: string;
  readonly body: { readonly [name: string]: unknown };
}

export class FakeServer {
  readonly posted: FakePosted[] = [];
  readonly #works = new Map<string, FakeWork>();
  readonly #questions = new Map<string, { run: string; question: Question }>();
  readonly #streams = new Map<string, Set<ServerResponse>>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #folder: string;
  /** Says what becomes of a request, where a test wants more than a yes. */
  onPost: (posted: FakePosted) => object | Promise<object> = () => ({ taken: true });

  /** Of the link by which the page was opened. */
  rights: readonly string[] = ['observe', 'work', 'answer'];

  /** What each run changed. */
  files: readonly FileDiff[] = FILES;

  /** What is answered with nothing in it. */
  spoilt = '';

  constructor(folder = 'dist/page') {
    this.#folder = folder;
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Ends all streams: a server that goes away. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  add(work: FakeWork): void {
    this.#works.set(work.summary.id, work);
    if (!work.isUnlisted) this.#tell('', kindOf(work), work.summary);
  }

  ask(run: string, question: Question): void {
    this.#questions.set(question.id, { run, question });
    this.#tell('', 'question', { run, question });
  }

  settle(run: string, id: string): void {
    this.#questions.delete(id);
    this.#tell('', 'settled', { run, id });
  }

  /** More of a run, to whoever follows it. */
  tell(run: string, events: readonly StreamEvent[]): void {
    const work = this.#works.get(run);
    if (work !== undefined) this.#works.set(run, { ...work, events: [...work.events, ...events] });
    for (const event of events) this.#tell(run, event.type, event);
  }

  #tell(stream: string, event: string, data: object): void {
    for (const response of this.#streams.get(stream) ?? []) {
      response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here');
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (!pathname.startsWith('/api/')) return this.#file(pathname, response);
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const posted = { path: pathname, body: JSON.parse(Buffer.concat(chunks).toString()) };
      if (pathname === '/api/token') return send(201, { token: 'a token', rights: [] });
      if (request.headers.authorization !== 'Bearer a token') return send(401, PROBLEM);
      this.posted.push(posted);
      const answer = await this.onPost(posted);
      return send('status' in answer ? Number(answer.status) : 200, answer);
    }
    if (request.headers.authorization !== 'Bearer a token') return send(401, PROBLEM);
    const [, , kind = '', id = '', what = ''] = pathname.split('/');
    if (kind === 'events') return this.#stream('', response);
    if (what === 'events' || what === 'stream') return this.#stream(id, response);
    const work = this.#works.get(id);
    if (kind === 'runs' && what === 'diff')
      return send(200, { files: this.#changed(searchParams.get('path')) });
    if (kind === 'runs' && work) return send(200, { ...DETAIL, ...work.summary, ...work.detail });
    if (kind === 'sessions' && work) return send(200, { ...work.summary, commands: COMMANDS });
    if (kind === 'me') return send(200, { ...FIXED.me, rights: this.rights });
    const fixed = kind === this.spoilt ? {} : FIXED[kind];
    return fixed === undefined ? send(404, { ...PROBLEM, status: 404 }) : send(200, fixed);
  }

  /** With its patch if one file is asked for. */
  #changed(path: string | null): readonly object[] {
    if (path !== null) return this.files.filter((one) => one.path === path);
    return this.files.map(({ patch: _, ...one }) => one);
  }

  #file(pathname: string, response: ServerResponse): void {
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    const type = TYPES[name.split('.').at(-1) ?? ''];
    if (type === undefined || name.includes('/')) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': type, 'content-security-policy': CSP });
    response.end(readFileSync(join(this.#folder, name)));
  }

  #stream(id: string, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 2000\n\n: \n\n');
    const streams = this.#streams.get(id) ?? new Set();
    this.#streams.set(id, streams.add(response));
    response.on('close', () => streams.delete(response));
    const say = (event: string, data: object) =>
      response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (id !== '') {
      for (const event of this.#works.get(id)?.events ?? []) say(event.type, event);
      return;
    }
    for (const work of this.#works.values()) if (!work.isUnlisted) say(kindOf(work), work.summary);
    for (const question of this.#questions.values()) say('question', question);
  }
}

const kindOf = ({ summary }: FakeWork): string => ('goal' in summary ? 'run' : 'session');

const COMMANDS = [
  { text: '/model [NAME]', about: 'show the model, or go on with another' },
  { text: '/undo', about: 'put back what the last message changed in files' },
  { text: '/diff', about: 'show what the conversation changed in files' },
];

const DETAIL: Partial<RunDetail> = {
  ...{ origin: 'own', seq: 0, driver: null, model: null, plan: null, activeSubtask: null },
  ...{ limits: {}, rounds: 0, turns: 0, actions: 0, workedMs: 0, costUsd: 0, questions: [] },
  ...{
    paused: null,
    ended: null,
    answer: null,
    report: null,
    notDone: '',
    owner: null,
    place: null,
  },
  ...{ failure: null, resume: 'agent resume 12', mayGoOn: true, needs: null, next: [] },
  usage: { input: 0, output: 0, thinking: 0, cacheRead: 0, cacheWrite: 0, modelMs: 0 },
};

const PROBLEM = { status: 401, detail: 'This needs a token.', code: 'E_TOKEN', hint: '' };

export const changedFile = (
  path: string,
  status: FileDiff['status'],
  added: number,
  removed: number,
  patch: string,
): FileDiff => ({
  ...{ path, status, added, removed, isBinary: false, problem: '', patch },
  ...{ isByCommand: false, isChangedSince: false },
});

const CHANGE = `--- src/cart.ts
+++ src/cart.ts
@@ -38,7 +38,5 @@
 export function priceOf(cart: Cart): number {
   const total = sum(cart.items);
-  if (total > 100) {
-    return total * 0.9;
-  }
-  return total;
+  return price(total, RULES);
 }
`;

const FILES = [
  changedFile('src/cart.ts', 'changed', 9, 31, CHANGE),
  changedFile('src/price/discount.ts', 'changed', 12, 9, CHANGE),
  changedFile('src/price/rules.ts', 'added', 84, 0, CHANGE),
];

const PATH = '/home/ada/shop-api';

const FIXED: { readonly [kind: string]: object } = {
  me: {
    ...{ version: '0.1.0', roots: ['/home/ada'] },
    ...{ maxRuns: 4, working: 2, waiting: 0 },
    sandbox: { holds: false, what: 'bubblewrap is not installed', next: '', usual: 'off' },
  },
  permissions: {
    folders: [
      {
        ...{ workspace: 'w1', path: PATH },
        rules: [
          {
            ...{ rule: 'run_cmd(npm ci)', allows: 'only npm ci', at: Date.now() - 90_000_000 },
            ...{ by: 'person', door: 'terminal', run: 'aa11' },
          },
          {
            ...{ rule: 'run_cmd(git push *)', allows: 'every command that begins with git push' },
            ...{ at: Date.now() - 600_000, by: 'person', door: 'page' },
          },
        ],
      },
    ],
  },
  models: {
    providers: [
      { provider: 'ollama', problem: '', models: ['qwen3:8b', 'qwen2.5-coder:1.5b'] },
      { provider: 'anthropic', problem: '', models: ['claude-sonnet-5'] },
      { provider: 'openai', problem: 'ANTHROPIC_API_KEY is not set', models: [] },
    ],
  },
  workspaces: {
    workspaces: [
      {
        ...{ id: 'w0', path: '/elsewhere', name: 'elsewhere', run: null, runs: 1 },
        ...{ working: 0, questions: 0, lastAt: Date.now(), mayWork: false },
      },
      {
        ...{ id: 'w1', path: PATH, name: 'shop-api', run: null, runs: 12 },
        ...{ working: 1, questions: 1, lastAt: Date.now(), mayWork: true },
      },
    ],
  },
};
