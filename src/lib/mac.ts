/** Message authentication: shows that a holder of the key wrote something (HMAC-SHA-256, in hex). Pure. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The length of a key; RFC 2104 advises no fewer bytes than the hash has. */
export const KEY_BYTES = 32;

/** A list is signed as one JSON text, so that no part can pass for the end of another. */
export type SignedFields = readonly (string | number | boolean | null)[];

export const macOf = (key: Uint8Array, parts: SignedFields): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');

/** Compares in constant time. */
export function isMacOf(key: Uint8Array, parts: SignedFields, mac: string | undefined): boolean {
  const actual = Buffer.from(mac ?? '', 'hex');
  const wanted = Buffer.from(macOf(key, parts), 'hex');
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}
