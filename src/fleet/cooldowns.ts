/**
 * Cooldowns of profiles, shared by all workers that see one folder: a file for each profile of a tenant.
 *
 * 1. Nobody waits longer than the server requested, whatever the clock of another machine says.
 * 2. A file that cannot be read or written requests no wait; each run still obeys its own.
 */
import { join } from 'node:path';
import * as z from 'zod';
import { ignoreForGit, STATE_DIRECTORY } from '../journal/layout.ts';
import type { Clock } from '../lib/clock.ts';
import { makeDirectory, replaceFile } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { readFileAs } from '../lib/files/json-file.ts';
import { sha256 } from '../lib/sha256.ts';
import type { SharedCooldowns } from '../llm/failover/shared.ts';

export interface CooldownPlace {
  readonly fs: FileSystem;
  readonly clock: Pick<Clock, 'now'>;
  /** Absolute: the folder that all workers see. */
  readonly root: string;
  readonly tenant: string;
}

const Cooldown = z.object({ until: z.number(), ms: z.number() });

export function sharedCooldowns({ fs, clock, root, tenant }: CooldownPlace): SharedCooldowns {
  const state = join(root, STATE_DIRECTORY);
  const folder = join(state, 'cooldowns');
  const fileOf = ({ provider, profile }: { provider: string; profile: string }): string => {
    const name = JSON.stringify([tenant, provider, profile]);
    return join(folder, sha256(name).slice(0, 32));
  };
  const leftIn = (file: string): number => {
    const { until, ms } = readFileAs(fs, file, Cooldown) ?? { until: 0, ms: 0 };
    return Math.max(0, Math.min(until - clock.now(), ms));
  };
  return {
    leftFor: (profile) => leftIn(fileOf(profile)),
    report: (profile, ms) => {
      const file = fileOf(profile);
      if (ms <= leftIn(file)) return;
      try {
        makeDirectory(fs, state);
        ignoreForGit(fs, { root: state });
        makeDirectory(fs, folder);
        const text = JSON.stringify({ until: clock.now() + ms, ms });
        replaceFile(fs, file, Buffer.from(text), { isSynced: false });
      } catch {
        // Invariant 2.
      }
    },
  };
}
