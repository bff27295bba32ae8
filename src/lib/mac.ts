/** Pure: what shows that whoever has the key said this, and nobody else (HMAC-SHA-256, in hex). */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Of a key; RFC 2104 advises no fewer than the bytes of the hash. */
export const KEY_BYTES = 32;

/** A list is signed as one JSON text, so that no part can pass for the end of another. */
export type Signed = readonly (string | number | boolean | null)[];

export const macOf = (key: Uint8Array, parts: Signed): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');

/** Takes the same time wherever the two differ. */
export function isMacOf(key: Uint8Array, parts: Signed, mac: string | undefined): boolean {
  const given = Buffer.from(mac ?? '', 'hex');
  const wanted = Buffer.from(macOf(key, parts), 'hex');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
