/** A server that would never look by itself again: what it has changed, or hears of, is told at once. */
import { afterEach, expect, test } from 'vitest';
import { ensureDirectory, replaceFile } from '../../src/lib/files/durable-files.ts';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { type RunningServer, startServer } from '../../src/server/app.ts';
import { connect } from '../../src/server/client/client.ts';
import { Holdings } from '../../src/server/holdings.ts';
import { RunTools } from '../../src/server/mcp/run-tools.ts';
import type { Launch, ServerPlace } from '../../src/server/place.ts';
import { UNSEEN } from '../../src/server/process-end.ts';
import { Wakes } from '../../src/server/streams/wakes.ts';

/** Nothing but a signal ends what is longer than a poll of everything takes here. */
const sleep = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    if (ms < 10) resolve();
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

let server: RunningServer | undefined;
const leaving = new AbortController();
afterEach(async () => {
  leaving.abort();
  await server?.close();
});

const HISTORY = '/work/.agent_context/history.jsonl';

function working() {
  const fs = new MemoryFileSystem();
  for (const folder of ['/work/.agent_context', '/data/serve']) ensureDirectory(fs, folder);
  const launched: Launch[] = [];
  let at = 0;
  const standing = { status: 'unverified' };
  const engine = {
    listRuns: () => [{ ...OLD, ...standing }],
    lockOwner: () => null,
    undo: async () => {
      standing.status = 'undone';
      replaceFile(fs, HISTORY, Buffer.from('undone'));
      return { outcome: 'undone', restored: [], removed: [], leftAlone: [] };
    },
  };
  const place = {
    ...{ fs, engine, roots: ['/work'], dataFolder: '/data', pageFolder: '/page', maxRuns: 1 },
    identity: { host: 'h', boot: 'b', pidNamespace: 'n', pid: 1, startTimeOf: () => 's' },
    clock: { now: () => 1, monotonic: () => (at += 1), sleep },
    withoutSecrets: (said: string) => said,
    ...{ live: { all: () => [] }, version: '1', keepError: String },
    random: (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)),
    launch: (work: Launch) => launched.push(work),
  } as unknown as ServerPlace;
  return { launched, place };
}

async function serving() {
  const { launched, place } = working();
  server = await startServer({ place, host: '127.0.0.1', port: 0, others: [] });
  return { launched, client: await connect({ url: server.link() }) };
}

const OLD = { id: 'old', number: 1, goal: 'x', startedAt: 0, lastAt: 0, isCurrent: false };

test('that a run was begun, that its process has gone, and that another one was undone', async () => {
  const { client, launched } = await serving();
  const everything = client.events(leaving.signal);
  const told = async () => {
    const { value } = await everything.next();
    return [value?.data.id, value?.data.standing];
  };
  const { id } = await client.startRun({ workspace: '/work', goal: 'y' });
  expect([await told(), await told()]).toEqual([
    ['old', 'unverified'],
    [id, 'starting'],
  ]);
  const ofRun = client.run(id).events();
  const bye = ofRun.next();
  launched[0]?.ended(UNSEEN);
  expect(await told()).toEqual([id, 'not_begun']);
  expect(await bye).toMatchObject({ value: { event: 'bye', data: { why: 'ended' } } });
  await client.run('old').undo();
  expect(await told()).toEqual(['old', 'undone']);
});

test('once it is closed, nothing of it sleeps on', async () => {
  const { place } = working();
  const asleep = new Set<number>();
  place.clock.sleep = (ms, signal) => {
    asleep.add(ms);
    return sleep(ms, signal).finally(() => asleep.delete(ms));
  };
  server = await startServer({ place, host: '127.0.0.1', port: 0, others: [] });
  const client = await connect({ url: server.link() });
  const gone = new AbortController();
  const told = client.events(gone.signal).next();
  await expect.poll(() => asleep.size).toBe(1);
  gone.abort();
  await told;
  await server.close();
  await expect.poll(() => [...asleep]).toEqual([]);
});

test('who waits for a run over MCP hears that its process has gone', async () => {
  const { launched, place } = working();
  const tools = new RunTools(new Holdings(place, { isLasting: false }), { mayAnswer: false });
  const call = (tool: string, args: object) =>
    tools.all
      .find(({ name }) => name === tool)
      ?.call(args, new AbortController().signal) as Promise<Shown>;
  const { run } = await call('start_goal', { goal: 'y' });
  const waits = call('wait_run', { run });
  launched[0]?.ended(UNSEEN);
  expect((await waits).standing).toBe('not_begun');
  tools.close();
});

interface Shown {
  readonly run: string;
  readonly standing: string;
}

test('a pause leaves nothing in a signal that lasts', async () => {
  const { signal } = new AbortController();
  const kept = () =>
    Object.getOwnPropertySymbols(signal)
      .map((key) => (signal as { [key: symbol]: unknown } & AbortSignal)[key] as { size?: number })
      .map((value) => value?.size);
  const wakes = new Wakes();
  await wakes.pause({ sleep }, 1, signal);
  const before = kept();
  for (let n = 0; n < 3; n += 1) await wakes.pause({ sleep }, 1, signal);
  expect(kept()).toEqual(before);
});

test('a pause ends once it is known that something has changed, also if that was before it', async () => {
  const wakes = new Wakes();
  const clock = { sleep };
  wakes.wake();
  await wakes.pause(clock, 1000);
  const next = wakes.pause(clock, 1000);
  wakes.wake();
  await next;
  await wakes.pause(clock, 1000, AbortSignal.abort());
});
