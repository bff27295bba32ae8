/** The live channel of a run that the built `agent` works on, as `agent attach` finds and uses it. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { livePlaceOf } from '../../src/host/live/live-place.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { type LiveNote, notesIn } from '../../src/live/address.ts';
import { liveKey } from '../../src/live/handshake.ts';
import type { OwnerMessage } from '../../src/live/protocol.ts';
import { openChannel } from '../../src/live/watcher.ts';
import { thisMachine } from '../../src/run/machine.ts';

export const dataOf = (folder: string): string => join(`${folder}.data`, 'tardigrade-agent');
export const placeOf = (folder: string) => livePlaceOf(thisMachine(), dataOf(folder), process.env);

export async function noteIn(folder: string): Promise<LiveNote> {
  await expect.poll(() => notesIn(placeOf(folder)), { timeout: 50_000 }).toHaveLength(1);
  const [note] = notesIn(placeOf(folder));
  if (note === undefined) throw new Error('no note');
  return note;
}

/** Watches as `agent attach` does, with the key of this user. */
export async function watching(
  folder: string,
  { answers = true, after = null as string | null } = {},
) {
  const { address, run } = await noteIn(folder);
  const key = liveKey(readFileSync(join(dataOf(folder), 'origin.key')));
  const told: OwnerMessage[] = [];
  const { signal } = new AbortController();
  const parts = {
    address: address ?? '',
    run,
    key,
    random: randomBytes,
    clock: systemClock,
    signal,
  };
  const channel = await openChannel({
    ...parts,
    after,
    answers,
    onMessage: (one) => told.push(one),
  });
  if (typeof channel === 'string') throw new Error(channel);
  return { channel, told };
}

export const questionsIn = (told: readonly OwnerMessage[]) =>
  told.flatMap((one) => (one.is === 'question' ? [one.question] : []));
export const eventsIn = (told: readonly OwnerMessage[]) =>
  told.flatMap((one) => (one.is === 'event' ? [one.event] : []));
