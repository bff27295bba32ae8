/** Runs whose process ended before it began them, went on with them or finished them, with the reasons. */
import type { QueuedRun } from '../../host/work-files.ts';
import { readFileIfPresent } from '../../lib/files/durable-files.ts';
import { orNull } from '../../lib/or-null.ts';
import type { ProcessEnd, ServerPlace } from '../place.ts';
import { earlyEndWords, UNSEEN } from '../process-end.ts';
import { MAX_NOT_BEGUN, type QueueFiles } from './queue-files.ts';

const MAX_SHOWN = 4000;
/** More than is shown, since a key that is cut in two is not recognised. */
const MAX_READ = 16 * MAX_SHOWN;

/** `failure` is left out if an earlier server kept the request. */
type Unrecorded = QueuedRun & { readonly failure?: string };
/** A resume whose process has gone. */
type Tried = Readonly<{ startedAt: number; endedAt: number; failure: string }>;

type Place = Pick<ServerPlace, 'fs' | 'withoutSecrets'>;

export class EndedEarly {
  readonly #place: Place;
  readonly #files: QueueFiles;
  #unrecorded: readonly Unrecorded[] = [];
  readonly #resumed = new Map<string, Tried>();
  /** How the last process of a run that had begun ended. */
  readonly #ends = new Map<string, { readonly end: ProcessEnd; readonly at: number }>();

  constructor(place: Place, files: QueueFiles) {
    this.#place = place;
    this.#files = files;
  }

  /** Runs whose process has gone and that no journal has, the latest last. */
  get unrecorded(): readonly Unrecorded[] {
    return this.#unrecorded;
  }

  /** Takes up the requests that an earlier server kept. */
  recover(isQueued: (run: string) => boolean): void {
    this.#unrecorded = this.#files.failed().filter(({ run }) => !isQueued(run));
  }

  /** Forgets a run that is requested again. */
  forget(run: string): void {
    this.#unrecorded = this.#unrecorded.filter((one) => one.run !== run);
    this.#resumed.delete(run);
    this.#ends.delete(run);
  }

  /** Notes that the process for a request has gone, and that no journal has its run. Returns the reason. */
  leftNoRecord(queued: QueuedRun, end: ProcessEnd): string {
    const what = queued.isGone === true ? 'was finished' : 'began';
    const failure = earlyEndWords(end, this.#saidBy(queued.run), what);
    this.#unrecorded = [...this.#unrecorded, { ...queued, failure }].slice(-MAX_NOT_BEGUN);
    return failure;
  }

  /** Notes that the process for a resume has gone, whatever it did. */
  resumed(run: string, end: ProcessEnd, times: Pick<Tried, 'startedAt' | 'endedAt'>): void {
    this.#resumed.set(run, { ...times, failure: earlyEndWords(end, this.#saidBy(run), 'went on') });
  }

  /** Notes that the process of a run that has begun has gone. */
  ended(run: string, end: ProcessEnd, at: number): void {
    if (end !== UNSEEN) this.#ends.set(run, { end, at });
  }

  /**
   * When the process for a resume ended before it went on with the run; `null`: it went on, or there was no
   * resume.
   * @param lastAt the time of the run's last record
   */
  failedAt(run: string, lastAt: number): number | null {
    const tried = this.#resumed.get(run);
    return tried === undefined || lastAt > tried.startedAt ? null : tried.endedAt;
  }

  /**
   * Why the process for a run did not begin the run, or did not go on with it; `null`: no reason is known.
   */
  failureOf(run: string): string | null {
    const { failure } =
      this.#resumed.get(run) ?? this.#unrecorded.find((one) => one.run === run) ?? {};
    return failure ?? (this.#saidBy(run) || null);
  }

  /**
   * How the last process of a cut-off run ended; `null`: nobody saw it.
   * @param lastAt the time of the run's last record, which a process from elsewhere may have written since
   */
  cutOffBy(run: string, lastAt: number): string | null {
    const last = this.#ends.get(run);
    return last === undefined || lastAt > last.at
      ? null
      : earlyEndWords(last.end, '', 'was finished');
  }

  /** The last error output of the run's process. */
  #saidBy(run: string): string {
    const { fs, withoutSecrets } = this.#place;
    const bytes = orNull(() => readFileIfPresent(fs, this.#files.of(run, 'err')));
    return bytes === null
      ? ''
      : withoutSecrets(bytes.subarray(-MAX_READ).toString('utf8')).slice(-MAX_SHOWN);
  }
}
