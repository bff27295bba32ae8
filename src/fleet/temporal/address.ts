/** Pure: the address of a fleet on Temporal: `temporal://HOST:PORT/NAMESPACE`. */
import { decoded } from '../../lib/text/addresses.ts';

const USUAL_PORT = '7233';
const USUAL_NAMESPACE = 'default';

export interface TemporalPlace {
  /** `HOST:PORT`. */
  readonly address: string;
  readonly namespace: string;
}

/** `null`: the address is not one of Temporal. */
export function temporalPlace(fleet: string): TemporalPlace | null {
  const { protocol, hostname, port, pathname } = new URL(fleet);
  if (protocol !== 'temporal:') return null;
  const namespace = decoded(pathname.replaceAll('/', ''));
  return {
    address: `${hostname}:${port || USUAL_PORT}`,
    namespace: namespace || USUAL_NAMESPACE,
  };
}
