/**
 * The heartbeat of a process: a ref of its own that it pushes at intervals. Owns the time of the last successful push.
 *
 * 1. The start of a push counts, so nobody else considers the heartbeat older than it is here.
 */
import type { Clock } from '../../lib/clock.ts';
import { beatOf, type Repository } from './repository.ts';
import { commitOf } from './snapshot.ts';

/** A push costs more than a look at a lock, so this lease is longer than that of a shared folder. */
export const HOME_LEASE_MS = 60_000;
const BEAT_MS = 15_000;
const LOOK_MS = 1000;

export interface BeatPorts {
  readonly clock: Pick<Clock, 'monotonic'> & Required<Pick<Clock, 'every'>>;
  readonly holder: string;
  readonly remote: string;
  readonly repository: () => Promise<Repository>;
  /** Whether there is anything to keep alive. */
  isNeeded(): boolean;
  /** No push succeeded for too long: others will soon consider this process dead. */
  late(): void;
}

export class Beats {
  readonly #ports: BeatPorts;
  readonly #stop: () => void;
  #count = 0;
  #cameThroughAt = Number.NEGATIVE_INFINITY;
  #isBeating = false;

  constructor(ports: BeatPorts) {
    this.#ports = ports;
    this.#stop = ports.clock.every(LOOK_MS, () => this.#look());
  }

  /**
   * The arguments of the next heartbeat push, and a function to call once it succeeded. `null`: the last one was a
   * moment ago.
   */
  async next(): Promise<{ readonly words: string; cameThrough(): void } | null> {
    const beganAt = this.#ports.clock.monotonic();
    if (beganAt - this.#cameThroughAt < BEAT_MS) return null;
    const repository = await this.#ports.repository();
    this.#count += 1;
    const tree = (await repository.git(['mktree'], { stdin: '' })).trim();
    const commit = await commitOf(repository, tree, `beat ${this.#count}`, []);
    return {
      words: `+${commit}:${beatOf(this.#ports.holder)}`,
      cameThrough: () => {
        this.#cameThroughAt = Math.max(this.#cameThroughAt, beganAt);
      },
    };
  }

  async end(): Promise<void> {
    this.#stop();
    if (this.#count > 0) await this.#push(`:${beatOf(this.#ports.holder)}`);
  }

  async #push(words: string): Promise<boolean> {
    const repository = await this.#ports.repository();
    const push = ['push', '--quiet', '--no-verify', '--', this.#ports.remote, words];
    return (await repository.tried(push)).code === 0;
  }

  #look(): void {
    if (!this.#ports.isNeeded()) return;
    const silent = this.#ports.clock.monotonic() - this.#cameThroughAt;
    const isLate = silent > (HOME_LEASE_MS * 2) / 3;
    if (isLate) this.#ports.late();
    if (isLate || silent < BEAT_MS || this.#isBeating) return;
    this.#isBeating = true;
    void this.#beat()
      .catch(() => {})
      .finally(() => {
        this.#isBeating = false;
      });
  }

  async #beat(): Promise<void> {
    const next = await this.next();
    if (next !== null && (await this.#push(next.words))) next.cameThrough();
  }
}
