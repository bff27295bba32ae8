/**
 * Who may request what.
 *
 * 1. The key of a link is valid once, for a minute. A token is valid for thirty days.
 * 2. Only hashes of tokens are stored: reading the file reveals no token.
 * 3. After ten wrong tokens or keys in a minute no key is exchanged for a while; valid tokens still work.
 */
import * as z from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { replaceFile } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { readFileAs } from '../../lib/files/json-file.ts';
import { sha256 } from '../../lib/sha256.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { Right } from '../api/schemas.ts';
import { ServerRefusal } from './problem.ts';

const LINK_MS = 60_000;
const TOKEN_MS = 30 * 24 * 60 * 60_000;
const MAX_TOKENS = 200;
const MAX_WRONG = 10;
const WRONG_MS = 60_000;
const BYTES = 32;

const Kept = z.object({ hash: z.string(), rights: z.array(Right), until: z.number() });
type Kept = z.infer<typeof Kept>;
const File = z.object({ tokens: z.array(Kept) });

export interface TokenPlace {
  readonly fs: FileSystem;
  /** Absolute. */
  readonly file: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  random(bytes: number): Uint8Array;
}

interface Link {
  readonly rights: readonly Right[];
  readonly until: number;
}

/** Somebody who shows a valid token. */
export interface Holder {
  /** The same for the same token, but no part of it. */
  readonly name: string;
  readonly rights: readonly Right[];
  /** True for the server's own user, who has no limits. */
  readonly isOwn: boolean;
}

/** Each right includes those before it. */
export const rightsUpTo = (right: Right): readonly Right[] =>
  Right.options.slice(0, Right.options.indexOf(right) + 1);

export class Tokens {
  readonly #place: TokenPlace;
  readonly #links = new Map<string, Link>();
  #tokens: readonly Kept[];
  #own: Kept | null = null;
  #wrong: number[] = [];

  constructor(place: TokenPlace) {
    this.#place = place;
    this.#tokens = readTokens(place);
  }

  /** The key of a new link. */
  link(rights: readonly Right[]): string {
    const now = this.#place.clock.now();
    for (const [hash, { until }] of this.#links) if (until < now) this.#links.delete(hash);
    const key = this.#made();
    this.#links.set(sha256(key), { rights, until: now + LINK_MS });
    return key;
  }

  /** Exchanges the key of a link for a token and uses the key up. Throws for an invalid key. */
  exchange(key: string): { readonly token: string; readonly rights: readonly Right[] } {
    this.#patience();
    const hash = sha256(key);
    const link = this.#links.get(hash);
    const now = this.#place.clock.now();
    if (link === undefined || link.until < now)
      throw this.#refusal('That link has been used, or is too old.');
    const token = this.#made();
    const kept = { hash: sha256(token), rights: [...link.rights], until: now + TOKEN_MS };
    // Another server of the same user may have added some.
    const known = new Map(
      [...readTokens(this.#place), ...this.#tokens].map((one) => [one.hash, one]),
    );
    const valid = [...known.values()].filter(({ until }) => until > now);
    const tokens = [...valid, kept].slice(-MAX_TOKENS);
    const text = JSON.stringify({ tokens });
    replaceFile(this.#place.fs, this.#place.file, Buffer.from(`${text}\n`));
    this.#tokens = tokens;
    this.#links.delete(hash);
    return { token, rights: link.rights };
  }

  /** A token of the server's own user, which is not stored. */
  own(rights: readonly Right[]): string {
    const token = this.#made();
    this.#own = { hash: sha256(token), rights: [...rights], until: Number.POSITIVE_INFINITY };
    return token;
  }

  /** The holder that the header of a request names. Throws if there is no valid token. */
  holderOf(header: string | undefined): Holder {
    const [, token = ''] = /^Bearer ([\w-]{20,100})$/i.exec(header ?? '') ?? [];
    // Comparing hashes reveals nothing about how close a guess was.
    const hash = sha256(token);
    const now = this.#place.clock.now();
    const all = this.#own === null ? this.#tokens : [this.#own, ...this.#tokens];
    const found = all.find((one) => one.hash === hash && one.until > now);
    if (found !== undefined)
      return { name: found.hash.slice(0, 8), rights: found.rights, isOwn: found === this.#own };
    this.#patience();
    throw header === undefined
      ? new ServerRefusal('E_TOKEN', 'This needs a token.', HOW)
      : this.#refusal('That token is not valid here.');
  }

  #refusal(words: string): ServerRefusal {
    this.#wrong.push(this.#place.clock.monotonic());
    return new ServerRefusal('E_TOKEN', words, HOW);
  }

  #patience(): void {
    const from = this.#place.clock.monotonic() - WRONG_MS;
    this.#wrong = this.#wrong.filter((at) => at > from);
    if (this.#wrong.length < MAX_WRONG) return;
    throw new ServerRefusal('E_TOO_MANY', 'Too many wrong tokens came.', 'Wait for a minute.');
  }

  #made(): string {
    return Buffer.from(this.#place.random(BYTES)).toString('base64url');
  }
}

const HOW = `Get a link where the server runs, with its command: serve ${longFlag(OPTIONS.link)}`;

/** The stored tokens. Without the file everybody needs a new link, but nothing else is lost. */
const readTokens = ({ fs, file }: TokenPlace): readonly Kept[] =>
  readFileAs(fs, file, File)?.tokens ?? [];
