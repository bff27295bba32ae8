/** Whether a person looks at the terminal, judged by focus reports and typing; alerts them if not. */
import type { Terminal } from '../process/terminal.ts';

/** Asks the terminal to report focus changes; a terminal without this feature stays silent. */
export const FOCUS_ON = '\u001b[?1004h';
export const FOCUS_OFF = '\u001b[?1004l';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are reports
const REPORT = /\u001b\[([IO])/g;

/** Without focus reports, somebody who has typed nothing for this long counts as away. */
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

  /** The typed text, without the focus reports. */
  read(text: string): string {
    const typed = text.replace(REPORT, (_, report: string) => {
      this.#hasFocus = report === 'I';
      return '';
    });
    if (typed !== '') this.#seenAt = this.#terminal.clock.monotonic();
    return typed;
  }

  /** Rings the bell, and notifies if the terminal is known to show notifications. */
  call(words: string): void {
    const isAway = this.#terminal.clock.monotonic() - this.#seenAt >= AWAY_MS;
    if (this.#isWanted && !(this.#hasFocus ?? !isAway)) this.#terminal.alert?.(words);
  }
}
