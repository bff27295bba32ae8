/** What makes two calls the same call. Pure. */
import { createHash } from 'node:crypto';
import stringify from 'fast-json-stable-stringify';

/** 16 hex digits over the tool's name and its arguments, whatever the order of their keys. */
export function signatureOf(tool: string, args: { readonly [name: string]: unknown }): string {
  return createHash('sha256')
    .update(`${tool}\0${stringify(args)}`)
    .digest('hex')
    .slice(0, 16);
}
