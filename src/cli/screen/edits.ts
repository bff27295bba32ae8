/**
 * Shows file changes as calls make them, in a run and in a conversation.
 *
 * 1. Events that arrive while a change is being prepared are shown after it.
 * 2. Nothing depends on it: a change that cannot be shown is left out.
 */
import type { FileChange } from '../../schema/actions.ts';
import type { FileDifference } from '../../undo/differences.ts';
import type { EditLook } from '../render/edit-rows.ts';
import type { Style } from '../render/text/style.ts';

/** What a call changed in a file; `null` if unknown by now. */
export type ChangeMade = (change: FileChange) => FileDifference | null;

interface EditsParts<Event> {
  take(event: Event): void;
  write(rows: readonly string[]): void;
  width(): number;
  readonly style: Style;
  /** Left out: no change is shown. */
  readonly changeMade?: ChangeMade | undefined;
}

export class Edits<Event> {
  readonly #parts: EditsParts<Event>;
  /** Events that arrived while a change is being prepared; `null`: none is. */
  #due: Event[] | null = null;
  #ready: Promise<void> = Promise.resolve();

  constructor(parts: EditsParts<Event>) {
    this.#parts = parts;
  }

  observe(event: Event): void {
    if (this.#due !== null) this.#due.push(event);
    else this.#parts.take(event);
  }

  show(files: readonly FileChange[], look: EditLook): void {
    if (this.#parts.changeMade === undefined || files.length === 0) return;
    const due: Event[] = [];
    this.#due = due;
    this.#ready = this.#write(files, look).finally(() => {
      if (this.#due === due) this.goOn();
    });
  }

  /** The code that compares is loaded with the first change. The files are read at once, because they may change. */
  async #write(files: readonly FileChange[], look: EditLook): Promise<void> {
    const { changeMade, write, width, style } = this.#parts;
    try {
      const made = files.map((file) => changeMade?.(file) ?? null);
      for (const difference of made) {
        if (difference === null) continue;
        const { editRows } = await import('../render/edit-rows.ts');
        write(await editRows(difference, width(), style, look));
      }
    } catch {
      // Invariant 2.
    }
  }

  /** Shows the waiting events without waiting for the change. */
  goOn(): void {
    const due = this.#due ?? [];
    this.#due = null;
    for (const event of due) this.observe(event);
  }

  /** Resolves once every change is shown. */
  async allShown(): Promise<void> {
    while (this.#due !== null) await this.#ready;
  }
}
