/** Every route of the built `agent serve`, asked well and in each wrong way; every answer is checked against its description. */
import { cpSync, readFileSync, realpathSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { userResources } from '../../src/host/user/user-resources.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { RouteRow } from '../../src/server/api/route-row.ts';
import { ROUTES, type RouteName } from '../../src/server/api/routes.ts';
import { connect } from '../../src/server/client/client.ts';
import { agentLab } from '../support/e2e-agent.ts';
import type { FakeOllama } from '../support/fake-ollama.ts';
import { FIXTURES_2 } from '../support/format-2.ts';
import {
  type Answer,
  DONE,
  endTalks,
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
  const { events } = await client.run(id).history();
  const call = events.find(({ event }) => event.type === 'tool_result')?.event;
  names.action = encodeURIComponent(String(call?.id));
  const session = await client.createSession({
    ...{ workspacePath: folder, model: `ollama/${MODEL}` },
  });
  names.session = session.id;
  described = (await rawly(`${served.url}/openapi.json`)).body as never;
}, 180_000);

afterAll(async () => {
  await served.agent.kill();
  endTalks(folder);
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
  // In a folder of its own: the run of the other routes stays the current one of theirs.
  startRun: () => ({ workspace: lab.folder(), goal: 'Again', model: `ollama/${MODEL}` }),
  typedRun: () => ({ workspace: folder, goal: 'Again', maxCost: 0.5 }),
  approveRun: () => ({ answer: 'once' }),
  approveCall: () => ({ approved: true }),
  say: () => ({ text: 'hello' }),
  startSession: () => ({ workspacePath: folder, model: `ollama/${MODEL}` }),
  resumeSession: () => ({ workspacePath: folder }),
  chat: () => ({ message: 'hello' }),
  commandSession: () => ({ text: '/status' }),
  token: () => ({ key: 'x'.repeat(43) }),
  forgetRule: () => ({ workspace: folder, rule: 'run_cmd(make *)' }),
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
  forgetRule: 404,
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
      const expected = EXPECTED[route[0]] ?? route[1].answer.status;
      // A conversation may still be at work on what the route before it asked for.
      const answer = await vi.waitFor(async () => {
        const one = await send(route);
        if (expected !== 409) expect(one.body, one.text).not.toMatchObject({ code: 'E_BUSY' });
        return one;
      }, 30_000);
      expect(answer.status, answer.text).toBe(expected);
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
      expect(String(method.headers.allow).split(', ')).toContain(route[1].method);
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

  test('the output of a call that was never made is not there', async () => {
    const path = pathOf(ROUTES.runOutput, { action: '9.9%239' });
    expect((await send(['runOutput', ROUTES.runOutput], { path })).status).toBe(404);
    const { body } = await send(['runOutput', ROUTES.runOutput]);
    expect(body).toMatchObject({ from: 0, next: null });
    expect(String(body.text)).toContain('a.txt');
  });

  test('a link that only lets look lets nothing else', async () => {
    const { url } = await served.client.link('observe');
    const { token, url: of } = await connect({ url });
    expect(of).toBe(served.url);
    for (const route of withToken.filter(([, { right }]) => right !== 'observe')) {
      const answer = await send(route, { token });
      expect(answer.status, route[0]).toBe(403);
      expect(answer.body.code).toBe('E_RIGHT');
      check(route, answer);
    }
    const me = await send(['me', ROUTES.me], { token });
    expect(me.body).toMatchObject({ rights: ['observe'] });
  });

  test('a run that came with its folder is shown, and taken over as it was shown', async () => {
    const foreign = lab.folder();
    cpSync(join(FIXTURES_2, 'finished-native', 'agent_context'), join(foreign, '.agent_context'), {
      recursive: true,
    });
    await send(['addWorkspace', ROUTES.addWorkspace], { body: JSON.stringify({ path: foreign }) });
    const { runs } = await served.client.runs();
    const run = served.client.run(
      runs.find(({ path }) => path === realpathSync(foreign))?.id ?? '',
    );
    expect((await run.get()).origin).toBe('foreign');
    await expect(run.undo()).rejects.toMatchObject({ problem: { code: 'E_FOREIGN' } });
    const plan = await run.adopt();
    expect(plan).toMatchObject({ outcome: 'planned', key: expect.stringMatching(/^\w{32}$/) });
    await expect(run.adopt('another')).rejects.toMatchObject({ problem: { status: 409 } });
    expect((await run.get()).origin).toBe('foreign');
    expect((await run.adopt(plan.key)).outcome).toBe('adopted');
    expect((await run.get()).origin).toBe('own');
  });

  test('a lasting permission is listed, taken back once, and only by who may answer', async () => {
    const { client } = served;
    const rule = 'run_cmd(git push *)';
    const run = names.run ?? '';
    usersOwn().kept.save(folder, [rule], { by: 'person', door: 'page', run });
    const kept = { rule, allows: 'every command that begins with git push', door: 'page', run };
    expect((await client.permissions()).folders).toMatchObject([
      { path: realpathSync(folder), rules: [kept] },
    ]);
    const works = await connect({ url: (await client.link('work')).url });
    await expect(works.forgetRule(folder, rule)).rejects.toMatchObject({
      problem: { code: 'E_RIGHT' },
    });
    const [{ workspace = '' } = {}] = (await client.permissions()).folders;
    expect((await client.forgetRule(workspace, rule)).rule).toBe(rule);
    expect((await client.permissions()).folders).toEqual([]);
    await expect(client.forgetRule(workspace, rule)).rejects.toMatchObject({
      problem: { status: 404 },
    });
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

  test('who asked for what stands in the audit, and nothing that opens a door', () => {
    const text = readFileSync(join(usersOwn().dataFolder, 'serve', 'audit.jsonl'), 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({
        what: 'startRun',
        who: /^\w{8}$/.source && expect.any(String),
        status: 201,
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ what: 'undoRun', of: names.run, status: 200 }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ who: '', code: 'E_TOKEN', status: 401 }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ code: 'E_RIGHT', status: 403 }));
    expect(text).not.toContain(served.client.token);
    expect(text).not.toContain('Write a file');
    expect(text).not.toContain('x'.repeat(43));
  });
});

const usersOwn = () =>
  userResources({
    ...{ env: { XDG_DATA_HOME: `${folder}.data`, LOCALAPPDATA: `${folder}.data` }, cwd: folder },
    ...{ platform: process.platform, arch: process.arch, nodePath: process.execPath },
    ...{ programFolder: '/', clock: systemClock },
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
