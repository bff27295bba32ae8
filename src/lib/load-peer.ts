import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';

/**
 * An optional package, from the first of these files that finds it, each of which may be missing; `null`: none does. A
 * relative path is passed over. On Node 20 the caller has polyfilled what the package needs.
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
