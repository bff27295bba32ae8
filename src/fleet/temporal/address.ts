/** Where a fleet on Temporal is: `temporal://HOST:PORT/NAMESPACE`. Pure. */
const USUAL_PORT = '7233';
const USUAL_NAMESPACE = 'default';

export interface TemporalPlace {
  /** `HOST:PORT`. */
  readonly address: string;
  readonly namespace: string;
}

/** `null`: the address is none of Temporal. */
export function temporalPlace(fleet: string): TemporalPlace | null {
  const { protocol, hostname, port, pathname } = new URL(fleet);
  if (protocol !== 'temporal:') return null;
  const namespace = decodeURIComponent(pathname.replaceAll('/', ''));
  return {
    address: `${hostname}:${port || USUAL_PORT}`,
    namespace: namespace || USUAL_NAMESPACE,
  };
}
