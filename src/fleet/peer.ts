/** What adapters of engines have in common: their packages are optional peers, of which nothing is bundled, or loaded before somebody needs it. */
import { createRequire } from 'node:module';
import { TardigradeError } from '../lib/errors.ts';

/**
 * The first that one of these files or folders finds, each absolute; `null`: it is nowhere. On Node 20 the caller
 * has filled in what it needs of newer ones.
 */
export function loadPeer<Peer>(name: string, from: readonly string[]): Peer | null {
  for (const place of from) {
    try {
      return createRequire(place)(name) as Peer;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return null;
}

export const notThere = (address: string, cause: unknown): TardigradeError =>
  new TardigradeError(
    'E_PROVIDER',
    `No fleet engine answers at ${address}.`,
    'Start it, or give its address; docs/fleet.md says how.',
    { cause },
  );
