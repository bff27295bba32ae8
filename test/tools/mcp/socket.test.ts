/** Servers over TCP, a message a line. */

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { connectServer } from '../../../src/tools/mcp/connect.ts';
import { openSocket } from '../../../src/tools/mcp/socket.ts';
import { wireOver } from '../../../src/tools/mcp/wire.ts';

const never = new AbortController().signal;
const OPTIONS = { name: 'tcp', version: '1', deadlineMs: 5000, callMs: 3000, signal: never };

const open: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of open.splice(0)) server.close();
});

async function listen(
  onCall: (socket: Socket, id: number) => void,
  capabilities: object = { tools: {} },
): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket);
    const say = (id: number, result: unknown) =>
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\r\n`);
    socket.write('hello there\n');
    createInterface({ input: socket }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === 'initialize')
        say(id, {
          protocolVersion: params.protocolVersion,
          capabilities,
          serverInfo: { name: 's', version: '1' },
        });
      else if (method === 'tools/list')
        say(id, { tools: [{ name: 'do', inputSchema: { type: 'object' } }] });
      else if (method === 'tools/call') onCall(socket, id);
    });
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const connecting = (port: number) =>
  connectServer(
    wireOver((hooks) =>
      openSocket({ host: '127.0.0.1', port }, hooks, { connectMs: 2000, signal: never }),
    ),
    OPTIONS,
  );

test('lists its tools and is called; its answer comes in pieces', async () => {
  const long = 'é'.repeat(50_000);
  const port = await listen((socket, id) => {
    const answer = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: long }] } };
    const bytes = Buffer.from(`${JSON.stringify(answer)}\n`);
    // In the middle of a letter, too.
    for (let at = 0; at < bytes.length; at += 33_333) socket.write(bytes.subarray(at, at + 33_333));
  });
  const { tools, call, close } = await connecting(port);
  expect(tools.map(({ name }) => name)).toEqual(['do']);
  expect(await call('do', {}, never)).toMatchObject({ status: 'ok', content: long });
  await close();
  await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true);
});

test('that goes away in a call: what the call did is unknown, and nothing is called over it any more', async () => {
  const port = await listen((socket) => void socket.destroy());
  const { call, isOver, close } = await connecting(port);
  expect(await call('do', {}, never)).toMatchObject({
    status: 'connection_error',
    content: expect.stringMatching(/unknown.*closed the connection/),
  });
  expect(isOver()).toBe(true);
  await close();
});

test('that is not there is said with its place', async () => {
  const port = await listen(() => {});
  await new Promise<void>((resolve) => open[0]?.close(() => resolve()));
  const why = await connecting(port).catch((error: Error) => error.message);
  expect(String(why).split('ECONNREFUSED')).toHaveLength(2);
  expect(why).toContain(`127.0.0.1:${port} cannot be reached (ECONNREFUSED)`);
});

test('that has no tools offers none, and nothing is printed of it', async () => {
  const printed = vi.spyOn(console, 'debug').mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  const port = await listen(() => {}, { resources: {}, prompts: {} });
  const { tools, close } = await connecting(port);
  await close();
  expect(tools).toEqual([]);
  expect(printed).not.toHaveBeenCalled();
});
