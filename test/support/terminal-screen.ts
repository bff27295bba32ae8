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

  /** The window with its colours: `‹dim›words‹›`, each by the name that it has in a terminal. */
  painted(): string {
    const { active } = this.#terminal.buffer;
    const rows = Array.from({ length: this.#terminal.rows }, (_, row) => {
      const line = active.getLine(active.viewportY + row);
      const end = line?.translateToString(true).length ?? 0;
      let look = '';
      let text = '';
      for (let column = 0; column < (line?.length ?? 0); column += 1) {
        const cell = line?.getCell(column);
        const next = column < end && cell !== undefined ? lookOf(cell) : '';
        if (next !== look) text += `‹${next}›`;
        look = next;
        if (column < end) text += cell?.getChars() || (cell?.getWidth() === 0 ? '' : ' ');
      }
      return text;
    });
    return rows.join('\n').trimEnd();
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

const COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

function lookOf(cell: {
  isDim(): number;
  isBold(): number;
  isFgDefault(): boolean;
  getFgColor(): number;
}): string {
  const words = [
    cell.isDim() ? 'dim' : '',
    cell.isBold() ? 'bold' : '',
    cell.isFgDefault() ? '' : (COLORS[cell.getFgColor()] ?? 'other'),
  ];
  return words.filter(Boolean).join(' ');
}
