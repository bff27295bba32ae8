/**
 * One racer for the lock, run as a process of its own: takes the lock, writes into the arena that
 * it is inside, looks whether somebody else is, and leaves. Arguments: lock directory, arena file,
 * rounds, and `hold` to stay inside until killed.
 */
import fs from 'node:fs';
import { acquireLock } from '../../src/journal/lock/lock.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { systemIdentity } from '../../src/lib/process-identity.ts';
import { startTimeOf } from '../../src/processes/identity.ts';
import { operatingSystem } from '../../src/processes/operating-system.ts';

const [directory = '', arena = '', rounds = '1', mode = ''] = process.argv.slice(2);
const system = operatingSystem(process.platform);
const identity = systemIdentity({
  platform: process.platform,
  clock: systemClock,
  startTime: (pid) => startTimeOf(pid, system),
});

function visit(): string {
  let lock: { release(): void };
  try {
    lock = acquireLock({ fs: nodeFileSystem, directory, identity, clock: systemClock });
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  // `wx` fails when another owner is inside: two owners show as an error, whatever the timing.
  const inside = fs.openSync(arena, 'wx');
  if (mode === 'hold') {
    process.stdout.write('inside\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  for (let count = 0; count < 50; count++) fs.writeSync(inside, '.');
  fs.closeSync(inside);
  fs.unlinkSync(arena);
  lock.release();
  return 'owner';
}

const seen = Array.from({ length: Number(rounds) }, visit);
process.stdout.write(`${JSON.stringify(seen)}\n`);
