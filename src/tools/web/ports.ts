/** The web as a run sees it: names, addresses, proxies and time come in here. */
import type { LookupAddress } from 'node:dns';

export interface WebPorts {
  /** Every address of a name, resolved once. Rejects if there is none. */
  lookup(name: string): Promise<readonly LookupAddress[]>;
  /**
   * Whether an address belongs to this machine, to a private network, or to no network; left out: decided by
   * the special ranges.
   */
  isSpecial?(address: string): boolean;
  /** The proxy for an address; `null`: none. `unreadable`: a proxy is named, but not in a readable way. */
  proxyFor(url: URL): URL | 'unreadable' | null;
  /** Milliseconds for a page with all its redirects. */
  readonly totalMs: number;
}

export interface WebWay extends WebPorts {
  /** Whether an address may be requested without asking. */
  mayFetch(address: string): boolean;
}
