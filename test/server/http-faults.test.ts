/** What a caller does wrong is answered or dropped, and never stored as an error of the server. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { misuse } from '../../src/lib/errors.ts';
import { Client } from '../../src/server/client/client.ts';
import { sleepUnlessAborted } from '../../src/server/client/events-of.ts';
import { refusalAnswer } from '../../src/server/http/problem.ts';
import { type HttpParts, httpServer, type RouteCall } from '../../src/server/http/server.ts';

const kept: unknown[] = [];
const answered: string[] = [];
const noted: { readonly status: number }[] = [];
let onNote = (): void => {};
const server = httpServer({
  place: { version: '1', keepError: (error: unknown) => String(kept.push(error)) },
  tokens: { holderOf: () => ({ name: 'a', rights: ['observe', 'work', 'answer'], isOwn: true }) },
  limits: { count: () => {} },
  audit: {
    note: (line: { readonly status: number }) => {
      noted.push(line);
      onNote();
    },
  },
  handlers: {
    approveRun: (call: RouteCall<'approveRun'>) => answered.push(call.part('id')),
    runRecord: () => answered.push('a record'),
  },
  ...{ once: {}, writers: new Set() },
  names: () => ({ hosts: new Set(['x', new URL(url()).host]), origins: new Set() }),
  isStopping: () => false,
  changed: () => {},
} as unknown as HttpParts);

beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  kept.length = 0;
  answered.length = 0;
  noted.length = 0;
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const opened = () => connect((server.address() as AddressInfo).port, '127.0.0.1');

test.each(['//', '///x', '//[', 'http://['])('GET %s is answered with 404', async (target) => {
  const socket = opened();
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect([answer.toString().split('\r\n')[0], kept]).toEqual(['HTTP/1.1 404 Not Found', []]);
});

test('a question is answered by the name that its provider gave the call, whatever it is', async () => {
  const run = new Client({ url: url(), token: 't' }).run('r');
  const ids = ['functions.edit:0', 'a/b c', 'x'.repeat(300)];
  for (const id of ids) await run.approve(id, { answer: 'no' });
  expect(answered).toEqual(ids);
});

test.each([
  ['GET', '/api/runs/r/records/abc'],
  ['POST', '/api/runs/r/approvals/%ff'],
])('%s %s is answered with 404', async (method, path) => {
  const body = method === 'GET' ? {} : { body: '{"answer":"no"}' };
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await fetch(url() + path, { method, headers, ...body });
  expect([status, answered, kept]).toEqual([404, [], []]);
});

test('an answer of neither form is told what each form misses', async () => {
  const headers = { 'Content-Type': 'application/json' };
  const at = `${url()}/api/runs/r/approvals/q`;
  const answer = await fetch(at, { method: 'POST', headers, body: '{"answer":"perhaps"}' });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(await answer.json())).toMatch(/answer: .*once.*; or /);
});

test.each([
  ['/api/runs/r/say', { text: ' \n' }],
  ['/api/sessions/s/chat', { message: ' \n' }],
])('%s with white space alone is refused as that, and not until later', async (path, body) => {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(url() + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { detail: expect.stringMatching(/: It is empty$/) },
  ]);
});

test('a body in another encoding is refused, and not taken for other words', async () => {
  const headers = { 'Content-Type': 'application/json' };
  const body = Buffer.from('{"answer":"no","why":"für später"}', 'latin1');
  const at = `${url()}/api/runs/r/approvals/q`;
  const answer = await fetch(at, { method: 'POST', headers, body });
  expect([answer.status, await answer.json(), answered]).toMatchObject([
    400,
    { detail: 'The body is not in UTF-8.' },
    [],
  ]);
});

test('a client that goes in the middle of a body is at fault itself', async () => {
  const ended = new Promise<void>((done) => {
    onNote = done;
  });
  const socket = opened();
  socket.write(
    'POST /api/runs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    () => socket.destroy(),
  );
  await ended;
  expect([noted, kept]).toEqual([[expect.objectContaining({ status: 400 })], []]);
});

test('a pause ends at once where it was called off before, and leaves no listener', async () => {
  const signals = [AbortSignal.abort(), new AbortController().signal];
  const listeners: string[] = [];
  for (const signal of signals) {
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      listeners.push('added');
      addEventListener.apply(signal, given);
    };
    signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      listeners.push('removed');
      removeEventListener.apply(signal, given);
    };
  }
  const [over, open] = signals;
  // It would outlast the test.
  await sleepUnlessAborted(3_600_000, over);
  listeners.length = 0;
  await sleepUnlessAborted(1, open);
  expect(listeners).toEqual(['added', 'removed']);
});

test('a next step that is a command is named whole', () => {
  const said = (hint: string) =>
    refusalAnswer(misuse('It is gone.', hint, { command: ['runs', '--all'] }), String).problem.hint;
  expect(said('See what there is')).toBe('See what there is (the command runs --all).');
  expect(said('Look.')).toBe('Look (the command runs --all).');
});
