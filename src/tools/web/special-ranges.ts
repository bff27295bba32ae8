/**
 * Addresses that no public page has: this machine, its networks, the metadata services of clouds, and
 * everything that IANA reserves for special uses (RFC 6890 and its registries).
 */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { lazily } from '../../lib/lazily.ts';

const IPV4: readonly (readonly [from: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Only 2000::/3 is assigned to networks, and parts of it are special too. */
const IPV6: readonly (readonly [from: string, bits: number])[] = [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

/** Two lists, because Node also compares an IPv4 address with IPv6 ranges, as if it were mapped by ::ffff:. */
const lists = lazily(() => {
  const [ipv4, ipv6] = [new BlockList(), new BlockList()];
  for (const [from, bits] of IPV4) ipv4.addSubnet(from, bits, 'ipv4');
  for (const [from, bits] of IPV6) ipv6.addSubnet(from, bits, 'ipv6');
  return { ipv4, ipv6 };
});

/** True also for anything that is not an address. */
export function isSpecialAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  switch (isIP(plain)) {
    case 4:
      return lists().ipv4.check(plain, 'ipv4');
    case 6: {
      const inner = ipv4Within(plain);
      return inner === null ? lists().ipv6.check(plain, 'ipv6') : isSpecialAddress(inner);
    }
    default:
      return true;
  }
}

/** Systems (`::ffff:`) and gateways (NAT64) write an IPv4 address as an IPv6 one. */
const WRAPPERS = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

function ipv4Within(address: string): string | null {
  const words = wordsOf(address);
  const [high = 0, low = 0] = words.slice(6);
  const head = words
    .slice(0, 6)
    .map((word) => word.toString(16))
    .join(':');
  if (!WRAPPERS.includes(head)) return null;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight numbers of an IPv6 address. */
function wordsOf(address: string): readonly number[] {
  // Normalises all notations.
  const plain = isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : '';
  const [head = '', tail] = plain.split('::');
  const numbers = (part: string): readonly number[] =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16));
  const [before, behind] = [numbers(head), numbers(tail ?? '')];
  const gap = Array.from({ length: 8 - before.length - behind.length }, () => 0);
  return tail === undefined ? before : [...before, ...gap, ...behind];
}
