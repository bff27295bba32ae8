/** A client of a stream that does not read it: it is cut off, and what waits for it stays small. */
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { FrameWriter } from '../../src/server/http/frames.ts';

let close = (): void => {};
afterEach(() => close());

/** A stream, and a client that reads its head and nothing more. */
async function unread() {
  let beat = (): void => {};
  const clock = {
    every: (_ms: number, action: () => void) => {
      beat = action;
      return () => {};
    },
  };
  const server = createServer();
  const opened = new Promise<{ writer: FrameWriter; length: () => number }>((resolve) => {
    server.on('request', (_, response) => {
      const writer = new FrameWriter(response, clock);
      resolve({ writer, length: () => response.writableLength });
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  client.pause();
  close = () => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  };
  return { ...(await opened), client, beat: () => beat() };
}

const turn = () => new Promise((done) => setImmediate(done));
const FRAME = `event: record\ndata: "${'x'.repeat(64 * 1024)}"\n\n`;
const MAX = 9 * 1024 * 1024;

test('who does not read is cut off, however much is told', async () => {
  const { writer, length } = await unread();
  let most = 0;
  for (let sent = 0; sent < 2000 && !writer.gone.aborted; sent += 1) {
    writer.write(FRAME);
    most = Math.max(most, length());
    await turn();
  }
  expect(writer.gone.aborted).toBe(true);
  expect(most).toBeLessThan(MAX);
});

test('pieces of text are dropped first, and their number is said to who reads on', async () => {
  const { writer, length, client } = await unread();
  for (let sent = 0; sent < 1000; sent += 1) {
    writer.write(FRAME, true);
    if (sent % 10 === 0) await turn();
  }
  expect(writer.gone.aborted).toBe(false);
  expect(length()).toBeLessThan(2 * 1024 * 1024);
  let heard = '';
  client.on('data', (bytes) => {
    heard += bytes;
  });
  client.resume();
  await expect.poll(() => length()).toBe(0);
  writer.send({ id: '1.0', event: 'result', data: {} });
  await expect.poll(() => heard).toContain('event: result');
  expect(heard).toMatch(/"kind":"pieces_dropped","data":\{"count":[1-9]\d*\}/);
});

test('who reads nothing for three beats is cut off, though little waits', async () => {
  const { writer, length, beat } = await unread();
  // Until the system takes no more of it.
  for (let waits = 0; waits < 50; waits = length() > 0 ? waits + 1 : 0) {
    if (length() === 0) writer.write(FRAME);
    await turn();
  }
  for (let beats = 0; beats < 6 && !writer.gone.aborted; beats += 1) {
    beat();
    await turn();
  }
  expect(writer.gone.aborted).toBe(true);
});
