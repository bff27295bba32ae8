/** Decides when two calls are the same. Pure. */
import stringify from 'fast-json-stable-stringify';
import { sha256 } from '../../lib/sha256.ts';

/** 16 hex digits of a hash over the tool's name and its arguments, independent of key order. */
export function signatureOf(tool: string, args: { readonly [name: string]: unknown }): string {
  return sha256(`${tool}\0${stringify(args)}`).slice(0, 16);
}
