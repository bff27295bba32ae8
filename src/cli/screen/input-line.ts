/** What is being typed: owns the draft, what was sent before, and the choices of the last Tab. */
import type { Completion } from './complete.ts';
import { type Draft, EMPTY, edited, goesOn, MOST_TYPED, replace } from './editor.ts';
import type { Key } from './keys.ts';

export interface InputOptions {
  /** Longest text, in characters. */
  readonly most?: number;
  /** Shown in one row: a backslash at its end is text, and Ctrl+U clears all of it. */
  readonly isOneRow?: true;
  /** What Tab makes of it; left out: nothing. */
  complete?(draft: Draft): Completion;
}

export class InputLine {
  readonly #options: InputOptions;
  #draft: Draft = EMPTY;
  #history: string[] = [];
  #choices: readonly string[] = [];

  constructor(options: InputOptions = {}) {
    this.#options = options;
  }

  get draft(): Draft {
    return this.#draft;
  }

  /** Names of which one may be meant. */
  get choices(): readonly string[] {
    return this.#choices;
  }

  get isEmpty(): boolean {
    return this.#draft.text === '';
  }

  remember(said: readonly string[]): void {
    this.#history = [...said];
  }

  clear(): void {
    this.#draft = EMPTY;
  }

  /** Any key but Enter and those that end or stop something. */
  press(key: Key): void {
    const { most = MOST_TYPED, isOneRow, complete } = this.#options;
    this.#choices = [];
    if (key.kind === 'clear_line' && isOneRow) this.clear();
    else if (key.kind === 'complete' && complete !== undefined) {
      const { draft, choices } = complete(this.#draft);
      this.#draft = draft;
      this.#choices = choices;
    } else this.#draft = edited(this.#draft, key, this.#history, most);
  }

  /** The message that Enter sends; `null` where it goes on in the next line, or nothing is typed. */
  enter(): string | null {
    const { text } = this.#draft;
    this.#choices = [];
    if (!this.#options.isOneRow && goesOn(this.#draft)) {
      this.#draft = replace(this.#draft, text.length - 1, text.length, '\n');
      return null;
    }
    this.#draft = EMPTY;
    if (text.trim() === '') return null;
    if (this.#history.at(-1) !== text) this.#history.push(text);
    return text;
  }
}
