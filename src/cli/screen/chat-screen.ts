/**
 * What a conversation shows: answers on stdout as they come, what happens on stderr, and below both a
 * frame with what is typed. Invariants:
 * 1. Nothing of the frame stays: lines of answers and activity are written above it, once and whole.
 * 2. While it is held it writes nothing, and what comes meanwhile is written when it is released.
 */
import { tell } from '../render/fold.ts';
import { isFence, proseRows } from '../render/prose.ts';
import type { Style, Tone } from '../render/style.ts';
import { inLine, sanitize } from '../render/text.ts';
import type { Terminal } from '../terminal.ts';
import { type ChatView, chatFrame } from './chat-frame.ts';
import { openScreen, type Screen } from './region.ts';

type Place = Pick<Terminal, 'stdout' | 'stderr' | 'draw' | 'env'>;

export class ChatScreen {
  readonly #terminal: Place;
  readonly #style: Style;
  readonly #view: () => Omit<ChatView, 'partial' | 'isCode'>;
  readonly #frame: Screen;
  #partial = '';
  #isCode = false;
  #waiting: (() => void)[] = [];
  #isHeld = false;
  #isClosed = false;

  constructor(terminal: Place, style: Style, view: () => Omit<ChatView, 'partial' | 'isCode'>) {
    this.#terminal = terminal;
    this.#style = style;
    this.#view = view;
    const { draw, env, stdout } = terminal;
    this.#frame = openScreen({ draw, env, stderr: stdout });
  }

  /** Words of the answer, as they come. */
  answer(text: string): void {
    const whole = this.#partial + sanitize(text);
    const end = whole.lastIndexOf('\n');
    this.#partial = whole.slice(end + 1);
    if (end >= 0) this.#lines(this.#prose(whole.slice(0, end)));
    else this.draw();
  }

  /** The answer is at its end: what has no line end gets one. */
  endAnswer(): void {
    const rest = this.#partial;
    this.#partial = '';
    if (rest !== '') this.#lines(this.#prose(rest));
    this.#isCode = false;
  }

  /** A line about what happens. */
  note(text: string, tone: Tone = 'dim'): void {
    const line = this.#style.paint(tone, inLine(text));
    this.#write(() => tell(this.#terminal.stderr, `${line}\n`));
  }

  /** A line of a log, made ready by who keeps it. */
  log(line: string): void {
    this.#write(() => this.#terminal.stderr.write(`${line}\n`));
  }

  /** Lines of the program's own, on stdout. */
  show(text: string): void {
    this.#lines(text);
  }

  /** Draws the frame anew. */
  draw(): void {
    if (this.#isHeld || this.#isClosed) return;
    const view = { ...this.#view(), partial: this.#partial, isCode: this.#isCode };
    this.#frame.draw(chatFrame(view, this.#terminal.stdout.size(), this.#style));
  }

  hold(): () => void {
    if (!this.#isHeld && !this.#isClosed) this.#frame.close();
    this.#isHeld = true;
    return () => {
      this.#isHeld = false;
      const due = this.#waiting;
      this.#waiting = [];
      for (const work of due) work();
      this.draw();
    };
  }

  close(): void {
    if (this.#isClosed) return;
    if (!this.#isHeld) this.#frame.close();
    this.#isClosed = true;
  }

  /** Lines of the answer in rows of whole words. */
  #prose(text: string): string {
    const width = Math.max(10, this.#terminal.stdout.size().columns - 1);
    const rows = text.split('\n').flatMap((line) => {
      const shown = proseRows(line, width, this.#isCode);
      if (isFence(line)) this.#isCode = !this.#isCode;
      return shown;
    });
    return rows.join('\n');
  }

  #lines(text: string): void {
    this.#write(() => this.#terminal.stdout.write(`${text}\n`));
  }

  #write(work: () => void): void {
    if (this.#isHeld) {
      this.#waiting.push(work);
      return;
    }
    if (!this.#isClosed) this.#frame.close();
    work();
    this.draw();
  }
}
