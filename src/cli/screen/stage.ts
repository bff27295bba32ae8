/**
 * The terminal while a run or a conversation is at work: lines that stay, below them a frame that is redrawn, and the
 * typed text. Invariants:
 * 1. Nothing of the frame stays: lines are written above it, once and whole.
 * 2. While it is held, stopped or closed, nothing is drawn and no key is read. Lines that arrive while it is held or
 *    stopped are written when it returns, or at its end.
 * 3. The terminal is restored after `close`, while the program is stopped, and however the process ends, except by
 *    SIGKILL: after that a shell with line editing leaves raw mode by itself.
 */
import type { Sink, Terminal } from '../process/terminal.ts';
import { Attention } from './attention.ts';
import type { InputLine } from './input-line.ts';
import { createKeyboard, type Keyboard } from './keyboard.ts';
import type { Key } from './keys.ts';
import { Region } from './region.ts';

export interface StageParts {
  readonly terminal: Pick<
    Terminal,
    | 'stderr'
    | 'clock'
    | 'every'
    | 'draw'
    | 'env'
    | 'platform'
    | 'readKeys'
    | 'onSignal'
    | 'onExit'
    | 'stopHere'
    | 'alert'
  >;
  readonly input: InputLine;
  /** False: a person who looks elsewhere is not alerted. */
  readonly notifies?: boolean;
  /** Whether this process is in the terminal's foreground. */
  isForeground(): boolean;
  frame(size: ReturnType<Sink['size']>): readonly string[];
  /** Whether something on it moves by itself. */
  isMoving(): boolean;
  sent(text: string): void;
  interrupt(): void;
  /** Ctrl+X; left out: it does nothing. */
  pause?(): void;
  /** Ctrl+D with nothing typed. */
  leave?(): void;
  /** Called for any key but Ctrl+C. */
  typed?(): void;
}

/** Clears the window; what scrolled out of it stays. */
const CLEAR = '\u001b[2J\u001b[999A\r';
export const REDRAW_MS = 100;
/** If the program is not stopped by then, nothing could have continued it. */
const STOPPED_BY_THEN_MS = 300;

export class ScreenStage {
  readonly #parts: StageParts;
  readonly #region: Region;
  readonly #keyboard: Keyboard;
  readonly #attention: Attention;
  readonly #undo: (() => void)[] = [];
  #due: (() => void)[] = [];
  #isAway = false;
  #isHeld = false;
  #isClosed = false;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(parts: StageParts) {
    const { terminal, notifies = true } = parts;
    this.#parts = parts;
    this.#attention = new Attention(terminal, notifies);
    this.#region = new Region(terminal);
    this.#keyboard = createKeyboard({
      terminal,
      attention: this.#attention,
      isForeground: () => parts.isForeground(),
      read: (keys) => {
        for (const key of keys) this.#press(key);
        this.draw();
      },
    });
  }

  /** Keys are read from here on, and typed text is shown. */
  open(): void {
    const { terminal, isMoving } = this.#parts;
    this.#undo.push(terminal.every(REDRAW_MS, () => isMoving() && this.draw()));
    if (terminal.platform !== 'win32')
      this.#undo.push(terminal.onSignal('SIGCONT', () => this.#comeBack()));
    // If something else has the keys, this screen must not read them as well.
    if (!this.#isAway) this.#keyboard.open();
    this.draw();
  }

  /** Whether something else has keys and screen. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Writes lines that stay, above the frame. */
  write(sink: Sink, lines: readonly string[]): void {
    const text = lines.map((line) => `${line}\n`).join('');
    const { stderr } = this.#parts.terminal;
    if (lines.length === 0) return;
    if (this.#isAway && !this.#isClosed) this.#due.push(() => sink.write(text));
    else if (sink === stderr && sink.isTerminal && !this.#isClosed) this.#draw(lines);
    else {
      if (!this.#isClosed) this.#region.close();
      sink.write(text);
      this.draw();
    }
  }

  /** Alerts a person who does not look at the terminal. */
  call(words: string): void {
    this.#attention.call(words);
  }

  /** Redraws the frame. */
  draw(): void {
    if (!this.#isAway && !this.#isClosed) this.#draw([]);
  }

  /** The same for what changes often: drawn at the latest with the next regular redraw. */
  changed(): void {
    if (this.#now() - this.#drawnAt >= REDRAW_MS) this.draw();
  }

  /** Gives keys and screen away until the returned function is called. @param last stays in place of the frame */
  hold(last: readonly string[] = []): () => void {
    this.call('A question waits for you.');
    this.#isHeld = true;
    this.#goAway(last);
    return () => {
      this.#isHeld = false;
      this.#comeBack();
    };
  }

  /** @param last stays in place of the frame */
  close(last: readonly string[] = []): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const undo of this.#undo.splice(0)) undo();
    this.#keyboard.close();
    this.#writeDue();
    this.#region.close(last);
  }

  #now = (): number => this.#parts.terminal.clock.monotonic();

  #draw(above: readonly string[]): void {
    this.#region.draw(this.#parts.frame(this.#parts.terminal.stderr.size()), above);
    this.#drawnAt = this.#now();
  }

  #writeDue(): void {
    const due = this.#due;
    this.#due = [];
    for (const write of due) write();
  }

  #press(key: Key): void {
    const { input, sent, interrupt, pause, leave, typed } = this.#parts;
    if (key.kind !== 'interrupt') typed?.();
    switch (key.kind) {
      case 'enter': {
        const text = input.enter();
        if (text !== null) sent(text);
        break;
      }
      case 'interrupt':
        interrupt();
        break;
      case 'pause':
        pause?.();
        break;
      case 'end_of_input':
        if (input.isEmpty) leave?.();
        else input.press({ kind: 'delete' });
        break;
      case 'suspend':
        this.#suspend();
        break;
      case 'redraw':
        this.#region.forget();
        this.#parts.terminal.draw(CLEAR);
        break;
      default:
        input.press(key);
    }
  }

  /** Stops the program as Ctrl+Z does; `fg` brings it back. */
  #suspend(): void {
    const { terminal } = this.#parts;
    if (terminal.platform === 'win32' || this.#isAway) return;
    this.#goAway([]);
    terminal.stopHere();
    const since = this.#now();
    const stop = terminal.every(REDRAW_MS, () => {
      if (this.#now() - since < STOPPED_BY_THEN_MS) return;
      stop();
      if (this.#isAway) this.#comeBack();
    });
    this.#undo.push(stop);
  }

  #goAway(last: readonly string[]): void {
    this.#isAway = true;
    this.#keyboard.close();
    if (!this.#isClosed) this.#region.close(last);
  }

  /** The process that stopped it may have left the frame, and the shell its own lines below. */
  #comeBack(): void {
    if (this.#isClosed || this.#isHeld) return;
    if (!this.#isAway) {
      this.#region.forget();
      this.#keyboard.reopen();
    } else this.#keyboard.open();
    this.#isAway = false;
    this.#writeDue();
    this.draw();
  }
}
