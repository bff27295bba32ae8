/** What the web is to a run: names, addresses, proxies and time come in here. */
import type { LookupAddress } from 'node:dns';

export interface WebPorts {
  /** Every address of a name, asked for once. Rejects where there is none. */
  lookup(name: string): Promise<readonly LookupAddress[]>;
  /**
   * Whether an address belongs to this machine, to a network of its own, or to no network at all; left out: as the
   * special ranges say.
   */
  isSpecial?(address: string): boolean;
  /** The proxy that requests for an address go through; `null`: none. */
  proxyFor(url: URL): URL | null;
  /** Milliseconds for a page with all its redirects. */
  readonly totalMs: number;
}

export interface WebWay extends WebPorts {
  /** Whether an address may be asked for without a question. */
  mayFetch(address: string): boolean;
}
