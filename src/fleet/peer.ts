/** Adapters of engines use optional peer packages: none is bundled, and none is loaded before it is needed. */
import { createRequire } from 'node:module';
import { TardigradeError } from '../lib/errors.ts';

/**
 * The first package that one of these absolute paths finds; `null`: none does. On Node 20 the caller has polyfilled
 * what the package needs.
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
