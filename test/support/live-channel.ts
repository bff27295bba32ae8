/** An owner of a live channel on a socket of its own, and whoever may connect to it. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/clock.ts';
import { liveKey } from '../../src/live/handshake.ts';
import { LiveOwner } from '../../src/live/owner.ts';
import type { OwnerMessage } from '../../src/live/protocol.ts';
import { Questions } from '../../src/live/questions.ts';
import { RecentEvents } from '../../src/live/recent-events.ts';
import { type Channel, openChannel } from '../../src/live/watcher.ts';
import type { AskPerson, PermissionQuestion } from '../../src/round/permission/person.ts';

export const KEY = liveKey(new Uint8Array(32).fill(7));
const random = (bytes: number): Uint8Array => randomBytes(bytes);

export const QUESTION: PermissionQuestion = {
  ...{
    id: 'ab'.repeat(16),
    tool: 'run_cmd',
    target: 'git init',
    reason: 'It begins a repository.',
  },
  ...{ rules: ['run_cmd(git init *)'], offered: ['run_cmd(git init *)'], input: {}, callId: '1' },
  ...{ argv: ['git', 'init'], folder: '/work', program: '/usr/bin/git' },
};

/** Time that passes when the test says so. */
export class StandingClock {
  #sleepers: { readonly ms: number; wake(): void }[] = [];

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      this.#sleepers.push({ ms, wake: resolve });
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });

  /** All who wait no longer than this. */
  pass(ms: number): void {
    const due = this.#sleepers.filter((one) => one.ms <= ms);
    this.#sleepers = this.#sleepers.filter((one) => one.ms > ms);
    for (const { wake } of due) wake();
  }
}

export interface OwnerOptions {
  readonly here?: AskPerson | null;
  readonly clock?: { sleep(ms: number, signal?: AbortSignal): Promise<void> };
  readonly seq?: number;
}

export async function listening({ here = null, clock = systemClock, seq = 7 }: OwnerOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'live-'));
  const mark = randomBytes(8).toString('hex');
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\live-${mark}` : join(folder, 'a.sock');
  const heard: string[] = [];
  let owner: LiveOwner | null = null;
  const questions = new Questions(here, {
    opened: (question) => owner?.opened(question),
    settled: (id) => owner?.settled(id),
  });
  owner = new LiveOwner({
    ...{ key: KEY, run: 'a1', random, clock, log: new RecentEvents(seq), questions },
    started: () => null,
    say: (text) => {
      heard.push(text);
      return { how: 'taken' };
    },
    pause: () => {
      heard.push('(pause)');
      return { how: 'taken' };
    },
  });
  await owner.listen(address);
  const live = owner;
  return {
    ...{ owner: live, questions, address, heard },
    close: async () => {
      await live.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Watching {
  readonly channel: Channel;
  readonly told: readonly OwnerMessage[];
  /** The first of what is told, from now or before, that is wanted. */
  until<Is extends OwnerMessage['is']>(is: Is): Promise<Extract<OwnerMessage, { is: Is }>>;
}

export async function watching(
  address: string,
  {
    answers = false,
    after = null,
    key = KEY,
    run = 'a1',
  }: {
    readonly answers?: boolean;
    readonly after?: string | null;
    readonly key?: Uint8Array;
    readonly run?: string;
  } = {},
): Promise<Watching | string> {
  const told: OwnerMessage[] = [];
  let look = (): void => {};
  const { signal } = new AbortController();
  const channel = await openChannel({
    ...{ address, key, run, random, clock: systemClock, after, answers, signal },
    onMessage: (one) => {
      told.push(one);
      look();
    },
  });
  if (typeof channel === 'string') return channel;
  return {
    ...{ channel, told },
    until: (is) =>
      new Promise((resolve) => {
        look = () => {
          const found = told.find((one) => one.is === is);
          if (found !== undefined) resolve(found as Extract<OwnerMessage, { is: typeof is }>);
        };
        look();
      }),
  };
}

/** A connection that says whatever a test wants. */
export async function stranger(address: string) {
  const socket: Socket = createConnection({ path: address });
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString();
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('error', reject);
  });
  return { socket, closed, heard: () => heard };
}
