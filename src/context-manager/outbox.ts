/**
 * What observers are told, in order, and never of a record that a power cut could still take back.
 * Without such a record everything is told at once.
 */
import type { RunEvent } from '../schema/events/events.ts';

export class Outbox<Event = RunEvent> {
  #waiting: Event[] = [];
  readonly #emit: (event: Event) => void;

  constructor(emit: (event: Event) => void) {
    this.#emit = emit;
  }

  /** Emits it now, or behind what is not durable yet. */
  emit(event: Event): void {
    if (this.#waiting.length === 0) this.#emit(event);
    else this.#waiting.push(event);
  }

  /** Emits it once `release` says that it is durable. */
  hold(event: Event): void {
    this.#waiting.push(event);
  }

  release(): void {
    const due = this.#waiting;
    this.#waiting = [];
    for (const event of due) this.#emit(event);
  }
}
