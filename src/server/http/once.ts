/**
 * A named request is carried out once: the same name gets the same answer for a day, even from a server that was killed
 * and restarted in between.
 */
import * as z from 'zod';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { discard, ensureDirectory, replaceFile } from '../../lib/files/durable-files.ts';
import { readFileAs } from '../../lib/files/json-file.ts';
import { orNull } from '../../lib/or-null.ts';
import { sha256 } from '../../workspace/files.ts';
import type { FilesPlace } from './audit.ts';
import { busy, Refusal } from './problem.ts';

const KEPT_MS = 24 * 60 * 60_000;
const MOST_KEY = 64;

const Kept = z.object({ body: z.string(), answer: z.unknown(), at: z.number() });

export class Once {
  readonly #place: FilesPlace;
  readonly #working = new Set<string>();

  constructor(place: FilesPlace) {
    this.#place = place;
  }

  async done(
    route: string,
    key: string,
    body: string,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    if (key.length > MOST_KEY)
      throw new Refusal(
        'E_BODY',
        `An Idempotency-Key has at most ${MOST_KEY} characters.`,
        'Give a shorter one.',
      );
    const { fs, folder, clock } = this.#place;
    const file = pathsOf(fs.platform).join(folder, `${sha256(`${route}\n${key}`)}.json`);
    const kept = this.#kept(file);
    const bodyHash = sha256(body);
    if (kept !== null && kept.body !== bodyHash)
      throw busy('That Idempotency-Key was used with another body.', 'Use a new one.');
    if (kept !== null) return kept.answer;
    if (this.#working.has(file)) throw busy('That request is worked on.', 'Ask again in a moment.');
    this.#working.add(file);
    try {
      const answer = await work();
      ensureDirectory(fs, folder);
      replaceFile(
        fs,
        file,
        Buffer.from(JSON.stringify({ body: bodyHash, answer, at: clock.now() })),
      );
      return answer;
    } finally {
      this.#working.delete(file);
    }
  }

  /** Removes expired entries. */
  sweep(): void {
    const { fs, folder } = this.#place;
    const names = orNull(() => fs.readdir(folder)) ?? [];
    for (const name of names) this.#kept(pathsOf(fs.platform).join(folder, name));
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
export const nameFor = (key: string): string => sha256(key).slice(0, 16);

/** The same, for a day: what is older gives its name to no other request. */
export function nameForToday(
  key: string,
  { now, begun }: { readonly now: number; readonly begun: readonly Begun[] },
): string {
  const name = nameFor(key);
  const isOld = begun.some(({ id, startedAt }) => id === name && now - startedAt >= KEPT_MS);
  return isOld ? nameForToday(name, { now, begun }) : name;
}

interface Begun {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}
