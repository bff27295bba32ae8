import type { Sink, Terminal } from '../process/terminal.ts';
import { cellsOf } from '../render/text/cells.ts';

type RegionTerminal = Pick<Terminal, 'draw' | 'env'> & { readonly stderr: Pick<Sink, 'size'> };

const BEGIN_UPDATE = '\u001b[?2026h';
const END_UPDATE = '\u001b[?2026l';
const NO_FOLDING = '\u001b[?7l';
const FOLDING = '\u001b[?7h';
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no cells
const COLORS = /\u001b\[\d*m/g;

/**
 * Owns the frame on the terminal. Invariants:
 * 1. Only changed lines are written, and each redraw is one synchronized update.
 * 2. Nothing but the frame is ever erased; lines that left it stay.
 * 3. No terminal mode outlives the write that changes it, and the cursor is never hidden: a killed process leaves
 *    nothing to repair.
 * 4. A line of the frame takes one row, even in a window that has become narrower without a signal so far: line
 *    wrapping is off during the write. So the cursor is always below the frame.
 */
export class Region {
  readonly #place: RegionTerminal;
  #drawn: readonly string[] = [];
  #columns = 0;
  #pending = '';

  constructor(place: RegionTerminal) {
    this.#place = place;
  }

  /** @param above lines that stay, before the frame */
  draw(frame: readonly string[], above: readonly string[] = []): void {
    this.#meetWidth();
    if (above.length > 0 || this.#drawn.length !== frame.length) {
      this.#erase();
      this.#write(above);
      if (frame.length > 0) this.#pending += NO_FOLDING + linesText(frame) + FOLDING;
    } else this.#pending += patchOf(this.#drawn, frame);
    this.#drawn = frame;
    this.#flush();
  }

  /** Removes the frame and leaves `last` in its place. */
  close(last: readonly string[] = []): void {
    this.#meetWidth();
    this.#erase();
    this.#write(last);
    this.#flush();
  }

  /** The drawn lines stay where they are: the next frame begins below them. */
  forget(): void {
    this.#drawn = [];
  }

  #write(lines: readonly string[]): void {
    this.#pending += linesText(lines);
  }

  #erase(): void {
    if (this.#drawn.length > 0) this.#pending += eraseRows(this.#drawn.length);
    this.#drawn = [];
  }

  /** After a change of width, the old lines take a different number of rows. */
  #meetWidth(): void {
    const { columns } = this.#place.stderr.size();
    if (columns !== this.#columns && this.#drawn.length > 0) {
      const rows = rowsOf(this.#drawn, columns, foldsLines(this.#place.env));
      this.#pending += eraseRows(rows);
      this.#drawn = [];
    }
    this.#columns = columns;
  }

  #flush(): void {
    if (this.#pending !== '') this.#place.draw(BEGIN_UPDATE + this.#pending + END_UPDATE);
    this.#pending = '';
  }
}

const linesText = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** What turns one frame into another with as many lines; '' if nothing changed. */
function patchOf(before: readonly string[], after: readonly string[]): string {
  let patch = '';
  let at = after.length;
  const moveTo = (row: number): void => {
    if (row !== at) patch += `\u001b[${Math.abs(row - at)}${row < at ? 'A' : 'B'}`;
    at = row;
  };
  for (const [row, line] of after.entries()) {
    if (line === before[row]) continue;
    moveTo(row);
    patch += `\r\u001b[2K${line}\r`;
  }
  if (patch === '') return '';
  moveTo(after.length);
  return NO_FOLDING + patch + FOLDING;
}

// Row by row, because tmux would keep rows that are erased at once, as a cleared screen.
const eraseRows = (rows: number): string => `\u001b[2K${'\u001b[1A\u001b[2K'.repeat(rows)}\r`;

/** How many rows the frame takes in a window of this width; the cursor is below it. */
const rowsOf = (drawn: readonly string[], columns: number, isFolded: boolean): number =>
  drawn
    .map((line) => (isFolded ? cellsOf(line.replace(COLORS, '')) / columns : 1))
    .reduce((sum, taken) => sum + Math.max(1, Math.ceil(taken)), 0);

/** Terminals rewrap lines that no longer fit, except for the two oldest ones, which cut them off. */
const foldsLines = (env: Terminal['env']): boolean =>
  Boolean(env.TMUX) || (!env.XTERM_VERSION && env.TERM !== 'linux');
