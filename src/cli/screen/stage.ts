/**
 * The terminal of a conversation: screen, keyboard and signals, taken and given back together.
 * Invariants:
 * 1. While it is held, stopped or closed nothing is drawn and no key is read.
 * 2. After `close` the terminal is as it was, and signals have their usual effect.
 */
import type { Style } from '../render/style.ts';
import type { Terminal } from '../terminal.ts';
import type { ChatView } from './chat-frame.ts';
import { ChatScreen } from './chat-screen.ts';
import { type Keyboard, openKeyboard } from './keyboard.ts';
import type { Key } from './keys.ts';

export interface StageParts {
  readonly terminal: Terminal;
  readonly style: Style;
  view(): Omit<ChatView, 'partial' | 'isCode'>;
  press(key: Key): void;
  interrupt(): void;
  leave(): void;
  /** Something moves on the screen by itself. */
  isMoving(): boolean;
}

const REDRAW_MS = 120;

export class Stage {
  readonly screen: ChatScreen;
  readonly #parts: StageParts;
  readonly #keyboard: Keyboard;
  readonly #undo: (() => void)[] = [];
  #isHeld = false;
  #isClosed = false;

  constructor(parts: StageParts) {
    const { terminal, style } = parts;
    this.#parts = parts;
    this.screen = new ChatScreen(terminal, style, () => parts.view());
    this.#keyboard = openKeyboard(terminal, terminal.draw, (keys) => {
      for (const key of keys) parts.press(key);
      this.screen.draw();
    });
  }

  /** From here on signals are heard. */
  listen(): void {
    const { terminal, interrupt, leave } = this.#parts;
    this.#undo.push(
      terminal.onSignal('SIGINT', () => !this.#isHeld && interrupt()),
      terminal.onSignal('SIGTERM', leave),
      terminal.onSignal('SIGHUP', leave),
    );
    if (terminal.platform !== 'win32')
      this.#undo.push(terminal.onSignal('SIGCONT', () => this.#comeBack()));
  }

  /** From here on keys are read, and what is typed is shown. */
  open(): void {
    const { terminal, isMoving } = this.#parts;
    this.#keyboard.open();
    this.#undo.push(terminal.every(REDRAW_MS, () => isMoving() && this.screen.draw()));
    this.screen.draw();
  }

  /** Keys and screen are somebody else's until the returned function is called. */
  hold(): () => void {
    this.#isHeld = true;
    this.#keyboard.close();
    const show = this.screen.hold();
    return () => {
      this.#isHeld = false;
      this.#keyboard.open();
      show();
    };
  }

  /** As Ctrl+Z does it; `fg` brings it back. */
  suspend(): void {
    const { terminal } = this.#parts;
    if (terminal.platform === 'win32') return;
    this.#keyboard.close();
    this.screen.hold();
    terminal.stopHere();
  }

  close(): void {
    this.#isClosed = true;
    for (const undo of this.#undo.splice(0)) undo();
    this.#keyboard.close();
    this.screen.close();
  }

  #comeBack(): void {
    if (this.#isHeld || this.#isClosed) return;
    this.#keyboard.open();
    this.screen.hold()();
  }
}
