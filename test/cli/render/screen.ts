// biome-ignore lint/suspicious/noControlCharactersInRegex: this is a terminal
const PARTS = /\u001b\[\d*[A-Za-z]|.|\s/gu;

/** A small terminal: enough of one to see what a person would see. */
export class Screen {
  private lines: string[] = [''];
  private row = 0;
  private column = 0;

  constructor(
    private columns: number,
    private readonly rows: number,
  ) {}

  write(text: string): void {
    for (const part of text.match(PARTS) ?? []) {
      if (part.length > 1 && part.startsWith('\u001b')) this.control(part);
      else if (part === '\n') this.lineFeed();
      else if (part === '\r') this.column = 0;
      else this.put(part);
    }
  }

  /** The lines that are visible, without blanks at their ends. */
  text(): string {
    return this.lines
      .slice(-this.rows)
      .map((line) => line.trimEnd())
      .join('\n');
  }

  cursorColumn(): number {
    return this.column;
  }

  /** A terminal that folds what no longer fits, as most do. */
  narrow(columns: number): void {
    const folded: string[] = [];
    for (const line of this.lines) {
      const text = line.trimEnd();
      for (let start = 0; start === 0 || start < text.length; start += columns) {
        folded.push(text.slice(start, start + columns));
      }
    }
    this.lines = folded;
    this.columns = columns;
    this.row = folded.length - 1;
    this.column = (folded.at(-1) ?? '').length;
  }

  private control(sequence: string): void {
    const amount = Number(sequence.slice(2, -1) || '1');
    if (sequence.endsWith('A')) this.row = Math.max(0, this.row - amount);
    if (sequence.endsWith('J')) {
      this.lines = this.lines.slice(0, this.row + 1);
      this.lines[this.row] = (this.lines[this.row] ?? '').slice(0, this.column);
    }
  }

  private lineFeed(): void {
    this.row += 1;
    this.column = 0;
    while (this.lines.length <= this.row) this.lines.push('');
  }

  private put(character: string): void {
    if (this.column >= this.columns) this.lineFeed();
    const line = (this.lines[this.row] ?? '').padEnd(this.column);
    this.lines[this.row] = line.slice(0, this.column) + character + line.slice(this.column + 1);
    this.column += 1;
  }
}
