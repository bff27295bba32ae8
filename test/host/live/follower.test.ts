/** What one who follows is told of questions, when the connection breaks and is made again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { livePortHere } from '../../../src/host/live/live-port-here.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { listening, QUESTION } from '../../support/live-channel.ts';

/** Passes everything on, until it is cut: what is said just before that is lost. */
async function relayTo(address: string) {
  const folder = mkdtempSync(join(tmpdir(), 'relay-'));
  const own = process.platform === 'win32' ? `${address}-relay` : join(folder, 'r.sock');
  let pair: readonly Socket[] = [];
  const server = createServer((near) => {
    const far = connect({ path: address });
    near.pipe(far);
    far.pipe(near);
    pair = [near, far];
    for (const socket of pair) socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(own, resolve));
  return {
    address: own,
    silence: () => pair[1]?.unpipe(),
    cut: () => {
      for (const socket of pair) socket.destroy();
    },
    close: () => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test('a question that was settled while the connection was broken is told as settled, an open one once more', async () => {
  const live = await listening();
  const relay = await relayTo(live.address);
  const told: string[] = [];
  let look = (): void => {};
  const until = (line: string): Promise<void> =>
    new Promise((resolve) => {
      look = () => told.includes(line) && resolve();
      look();
    });
  const tell = (line: string): void => {
    told.push(line);
    look();
  };
  const random = (bytes: number) => new Uint8Array(bytes).fill(1);
  const port = livePortHere({
    own: { find: () => ({ kind: 'ok', key: new Uint8Array(32).fill(7) }) },
    livePlace: { random },
    machine: { clock: systemClock },
  } as never);
  const leave = new AbortController();
  const following = await port.follow({
    ...{ note: { run: 'a1', address: relay.address } as never, isChat: false, answers: false },
    signal: leave.signal,
    observer: {
      ...{ past: () => {}, missed: () => {}, receive: () => {} },
      begins: () => tell('begins'),
      question: ({ id }) => tell(`asks ${id}`),
      settled: (id) => tell(`settled ${id}`),
    },
  });
  expect(following).toBeTypeOf('object');
  const [one, other] = ['one', 'other'];
  const first = new AbortController();
  const { signal } = new AbortController();
  void live.questions.ask({ ...QUESTION, id: one }, first.signal);
  void live.questions.ask({ ...QUESTION, id: other }, signal);
  await until(`asks ${other}`);
  relay.silence();
  first.abort();
  told.length = 0;
  relay.cut();
  await until(`asks ${other}`);
  expect(told).toEqual([`settled ${one}`, `settled ${other}`, 'begins', `asks ${other}`]);
  leave.abort();
  relay.close();
  await live.close();
});
