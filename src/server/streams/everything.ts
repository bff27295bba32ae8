/** Reads all runs and conversations once for all followers, and reports what has changed. */
import type { Question, RunSummary } from '../api/run-schemas.ts';
import type { ServerPlace } from '../place.ts';
import type { Catalogue } from '../runs/catalogue.ts';
import type { TalkStore } from '../sessions/store.ts';
import { Wakes } from './wakes.ts';

type Event = 'run' | 'session' | 'question' | 'settled' | 'gone';
type Listener = (event: Event, data: object) => void;

interface Parts {
  readonly catalogue: Catalogue;
  readonly talks: TalkStore;
  /** Questions of a run that are open at this moment. */
  questionsOf(run: RunSummary): readonly Question[];
}

interface Known {
  readonly event: Event;
  readonly data: object;
  readonly text: string;
}

const POLL_MS = 1000;
/** Unless something changes, reading takes at most this share of the time. */
const PART = 1 / 20;

export class Everything {
  readonly #parts: Parts;
  readonly #clock: ServerPlace['clock'];
  readonly #keepError: ServerPlace['keepError'];
  readonly #listeners = new Set<Listener>();
  readonly #wakes = new Wakes();
  #known = new Map<string, Known>();
  #isPolling = false;
  #polling: Promise<void> | null = null;

  constructor(parts: Parts, { clock, keepError }: Pick<ServerPlace, 'clock' | 'keepError'>) {
    this.#parts = parts;
    this.#clock = clock;
    this.#keepError = keepError;
  }

  /** Reports everything first, then what changes. @returns a function that ends it */
  join(listener: Listener): () => void {
    if (this.#listeners.size === 0) this.#known = new Map();
    for (const { event, data } of this.#known.values()) listener(event, data);
    this.#listeners.add(listener);
    if (this.#known.size === 0) void this.#poll();
    if (!this.#isPolling) void this.#again();
    return () => this.#listeners.delete(listener);
  }

  /** Wakes the reader, because something has changed. */
  wake(): void {
    this.#wakes.wake();
  }

  async #again(): Promise<void> {
    this.#isPolling = true;
    let took = 0;
    while (this.#listeners.size > 0) {
      // However often the reader is woken, it leaves half of the time to others.
      await this.#clock.sleep(took);
      await this.#wakes.pause(this.#clock, Math.max(POLL_MS, took / PART));
      const from = this.#clock.monotonic();
      if (this.#listeners.size > 0) await this.#poll();
      took = this.#clock.monotonic() - from;
    }
    this.#isPolling = false;
  }

  /** Runs one poll at a time. Never rejects. */
  #poll(): Promise<void> {
    this.#polling ??= this.#pollOnce()
      .catch((error: unknown) => void this.#keepError(error))
      .finally(() => {
        this.#polling = null;
      });
    return this.#polling;
  }

  async #pollOnce(): Promise<void> {
    const runs = await this.#parts.catalogue.gathered();
    const now = new Map<string, Known>();
    for (const { key, event, data } of this.#all(runs)) {
      const text = JSON.stringify(data);
      now.set(key, { event, data, text });
      if (this.#known.get(key)?.text !== text) this.#tell(event, data);
    }
    for (const [key, { event, data }] of this.#known) {
      if (now.has(key)) continue;
      if (event !== 'question') this.#tell('gone', { id: key });
      else {
        const { question, ...of } = data as { readonly question: Question };
        this.#tell('settled', { ...of, id: question.id });
      }
    }
    this.#known = now;
  }

  #tell(event: Event, data: object): void {
    for (const listener of this.#listeners) listener(event, data);
  }

  /** The latest last, so that it ends up first. */
  *#all(
    runs: readonly RunSummary[],
  ): Generator<{ readonly key: string; readonly event: Event; readonly data: object }> {
    const { talks, questionsOf } = this.#parts;
    for (const run of runs.toReversed()) {
      yield { key: run.id, event: 'run', data: run };
      for (const question of run.questions === 0 ? [] : questionsOf(run))
        yield {
          key: `${run.id} ${question.id}`,
          event: 'question',
          data: { run: run.id, question },
        };
    }
    for (const session of talks.list().toReversed()) {
      const { id, state, workspacePath: workspace } = session;
      yield { key: id, event: 'session', data: session };
      for (const question of state === 'waiting' ? talks.questionsOf({ id, workspace }) : [])
        yield { key: `${id} ${question.id}`, event: 'question', data: { run: id, question } };
    }
  }
}
