/**
 * What observers are told, in order, and never of a record that a power cut could still take back.
 * Without such a record everything is told at once.
 */
import type { Emit, RunEvent } from '../schema/events.ts';

export class Outbox {
  #waiting: RunEvent[] = [];
  readonly #emit: Emit;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Tells it now, or behind what is not durable yet. */
  tell(event: RunEvent): void {
    if (this.#waiting.length === 0) this.#emit(event);
    else this.#waiting.push(event);
  }

  /** Tells it once `release` says that it is durable. */
  hold(event: RunEvent): void {
    this.#waiting.push(event);
  }

  release(): void {
    const due = this.#waiting;
    this.#waiting = [];
    for (const event of due) this.#emit(event);
  }
}
