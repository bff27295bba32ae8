/** What is being typed: owns the draft, what was said before, and the choices of the last Tab. */

import { completed } from './complete.ts';
import { type Draft, EMPTY, edited, goesOn, replace } from './editor.ts';
import type { Key } from './keys.ts';

export class InputLine {
  readonly #commands: readonly string[];
  readonly #workspace: string;
  #draft: Draft = EMPTY;
  #history: string[] = [];
  #choices: readonly string[] = [];

  /** @param commands with their slash */
  constructor(commands: readonly string[], workspace: string) {
    this.#commands = commands;
    this.#workspace = workspace;
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
    this.#choices = [];
    if (key.kind === 'complete') {
      const { draft, choices } = completed(this.#draft, this.#commands, this.#workspace);
      this.#draft = draft;
      this.#choices = choices;
    } else this.#draft = edited(this.#draft, key, this.#history);
  }

  /** The message that Enter sends; `null` where it goes on in the next line, or nothing is typed. */
  enter(): string | null {
    const { text } = this.#draft;
    this.#choices = [];
    if (goesOn(this.#draft)) {
      this.#draft = replace(this.#draft, text.length - 1, text.length, '\n');
      return null;
    }
    this.#draft = EMPTY;
    if (text.trim() === '') return null;
    if (this.#history.at(-1) !== text) this.#history.push(text);
    return text;
  }
}
