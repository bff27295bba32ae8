/** Web access through this machine. Nothing is loaded before the first request. */
import type { WebPorts } from './ports.ts';

const TOTAL_MS = 30_000;

export const systemWeb = (env: { readonly [name: string]: string | undefined }): WebPorts => ({
  lookup: async (name) => (await import('node:dns/promises')).lookup(name, { all: true }),
  proxyFor: (url) => proxyOf(env, url),
  totalMs: TOTAL_MS,
});

type Environment = { readonly [name: string]: string | undefined };

/** The proxy that the environment names for an address, interpreted as curl does. */
function proxyOf(env: Environment, url: URL): ReturnType<WebPorts['proxyFor']> {
  const scheme = url.protocol.slice(0, -1);
  const proxy = named(env, `${scheme}_proxy`) ?? named(env, 'all_proxy');
  if (proxy === undefined || isLeftOut(named(env, 'no_proxy') ?? '', url)) return null;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  return URL.canParse(address) ? new URL(address) : 'unreadable';
}

const named = (env: Environment, name: string): string | undefined =>
  env[name]?.trim() || env[name.toUpperCase()]?.trim() || undefined;

/** `example.com` and `.example.com` stand for the name and all its subdomains, `::1` for `[::1]`. */
function isLeftOut(list: string, { hostname, port, protocol }: URL): boolean {
  const host = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      const name = entry.replace(/^\*?\./, '').toLowerCase();
      const isIt = [host, hostname, hostname.replace(/^\[|\]$/g, '')].includes(name);
      return entry === '*' || isIt || hostname.endsWith(`.${name}`);
    });
}
