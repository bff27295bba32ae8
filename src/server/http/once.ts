/**
 * A named request is carried out once: the same name gets the same answer for a day, even from a server that was killed
 * and restarted in between, or from another one of the same user. The server that works on it claims it.
 */
import * as z from 'zod';
import { claimWorkFile } from '../../host/work-files.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { discard, ensureDirectory, replaceFile } from '../../lib/files/durable-files.ts';
import { readFileAs } from '../../lib/files/json-file.ts';
import { orNull } from '../../lib/or-null.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { ServerPlace } from '../place.ts';
import type { FilesPlace } from './audit.ts';
import { busyRefusal, ServerRefusal } from './problem.ts';

const KEPT_MS = 24 * 60 * 60_000;
const MAX_KEY = 64;
/**
 * After this time a server that cannot be examined from here, such as one of a restarted container, has
 * answered.
 */
const UNSEEN_MS = 10 * 60_000;

const Kept = z.object({ body: z.string(), answer: z.unknown(), at: z.number() });

type OncePlace = FilesPlace & Pick<ServerPlace, 'identity'>;

export class Once {
  readonly #place: OncePlace;

  constructor(place: OncePlace) {
    this.#place = place;
  }

  async done(
    route: string,
    key: string,
    body: string,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    if (key.length > MAX_KEY)
      throw new ServerRefusal(
        'E_BODY',
        `An Idempotency-Key has at most ${MAX_KEY} characters.`,
        'Give a shorter one.',
      );
    const { fs, folder, clock } = this.#place;
    const file = pathsOf(fs.platform).join(folder, `${sha256(`${route}\n${key}`)}.json`);
    const bodyHash = sha256(body);
    const before = this.#answered(file, bodyHash);
    if (before !== null) return before.answer;
    ensureDirectory(fs, folder);
    const release = claimWorkFile(fs, file, this.#claiming());
    if (release === null) throw busyRefusal('That request is worked on.', 'Ask again in a moment.');
    try {
      // Another server may have answered before this one had its claim.
      const meanwhile = this.#answered(file, bodyHash);
      if (meanwhile !== null) return meanwhile.answer;
      const answer = await work();
      const kept = { body: bodyHash, answer, at: clock.now() };
      replaceFile(fs, file, Buffer.from(JSON.stringify(kept)));
      return answer;
    } finally {
      release();
    }
  }

  #claiming() {
    const { identity, clock } = this.#place;
    return { identity, now: clock.now(), unseenMs: UNSEEN_MS };
  }

  /** Throws if the name was that of another request. */
  #answered(file: string, body: string): z.infer<typeof Kept> | null {
    const kept = this.#kept(file);
    if (kept === null || kept.body === body) return kept;
    throw busyRefusal('That Idempotency-Key was used with another body.', 'Use a new one.');
  }

  /**
   * Removes expired entries, and what a kill left long ago. A recent file may belong to a server that is
   * writing it now.
   */
  sweep(): void {
    const { fs, folder, clock } = this.#place;
    for (const name of orNull(() => fs.readdir(folder)) ?? []) {
      const file = pathsOf(fs.platform).join(folder, name);
      const age = (): number => clock.now() - fs.lstat(file).mtimeMs;
      if (name.endsWith('.json')) this.#kept(file);
      else if (orNull(() => age() > KEPT_MS) === true) discard(fs, file);
    }
  }

  #kept(file: string): z.infer<typeof Kept> | null {
    const { fs, clock } = this.#place;
    const kept = readFileAs(fs, file, Kept);
    if (kept !== null && clock.now() - kept.at < KEPT_MS) return kept;
    discard(fs, file);
    return null;
  }
}

/** The same name for the same request, so that what it creates exists once however often it is sent. */
export const nameFor = (request: string): string => sha256(request).slice(0, 16);

/** The identity of a request, the same even for a server that was killed before it kept its answer. */
export const requestIdentity = (workspace: string, key: string, body: object): string =>
  [workspace, key, JSON.stringify(body)].join('\n');

/** The identity for one day: an older request does not share its name with a new one. */
export function nameForToday(
  request: string,
  { now, begun }: { readonly now: number; readonly begun: readonly Begun[] },
): string {
  const name = nameFor(request);
  const isOld = begun.some(({ id, startedAt }) => id === name && now - startedAt >= KEPT_MS);
  return isOld ? nameForToday(name, { now, begun }) : name;
}

interface Begun {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}
