/**
 * The files of the queue. For each run: its request, a request that waits for its old process, its process's
 * output, and the request of a run that ended before it began.
 */
import { isClaimed, isOfOther, type QueuedRun, readQueuedRun } from '../../host/work-files.ts';
import { defined } from '../../lib/defined.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import {
  discard,
  ensureDirectory,
  fileKindAt,
  replaceFile,
} from '../../lib/files/durable-files.ts';
import { orNull } from '../../lib/or-null.ts';
import type { ServerPlace } from '../place.ts';
import { mayWorkIn } from '../roots.ts';

export const MAX_NOT_BEGUN = 50;
const KEPT_MS = 7 * 24 * 60 * 60_000;

type Ending = 'json' | 'next' | 'out' | 'err' | 'failed';

export class QueueFiles {
  readonly #place: ServerPlace;
  readonly #folder: string;

  constructor(place: ServerPlace) {
    this.#place = place;
    this.#folder = pathsOf(place.fs.platform).join(place.dataFolder, 'serve', 'runs');
  }

  of(run: string, ending: Ending): string {
    return this.#path(`${run}.${ending}`);
  }

  write(queued: QueuedRun, ending: 'json' | 'next' | 'failed'): void {
    ensureDirectory(this.#place.fs, this.#folder);
    const bytes = Buffer.from(JSON.stringify(queued));
    replaceFile(this.#place.fs, this.of(queued.run, ending), bytes);
  }

  /** Keeps the request of a run that did not begin, with the reason, for a restarted server. */
  fail(queued: QueuedRun, failure: string): void {
    this.write(queued, 'failed');
    replaceFile(this.#place.fs, this.of(queued.run, 'err'), Buffer.from(failure));
  }

  discard(run: string, ...endings: readonly Ending[]): void {
    for (const ending of endings) discard(this.#place.fs, this.of(run, ending));
  }

  /** Discards the run's request unless another process works on it: that process removes it. */
  discardOwn(run: string): void {
    const { fs, identity } = this.#place;
    const file = this.of(run, 'json');
    const kept = readQueuedRun(fs, file);
    if (kept !== null && isOfOther(kept, identity)) return;
    if (!this.isClaimed(run)) discard(fs, file);
  }

  /** True if a process works on the request. */
  isClaimed(run: string): boolean {
    return isClaimed(this.#place.fs, this.of(run, 'json'), this.#place.identity);
  }

  /** True if the request is gone: the process that has carried it out removes it. */
  isDone(run: string): boolean {
    // The file cannot be looked at now.
    return orNull(() => fileKindAt(this.#place.fs, this.of(run, 'json')) === null) ?? false;
  }

  /** The requests that are kept and can be read, in the order of arrival; also removes old output. */
  all(): readonly { readonly queued: QueuedRun; readonly next?: QueuedRun }[] {
    const { fs } = this.#place;
    const runs = this.#names().flatMap((name) => {
      this.#sweep(name);
      return /^(.+)\.(?:json|next)$/.exec(name)?.[1] ?? [];
    });
    const all = [...new Set(runs)].flatMap((run) => {
      const next = readQueuedRun(fs, this.of(run, 'next')) ?? undefined;
      const queued = readQueuedRun(fs, this.of(run, 'json')) ?? next;
      if (queued === undefined && !this.isDone(run))
        this.#place.keepError(unreadable(this.of(run, 'json')));
      return queued === undefined ? [] : [{ queued, ...defined({ next }) }];
    });
    return all.toSorted((one, other) => one.queued.at - other.queued.at);
  }

  /** The last requests of runs that did not begin here, the latest last. */
  failed(): readonly QueuedRun[] {
    const names = this.#names().filter((name) => name.endsWith('.failed'));
    return names
      .flatMap((name) => readQueuedRun(this.#place.fs, this.#path(name)) ?? [])
      .filter(({ workspace }) => mayWorkIn(this.#place, workspace))
      .toSorted((one, other) => one.at - other.at)
      .slice(-MAX_NOT_BEGUN);
  }

  #names(): readonly string[] {
    return orNull(() => this.#place.fs.readdir(this.#folder)) ?? [];
  }

  #sweep(name: string): void {
    const { fs, clock } = this.#place;
    try {
      const claimed = /^(.+)\.json\.claim$/.exec(name)?.[1];
      if (claimed !== undefined && this.isDone(claimed) && !this.isClaimed(claimed))
        discard(fs, this.#path(name));
      const isOld = clock.now() - fs.stat(this.#path(name)).mtimeMs > KEPT_MS;
      if (isOld && /\.(out|err|failed|tmp)$/.test(name)) discard(fs, this.#path(name));
    } catch {
      // The file has already gone.
    }
  }

  #path(name: string): string {
    return pathsOf(this.#place.fs.platform).join(this.#folder, name);
  }
}

const unreadable = (file: string): TardigradeError =>
  new TardigradeError(
    'E_IO',
    `The request in ${file} cannot be read, so nobody carries it out.`,
    'Make that request again, and delete the file.',
  );
