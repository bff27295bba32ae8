/** The text being typed. Owns the draft, the history, the completions and the search in the history. */
import {
  type CompletionSource,
  type Menu,
  menuFor,
  withChoice,
  withCommonStart,
} from './complete.ts';
import { EMPTY, edited, goesOn, type InputDraft, MAX_TYPED, replace } from './editor.ts';
import type { Key } from './keys.ts';
import { found, type Search } from './search.ts';

export interface InputOptions {
  /** The longest text, in characters. */
  readonly most?: number;
  /** Shown in one row: a backslash at its end is text, and Ctrl+U clears everything. */
  readonly isOneRow?: true;
  /** The completions; left out: nothing is offered. */
  readonly offers?: CompletionSource;
}

export class InputLine {
  readonly #options: InputOptions;
  #draft: InputDraft = EMPTY;
  #history: string[] = [];
  #menu: Menu | null = null;
  /** The person moved through the menu, so they mean what is selected. */
  #hasChosen = false;
  #search: Search | null = null;

  constructor(options: InputOptions = {}) {
    this.#options = options;
  }

  get draft(): InputDraft {
    return this.#draft;
  }

  get menu(): Menu | null {
    return this.#menu;
  }

  /** What Ctrl+R searches for; `null` if there is no search. */
  get search(): Search | null {
    return this.#search;
  }

  get isEmpty(): boolean {
    return this.#draft.text === '';
  }

  remember(said: readonly string[]): void {
    this.#history = [...said];
  }

  clear(): void {
    this.#draft = EMPTY;
    this.#close();
  }

  /** The offers have changed. */
  refresh(): void {
    if (this.#menu !== null || this.#draft.text.startsWith('/')) this.#offer(false);
  }

  /** Handles any key except Enter and the keys that end or stop something. */
  press(key: Key): void {
    if (this.#search !== null || key.kind === 'search') this.#lookFor(key);
    else if (key.kind === 'complete') this.#complete();
    else if (this.#menu !== null && (key.kind === 'up' || key.kind === 'down')) {
      const { choices, selected } = this.#menu;
      const by = key.kind === 'up' ? choices.length - 1 : 1;
      this.#menu = { ...this.#menu, selected: (selected + by) % choices.length };
      this.#hasChosen = true;
    } else this.#edit(key);
  }

  /** The message that Enter submits; `null` if it continues on the next line or nothing is typed. */
  enter(): string | null {
    if (this.#search !== null) this.#endSearch();
    if (this.#isChoosing()) {
      const menu = this.#menu as Menu;
      this.#draft = withChoice(this.#draft, menu);
      this.#offer(false);
      // A command without arguments is submitted at once.
      if (menu.kind !== 'commands' || menu.choices[menu.selected]?.takes !== undefined) return null;
    }
    const { text } = this.#draft;
    this.#close();
    if (!this.#options.isOneRow && goesOn(this.#draft)) {
      this.#draft = replace(this.#draft, text.length - 1, text.length, '\n');
      return null;
    }
    this.#draft = EMPTY;
    if (text.trim() === '') return null;
    if (this.#history.at(-1) !== text) this.#history.push(text);
    return text.trimEnd();
  }

  /** Whether Enter means the selected item rather than the typed text. */
  #isChoosing(): boolean {
    const menu = this.#menu;
    if (menu === null) return false;
    const typed = this.#draft.text.slice(menu.from, this.#draft.cursor);
    if (menu.choices.some(({ text }) => text === typed))
      return this.#hasChosen && typed !== menu.choices[menu.selected]?.text;
    return this.#hasChosen || (menu.kind === 'commands' && typed !== '/');
  }

  #edit(key: Key): void {
    const { most = MAX_TYPED, isOneRow } = this.#options;
    if (key.kind === 'clear_line' && isOneRow) this.clear();
    else this.#draft = edited(this.#draft, key, this.#history, most);
    // The same keys move through the history.
    if (this.#draft.back === 0) this.#offer(false);
    else this.#close();
  }

  #complete(): void {
    const menu = this.#menu ?? this.#offered(true);
    if (menu === null) return;
    const longer =
      menu.kind === 'files' && !this.#hasChosen ? withCommonStart(this.#draft, menu) : null;
    const isOpen = this.#menu !== null || menu.choices.length === 1;
    if (longer !== null) this.#draft = longer;
    else if (isOpen) this.#draft = withChoice(this.#draft, menu);
    this.#offer(longer !== null || !isOpen);
  }

  #offer(isAsked: boolean): void {
    this.#menu = this.#offered(isAsked);
    this.#hasChosen = false;
  }

  #offered(isAsked: boolean): Menu | null {
    const { offers } = this.#options;
    return offers === undefined ? null : menuFor(this.#draft, offers, isAsked);
  }

  #close(): void {
    this.#menu = null;
    this.#hasChosen = false;
  }

  #lookFor(key: Key): void {
    this.#close();
    const before = this.#search ?? { words: '', hit: null, back: 0, kept: this.#draft };
    if (key.kind === 'search')
      this.#search = found(
        before,
        this.#history,
        before.words,
        this.#search === null ? 1 : before.back + 1,
      );
    else if (key.kind === 'text')
      this.#search = found(before, this.#history, before.words + key.text, 1);
    else if (key.kind === 'backspace')
      this.#search = found(before, this.#history, before.words.slice(0, -1), 1);
    else {
      this.#endSearch();
      if (key.kind !== 'complete') this.#edit(key);
    }
  }

  /** The text that was found becomes the typed text. */
  #endSearch(): void {
    const { hit = null, kept = this.#draft } = this.#search ?? {};
    this.#search = null;
    this.#draft = hit === null ? kept : { ...EMPTY, text: hit, cursor: hit.length };
  }
}
