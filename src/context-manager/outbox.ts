/**
 * Passes events to observers in order, and never a record that a power loss could still remove. Without such a
 * record, everything is passed on at once.
 */
import type { RunEvent } from '../schema/events/events.ts';

export class Outbox<Event = RunEvent> {
  #waiting: Event[] = [];
  readonly #emit: (event: Event) => void;

  constructor(emit: (event: Event) => void) {
    this.#emit = emit;
  }

  /** Emits the event now, or after the records that are not durable yet. */
  emit(event: Event): void {
    if (this.#waiting.length === 0) this.#emit(event);
    else this.#waiting.push(event);
  }

  /** Emits the event once `release` says that it is durable. */
  hold(event: Event): void {
    this.#waiting.push(event);
  }

  release(): void {
    const due = this.#waiting;
    this.#waiting = [];
    for (const event of due) this.#emit(event);
  }
}
