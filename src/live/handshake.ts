/**
 * Both sides prove that they have this user's key before either says anything else. Pure, except for the nonces.
 *
 * 1. A proof is an HMAC over both nonces, the side that shows it, the run and the version of the protocol. So it is
 *    useless for another channel, another time, or the other side.
 * 2. Its key is derived from the user's key for this purpose alone: no proof reveals anything about a signature.
 * 3. Only nonces and proofs are sent before both are shown.
 *
 * The watcher begins with its nonce; the owner answers with its own nonce and its proof; the watcher checks it and
 * shows its own proof.
 */
import { hkdfSync } from 'node:crypto';
import * as z from 'zod';
import { jsonIn } from '../lib/json-value.ts';
import { isMacOf, KEY_BYTES, macOf } from '../lib/mac.ts';
import { LIVE_VERSION, protocolLine } from './protocol.ts';

const NONCE_BYTES = 32;
const PURPOSE = 'tardigrade-agent live channel';

const Hex = z.string().regex(/^[0-9a-f]{64}$/);
const Opening = z.strictObject({ live: z.number().int(), nonce: Hex });
const Reply = z.strictObject({ live: z.number().int(), nonce: Hex, proof: Hex });
const Proof = z.strictObject({ proof: Hex });

export interface HandshakeParts {
  readonly key: Uint8Array;
  readonly run: string;
  random(bytes: number): Uint8Array;
}

/** What to do after a line from the other side. */
export type Next =
  | { readonly do: 'refuse'; readonly why: 'unproved' | 'other_version' }
  /** `isProved`: both sides have shown their proofs. */
  | { readonly do: 'go_on'; readonly send: string; readonly isProved: boolean };

/** @param originKey of the user; it never leaves this function */
export const liveKey = (originKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', originKey, new Uint8Array(), PURPOSE, KEY_BYTES));

const REFUSED: Next = { do: 'refuse', why: 'unproved' };

interface Nonces {
  readonly watcher: string;
  readonly owner: string;
}

const handshakeText = (side: 'watcher' | 'owner', run: string, { watcher, owner }: Nonces) =>
  ['live', LIVE_VERSION, side, run, watcher, owner] as const;

const nonceOf = ({ random }: HandshakeParts): string =>
  Buffer.from(random(NONCE_BYTES)).toString('hex');

export class OwnerHandshake {
  readonly #parts: HandshakeParts;
  #nonces: Nonces | null = null;

  constructor(parts: HandshakeParts) {
    this.#parts = parts;
  }

  take(line: string): Next {
    const { key, run } = this.#parts;
    if (this.#nonces === null) {
      const opening = Opening.safeParse(jsonIn(line));
      if (!opening.success) return REFUSED;
      const nonces = { watcher: opening.data.nonce, owner: nonceOf(this.#parts) };
      this.#nonces = nonces;
      const proof = macOf(key, handshakeText('owner', run, nonces));
      const send = protocolLine({ live: LIVE_VERSION, nonce: nonces.owner, proof });
      return { do: 'go_on', send, isProved: false };
    }
    const shown = Proof.safeParse(jsonIn(line));
    const isShown =
      shown.success && isMacOf(key, handshakeText('watcher', run, this.#nonces), shown.data.proof);
    return isShown ? { do: 'go_on', send: '', isProved: true } : REFUSED;
  }
}

export class WatcherHandshake {
  readonly #parts: HandshakeParts;
  readonly #nonce: string;
  readonly opening: string;

  constructor(parts: HandshakeParts) {
    this.#parts = parts;
    this.#nonce = nonceOf(parts);
    this.opening = protocolLine({ live: LIVE_VERSION, nonce: this.#nonce });
  }

  take(line: string): Next {
    const { key, run } = this.#parts;
    const reply = Reply.safeParse(jsonIn(line));
    if (!reply.success) return REFUSED;
    const { live, nonce, proof } = reply.data;
    if (live !== LIVE_VERSION) return { do: 'refuse', why: 'other_version' };
    const nonces = { watcher: this.#nonce, owner: nonce };
    if (!isMacOf(key, handshakeText('owner', run, nonces), proof)) return REFUSED;
    const own = macOf(key, handshakeText('watcher', run, nonces));
    return { do: 'go_on', send: protocolLine({ proof: own }), isProved: true };
  }
}
