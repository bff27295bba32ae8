import headless from '@xterm/headless';

/** A whole terminal in this process: what a person would see of what was written to it. */
export class TerminalScreen {
  readonly #terminal: InstanceType<typeof headless.Terminal>;

  constructor(columns: number, rows: number) {
    // An old Windows does not fold lines when its window gets narrower; this one does, as most do.
    this.#terminal = new headless.Terminal({
      cols: columns,
      rows,
      allowProposedApi: true,
      scrollback: 1000,
    });
  }

  /** Resolves when the terminal has taken it in. */
  write(text: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(text, resolve));
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** The window, without blanks at the ends of lines and below the last one. */
  text(): string {
    const { viewportY } = this.#terminal.buffer.active;
    return this.#lines(viewportY, viewportY + this.#terminal.rows);
  }

  /** All that scrolled out of it, too. */
  everything(): string {
    return this.#lines(0, this.#terminal.buffer.active.length);
  }

  get modes() {
    return this.#terminal.modes;
  }

  get cursorColumn(): number {
    return this.#terminal.buffer.active.cursorX;
  }

  /** What the terminal itself answers to questions of the program. */
  onAnswer(listener: (text: string) => void): void {
    this.#terminal.onData(listener);
  }

  #lines(from: number, to: number): string {
    const lines: string[] = [];
    for (let row = from; row < to; row += 1)
      lines.push(this.#terminal.buffer.active.getLine(row)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd();
  }
}
