import { createLogUpdate } from 'log-update';
import { cellsOf } from '../render/cells.ts';
import type { Sink, Terminal } from '../terminal.ts';

/**
 * Owns the frame on the terminal; it is loaded when the first request has been sent. Invariants:
 * 1. Only lines that changed are written, each redraw as one synchronized update.
 * 2. Nothing but the frame is ever erased; lines that left it stay.
 * 3. No mode of the terminal outlives the write that changes it, the cursor is not even hidden: a killed
 *    process leaves nothing to repair.
 * 4. A line of the frame takes one row, also in a window that has become narrower and has not said so
 *    yet: it is not folded while it is written. So the cursor always stands below the frame.
 */
export interface Region {
  /** @param above lines that stay, before the frame */
  draw(frame: readonly string[], above?: readonly string[]): void;
  /** Takes the frame away, and leaves `last` in its place. */
  close(last?: readonly string[]): void;
  /** What was drawn is somebody else's now: the next frame begins below it. */
  forget(): void;
}

type RegionTerminal = Pick<Terminal, 'draw' | 'env'> & { readonly stderr: Pick<Sink, 'size'> };

const BEGIN_UPDATE = '\u001b[?2026h';
const END_UPDATE = '\u001b[?2026l';
const NO_FOLDING = '\u001b[?7l';
const FOLDING = '\u001b[?7h';
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no cells
const COLORS = /\u001b\[\d*m/g;

export const openRegion = (place: RegionTerminal): Region => new DrawnRegion(place);

class DrawnRegion implements Region {
  readonly #place: RegionTerminal;
  readonly #log: ReturnType<typeof createLogUpdate>;
  #drawn: readonly string[] = [];
  #columns = 0;
  #pending = '';

  constructor(place: RegionTerminal) {
    this.#place = place;
    const columns = (): number => this.#columns;
    const stream = {
      write: (text: string) => {
        this.#pending += text;
        return true;
      },
      get columns() {
        return columns();
      },
      get rows() {
        return place.stderr.size().rows;
      },
    };
    this.#log = createLogUpdate(stream as NodeJS.WriteStream, { showCursor: true });
  }

  draw(frame: readonly string[], above: readonly string[] = []): void {
    this.#meetWidth();
    // Its patch of a frame with more or fewer lines leaves the lines below where they were.
    const isOther = above.length > 0 || this.#drawn.length !== frame.length;
    if (this.#drawn.length > 0 && isOther) this.#log.clear();
    this.#write(above);
    const before = this.#pending.length;
    this.#log(frame.join('\n'));
    if (this.#pending.length > before)
      this.#pending = `${this.#pending.slice(0, before)}${NO_FOLDING}${this.#pending.slice(before)}${FOLDING}`;
    this.#drawn = frame;
    this.#flush();
  }

  close(last: readonly string[] = []): void {
    this.#meetWidth();
    if (this.#drawn.length > 0) this.#log.clear();
    this.#drawn = [];
    this.#write(last);
    this.#flush();
  }

  forget(): void {
    this.#log.done();
    this.#drawn = [];
  }

  #write(lines: readonly string[]): void {
    this.#pending += lines.map((line) => `${line}\n`).join('');
  }

  /** In a window of another width the old lines take other rows than they were written in. */
  #meetWidth(): void {
    const { columns } = this.#place.stderr.size();
    if (columns !== this.#columns && this.#drawn.length > 0) {
      this.#pending += eraseOf(this.#drawn, columns, foldsLines(this.#place.env));
      this.#log.done();
      this.#drawn = [];
    }
    this.#columns = columns;
  }

  #flush(): void {
    if (this.#pending !== '') this.#place.draw(BEGIN_UPDATE + this.#pending + END_UPDATE);
    this.#pending = '';
  }
}

/** Counts the rows that the frame has in a window of this width; the cursor stands below it. */
function eraseOf(drawn: readonly string[], columns: number, isFolded: boolean): string {
  const rows = drawn
    .map((line) => (isFolded ? cellsOf(line.replace(COLORS, '')) / columns : 1))
    .reduce((sum, taken) => sum + Math.max(1, Math.ceil(taken)), 0);
  // Row by row: all below the first one at once would be kept by tmux, as a screen that was cleared.
  return `\u001b[2K${'\u001b[1A\u001b[2K'.repeat(rows)}\r`;
}

/** Terminals fold lines that no longer fit, but for the oldest two, which cut them off. */
const foldsLines = (env: Terminal['env']): boolean =>
  Boolean(env.TMUX) || (!env.XTERM_VERSION && env.TERM !== 'linux');
