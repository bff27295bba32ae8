/** What the process at work sends, numbered after what its journal says. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LiveWork } from '../../../src/host/live/live-work.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import { notesIn } from '../../../src/live/address.ts';
import { thisMachine } from '../../../src/run/machine.ts';
import type { RunEvent } from '../../../src/schema/events/events.ts';
import { watching } from '../../support/live-channel.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'l-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stateAt = (seq: number) => ({
  ...{ run: 'a1', seq, goal: 'Begin', conversation: [], counters: { turns: 0 }, settings: null },
});
const recorded = (seq: number, record: object) =>
  ({ type: 'record', record: { seq, ts: seq, ...record }, state: stateAt(seq) }) as never;
const begun = (seq: number): RunEvent =>
  ({ type: 'begun', state: stateAt(seq), number: 1, isResumed: true }) as never;
const lease = (seq: number) =>
  recorded(seq, { type: 'lease_taken', token: 2, host: 'h', version: '1' });
const ended = (seq: number) =>
  recorded(seq, { type: 'message_ended', ending: 'replied', detail: '' });

test.each([
  ['a record without a meaning', [lease(8), begun(8)], '8.0'],
  ['a record with a meaning', [begun(7), ended(8)], '8.1'],
  ['messages that are not reported', [lease(2), begun(9)], '9.1'],
])('what is told after %s has an id of its own', async (_, before, last) => {
  const place = {
    ...{ fs: nodeFileSystem, identity: thisMachine().identity, dataFolder: join(folder, 'data') },
    ...{ runtimeFolder: null, temporary: folder, user: userInfo().uid, random: randomBytes },
  };
  const live = new LiveWork({
    ...{ place, originKey: new Uint8Array(32).fill(7), workspace: folder, clock: systemClock },
    ...{ goal: null, hooks: { send: () => ({ how: 'taken' }), pause: () => ({ how: 'taken' }) } },
  });
  for (const event of before) live.observe(event);
  await live.listen();
  live.observe({ type: 'text', text: 'Hi' });
  const [note] = notesIn(place);
  const watcher = await watching(note?.address ?? '');
  if (typeof watcher === 'string') throw new Error(watcher);
  await watcher.until('event');
  await live.close(null);
  const [seq, at] = last.split('.').map(Number);
  expect(watcher.told.slice(0, 2)).toMatchObject([
    { is: 'hello', from: last },
    { is: 'event', id: `${seq}.${(at ?? 0) + 1}+2`, event: { type: 'text_delta', text: 'Hi' } },
  ]);
});
