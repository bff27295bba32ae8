import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';

/**
 * Loads an optional package, seen from the first of these files that finds it; each may be missing. `null`:
 * none finds it. A relative path is skipped. On Node 20 the caller has polyfilled what the package needs.
 */
export function loadPeer<Peer>(name: string, from: readonly string[]): Peer | null {
  for (const place of from.filter((one) => isAbsolute(one))) {
    try {
      return createRequire(place)(name) as Peer;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return null;
}
