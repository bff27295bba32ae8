/** Web access through this machine. Nothing is loaded before the first request. */
import type { WebPorts } from './ports.ts';
import { proxyOf } from './proxy-of.ts';

const TOTAL_MS = 30_000;

export const systemWeb = (env: { readonly [name: string]: string | undefined }): WebPorts => ({
  lookup: async (name) => (await import('node:dns/promises')).lookup(name, { all: true }),
  proxyFor: (url) => proxyOf(env, url),
  totalMs: TOTAL_MS,
});
