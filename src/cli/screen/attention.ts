/** Whether somebody looks at the terminal, by what it reports and what is typed, and a call to who does not. */
import type { Terminal } from '../process/terminal.ts';

/** Asks the terminal to report when it gets and loses the focus; one that cannot says nothing. */
export const FOCUS_ON = '\u001b[?1004h';
export const FOCUS_OFF = '\u001b[?1004l';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are reports
const REPORT = /\u001b\[([IO])/g;

/** Where nothing is reported, who has typed nothing for so long looks at something else. */
const AWAY_MS = 30_000;

export class Attention {
  readonly #terminal: Pick<Terminal, 'clock' | 'alert'>;
  readonly #isWanted: boolean;
  #hasFocus: boolean | null = null;
  #seenAt: number;

  constructor(terminal: Pick<Terminal, 'clock' | 'alert'>, isWanted: boolean) {
    this.#terminal = terminal;
    this.#isWanted = isWanted && terminal.alert !== undefined;
    this.#seenAt = terminal.clock.monotonic();
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** What was typed, without the reports. */
  read(text: string): string {
    const typed = text.replace(REPORT, (_, report: string) => {
      this.#hasFocus = report === 'I';
      return '';
    });
    if (typed !== '') this.#seenAt = this.#terminal.clock.monotonic();
    return typed;
  }

  /** A bell, and a notification where the terminal is known to show one. */
  call(words: string): void {
    const isAway = this.#terminal.clock.monotonic() - this.#seenAt >= AWAY_MS;
    if (this.#isWanted && !(this.#hasFocus ?? !isAway)) this.#terminal.alert?.(words);
  }
}
