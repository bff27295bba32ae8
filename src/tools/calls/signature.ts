/** Decides when two calls are the same. Pure. */
import { createHash } from 'node:crypto';
import stringify from 'fast-json-stable-stringify';

/** 16 hex digits of a hash over the tool's name and its arguments, independent of key order. */
export function signatureOf(tool: string, args: { readonly [name: string]: unknown }): string {
  return createHash('sha256')
    .update(`${tool}\0${stringify(args)}`)
    .digest('hex')
    .slice(0, 16);
}
