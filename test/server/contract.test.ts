/** Every route of the built `agent serve`, asked well and in each wrong way; every answer is checked against its description. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ROUTES, type RouteName, type RouteRow } from '../../src/server/api/routes.ts';
import { agentLab } from '../support/e2e-agent.ts';
import type { FakeOllama } from '../support/fake-ollama.ts';
import {
  type Answer,
  DONE,
  MODEL,
  modelSaying,
  PLAN,
  rawly,
  type Served,
  serveIn,
  until,
  WRITES,
} from '../support/server-lab.ts';

const lab = agentLab();
let ollama: FakeOllama;
let served: Served;
let described: { paths: { [path: string]: { [method: string]: Operation } } };
const names: { [word: string]: string } = { id: 'no-such', seq: '1' };
let folder = '';

interface Operation {
  readonly responses: {
    readonly [status: string]: { content?: { [type: string]: { schema: object } } };
  };
}

beforeAll(async () => {
  const replies = [PLAN, WRITES];
  ollama = await modelSaying((n) => replies[n - 1] ?? DONE);
  folder = lab.folder();
  served = await serveIn(lab, folder, { OLLAMA_HOST: ollama.url });
  const { client } = served;
  const { id } = await client.startRun({
    ...{ workspace: folder, goal: 'Write a file', model: `ollama/${MODEL}` },
  });
  names.run = id;
  await until(client.run(id).events(), ({ event }) => event === 'bye');
  const session = await client.createSession({
    ...{ workspacePath: folder, model: `ollama/${MODEL}` },
  });
  names.session = session.id;
  described = (await rawly(`${served.url}/openapi.json`)).body as never;
}, 180_000);

afterAll(async () => {
  await served.agent.kill();
  await ollama.close();
});

const all = Object.entries(ROUTES) as [RouteName, RouteRow][];
const plain = all.filter(([, row]) => row.answer.body !== 'events');
const withToken = all.filter(([, row]) => row.right !== null);
const withBody = all.filter(([, row]) => row.body !== null);
const withName = all.filter(([, { path }]) => /\{(run|session)\}/.test(path));

const pathOf = ({ path }: RouteRow, others: { [word: string]: string } = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, word: string) => others[word] ?? names[word] ?? '');

const GOOD: { readonly [Name in RouteName]?: () => object } = {
  addWorkspace: () => ({ path: folder }),
  startRun: () => ({ workspace: folder, goal: 'Again', model: `ollama/${MODEL}` }),
  approveRun: () => ({ answer: 'once' }),
  approveCall: () => ({ approved: true }),
  say: () => ({ text: 'hello' }),
  startSession: () => ({ workspacePath: folder, model: `ollama/${MODEL}` }),
  resumeSession: () => ({ workspacePath: folder }),
  chat: () => ({ message: 'hello' }),
  token: () => ({ key: 'x'.repeat(43) }),
};

interface Sent {
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
  readonly path?: string;
  readonly token?: string;
}

function send([name, row]: [RouteName, RouteRow], sent: Sent = {}): Promise<Answer> {
  const token = sent.token ?? served.client.token;
  const body =
    sent.body ?? (row.body === null ? '' : JSON.stringify((GOOD[name] ?? (() => ({})))()));
  return rawly(served.url + (sent.path ?? pathOf(row)), {
    method: row.method,
    body,
    headers: {
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === ''
        ? {}
        : {
            'Content-Type': 'application/json',
            'Content-Length': String(Buffer.byteLength(body)),
          }),
      ...sent.headers,
    },
  });
}

/** Against what `openapi.json` says of that status. */
function check([name, row]: [RouteName, RouteRow], answer: Answer): void {
  const { responses } = described.paths[row.path]![row.method.toLowerCase()]!;
  const said = responses[String(answer.status)];
  expect(said, `${name} answers ${answer.status}: ${answer.text}`).toBeDefined();
  if (answer.status >= 400) {
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.body).toMatchObject({
      status: answer.status,
      code: /^E_/.source && expect.any(String),
    });
    return;
  }
  const schema = said?.content?.['application/json']?.schema;
  if (schema === undefined || Object.keys(schema).length === 0) return;
  const read = z.fromJSONSchema(schema as never).safeParse(answer.body);
  expect(read.success ? '' : `${name}: ${read.error.message} in ${answer.text}`).toBe('');
}

const EXPECTED: { readonly [Name in RouteName]?: number } = {
  token: 401,
  approveRun: 404,
  approveCall: 404,
  say: 409,
  cancelRun: 409,
  resumeRun: 409,
  closeSession: 204,
};

describe('every route', () => {
  test.each(plain.filter(([name]) => name !== 'closeSession'))(
    '%s answers as it is described',
    async (...route) => {
      const answer = await send(route);
      expect(answer.status, answer.text).toBe(EXPECTED[route[0]] ?? route[1].answer.status);
      check(route, answer);
    },
  );

  test.each(withToken)('%s needs a token', async (...route) => {
    const answer = await send(route, { token: '' });
    expect(answer.status).toBe(401);
    check(route, answer);
  });

  test.each(all)(
    '%s is refused by another name, from another page, and by another method',
    async (...route) => {
      const host = await send(route, { headers: { Host: 'evil.example:5000' } });
      expect(host.status).toBe(421);
      check(route, host);
      for (const headers of [
        { Origin: 'http://127.0.0.1:1' },
        { Origin: 'null' },
        { 'Sec-Fetch-Site': 'cross-site' },
      ]) {
        const origin = await send(route, { headers });
        expect(origin.status).toBe(403);
        expect(origin.headers['access-control-allow-origin']).toBeUndefined();
        check(route, origin);
      }
      const method = await rawly(served.url + pathOf(route[1]), { method: 'PUT' });
      expect(method.status).toBe(405);
    },
  );

  test.each(withBody)(
    '%s takes JSON alone, of its form, and not too much of it',
    async (...route) => {
      const type = await send(route, { headers: { 'Content-Type': 'text/plain' } });
      expect(type.status).toBe(415);
      check(route, type);
      const form = await send(route, { body: '{"no-such": [' });
      expect(form.status).toBe(400);
      check(route, form);
      const fields = await send(route, { body: '{"no-such": 1, "key": 7}' });
      expect(fields.status).toBe(400);
      expect(await tooLarge(route)).toBe(413);
    },
  );

  test.each(withName)('%s knows no other name', async (...route) => {
    const path = pathOf(route[1], { run: 'no-such', session: 'no-such' });
    const answer = await send(route, { path });
    expect(answer.status).toBe(404);
    check(route, answer);
  });

  test('a wrong token is refused, and after ten none is looked at for a while', async () => {
    const answers: number[] = [];
    for (const route of withToken)
      answers.push((await send(route, { token: 'x'.repeat(43) })).status);
    expect(answers.slice(0, 8)).toEqual(Array(8).fill(401));
    expect(answers.at(-1)).toBe(429);
    const me: [RouteName, RouteRow] = ['me', ROUTES.me];
    expect((await send(me)).status).toBe(200);
  });
});

/** The server may hang up before all of it is sent. */
const tooLarge = ([, row]: [RouteName, RouteRow]): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(
      served.url + pathOf(row),
      {
        method: row.method,
        headers: {
          Authorization: `Bearer ${served.client.token}`,
          'Content-Type': 'application/json',
          'Content-Length': String(2_000_000),
        },
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        response.resume();
        sent.destroy();
      },
    );
    sent.on('error', reject);
    sent.write('{"a":"');
  });
