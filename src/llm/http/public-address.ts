/** Pure: whether a server is somebody else's, by its address alone. */
import { isIP } from 'node:net';

/** Loopback, the private ranges of RFC 1918 and 4193, link-local, and shared ones (RFC 6598). */
const PRIVATE_IP =
  /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[789]\d|1[01]\d|12[0-7])\.|0\.0\.0\.0$|::1?$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:|::ffff:)/i;
/** Names that no public resolver answers. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|lan|home|internal|intranet|home\.arpa|test)$/i;

/** False for this machine, for private networks, and for anything that is not an address. */
export function isPublicAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return !PRIVATE_IP.test(host);
  return host.includes('.') && !PRIVATE_NAME.test(host);
}
