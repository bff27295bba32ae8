/**
 * Who may request what.
 *
 * 1. The key of a link is valid once, for a minute, whatever the clock is set to. A token is valid for thirty days.
 * 2. Only hashes of tokens are stored: reading them reveals no token. Each token has a file of its own, so that two
 *    servers of one user lose none of each other, and each takes those of the other.
 * 3. After ten wrong tokens or keys in a minute no key is exchanged for a while; valid tokens still work.
 */
import * as z from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { discard, ensureDirectory, replaceFile } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { readFileAs } from '../../lib/files/json-file.ts';
import { orNull } from '../../lib/or-null.ts';
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
const ENDING = '.json';

const Stored = z.object({ rights: z.array(Right), until: z.number() });
const Kept = Stored.extend({ hash: z.string() });
type Kept = z.infer<typeof Kept>;
/** How earlier builds stored all tokens in one file. */
const AllInOne = z.object({ tokens: z.array(Kept) });

export interface TokenPlace {
  readonly fs: FileSystem;
  /** Absolute. */
  readonly folder: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  random(bytes: number): Uint8Array;
}

interface Link {
  readonly rights: readonly Right[];
  /** By the monotonic clock. */
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
  readonly #known: Map<string, Kept>;
  #own: Kept | null = null;
  #wrong: number[] = [];

  constructor(place: TokenPlace) {
    this.#place = place;
    const earlier = readFileAs(place.fs, `${place.folder}.json`, AllInOne)?.tokens ?? [];
    this.#known = new Map(earlier.map((one) => [one.hash, one]));
  }

  /** The key of a new link. */
  link(rights: readonly Right[]): string {
    const now = this.#place.clock.monotonic();
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
    const { clock } = this.#place;
    if (link === undefined || link.until < clock.monotonic())
      throw this.#refusal('That link has been used, or is too old.');
    const token = this.#made();
    const { fs, folder } = this.#place;
    const stored = { rights: [...link.rights], until: clock.now() + TOKEN_MS };
    const file = this.#fileOf(sha256(token));
    ensureDirectory(fs, folder);
    replaceFile(fs, file, Buffer.from(`${JSON.stringify(stored)}\n`));
    this.#links.delete(hash);
    this.#sweep();
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
    const found = this.#own?.hash === hash ? this.#own : this.#kept(hash);
    if (found !== null && found.until > this.#place.clock.now())
      return { name: found.hash.slice(0, 8), rights: found.rights, isOwn: found === this.#own };
    this.#patience();
    throw header === undefined
      ? new ServerRefusal('E_TOKEN', 'This needs a token.', HOW)
      : this.#refusal('That token is not valid here.');
  }

  /** `null` for one that is stored nowhere. One that was found once needs the disk no more. */
  #kept(hash: string): Kept | null {
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    const stored = readFileAs(this.#place.fs, this.#fileOf(hash), Stored);
    if (stored === null) return null;
    this.#known.set(hash, { hash, ...stored });
    return { hash, ...stored };
  }

  #fileOf = (hash: string): string => this.#path(`${hash}${ENDING}`);

  #path = (name: string): string => pathsOf(this.#place.fs.platform).join(this.#place.folder, name);

  /** Keeps the latest: what has run out is worth nothing, but the clock may just be set wrong. */
  #sweep(): void {
    const { fs, folder } = this.#place;
    const names = (orNull(() => fs.readdir(folder)) ?? []).filter((name) => name.endsWith(ENDING));
    if (names.length <= MAX_TOKENS) return;
    const endOf = (name: string): number => readFileAs(fs, this.#path(name), Stored)?.until ?? 0;
    const files = names.map((name) => ({ name, until: endOf(name) }));
    const sorted = files.toSorted((one, other) => other.until - one.until);
    for (const { name } of sorted.slice(MAX_TOKENS)) discard(fs, this.#path(name));
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
