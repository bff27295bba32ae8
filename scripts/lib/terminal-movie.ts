/** A moving SVG of a terminal: each line is drawn once, and a stylesheet says when it is seen. No script, no picture. */
import type headless from '@xterm/headless';

export const COLUMNS = 80;
/** Of a dark terminal: the eight colours, then the text. */
const COLOURS = [
  '#15161e',
  '#f7768e',
  '#9ece6a',
  '#e0af68',
  '#7aa2f7',
  '#bb9af7',
  '#7dcfff',
  '#a9b1d6',
];
const TEXT = '#c0caf5';
const GROUND = '#1a1b26';
const CELL = { width: 8.4, height: 19 };
const MARGIN = 14;

export interface Piece {
  readonly text: string;
  readonly column: number;
  readonly colour: string;
  readonly isDim: boolean;
  readonly isBold: boolean;
}

export interface Frame {
  readonly lines: readonly (readonly Piece[])[];
  /** Milliseconds that it stands. */
  readonly ms: number;
}

export function textOf(line: readonly Piece[]): string {
  return line.map(({ text }) => text).join('');
}

export function linesOn(terminal: headless.Terminal): (readonly Piece[])[] {
  const { active } = terminal.buffer;
  const lines: (readonly Piece[])[] = [];
  for (let row = 0; row < active.length; row += 1) {
    const line = active.getLine(row);
    const pieces: Piece[] = [];
    for (let column = 0; line && column < COLUMNS; column += 1) {
      const cell = line.getCell(column);
      const text = cell?.getChars() ?? '';
      if (!cell || text === '') continue;
      const colour = cell.isFgPalette() ? (COLOURS[cell.getFgColor() % 8] ?? TEXT) : TEXT;
      const look = { colour, isDim: cell.isDim() !== 0, isBold: cell.isBold() !== 0 };
      const last = pieces.at(-1);
      const goesOn =
        last !== undefined &&
        last.column + [...last.text].length === column &&
        last.colour === colour &&
        last.isDim === look.isDim &&
        last.isBold === look.isBold;
      if (goesOn) pieces[pieces.length - 1] = { ...last, text: last.text + text };
      else pieces.push({ text, column, ...look });
    }
    lines.push(pieces.filter(({ text }) => text.trim() !== ''));
  }
  while (lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

/** One line at one row, and the frames in which it is seen. */
interface Shown {
  readonly row: number;
  readonly svg: string;
  readonly frames: Set<number>;
}

export function movie(frames: readonly Frame[], title: string): string {
  const rows = Math.max(...frames.map(({ lines }) => lines.length));
  const width = Math.round(COLUMNS * CELL.width + 2 * MARGIN);
  const height = Math.round(rows * CELL.height + 2 * MARGIN);
  const shown = new Map<string, Shown>();
  frames.forEach(({ lines }, at) => {
    lines.forEach((line, row) => {
      const svg = line.map((piece) => drawn(piece, row)).join('');
      if (svg === '') return;
      const known = shown.get(`${row} ${svg}`) ?? { row, svg, frames: new Set<number>() };
      known.frames.add(at);
      shown.set(`${row} ${svg}`, known);
    });
  });
  const total = frames.reduce((sum, { ms }) => sum + ms, 0);
  const begins = frames.map((_frame, at) =>
    frames.slice(0, at).reduce((sum, { ms }) => sum + ms, 0),
  );
  const percent = (at: number): string => ((100 * (begins[at] ?? total)) / total).toFixed(2);
  const rules: string[] = [];
  const groups = [...shown.values()].map(({ svg, frames: seen }, index) => {
    const isLast = seen.has(frames.length - 1) ? ' last' : '';
    if (seen.size === frames.length) return `<g>${svg}</g>`;
    const turns = [...frames.keys()].filter((at) => at > 0 && seen.has(at) !== seen.has(at - 1));
    const stops = turns.map(
      (at) => `${percent(at)}%{visibility:${seen.has(at) ? 'visible' : 'hidden'}}`,
    );
    rules.push(
      `@keyframes k${index}{0%{visibility:${seen.has(0) ? 'visible' : 'hidden'}}${stops.join('')}}`,
    );
    return `<g class="f${isLast}" style="animation-name:k${index}">${svg}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escaped(title).replaceAll('\u00a0', ' ')}</title>
<style>
.f{visibility:hidden;animation-duration:${total}ms;animation-timing-function:step-end;animation-iteration-count:infinite}
${rules.join('\n')}
@media (prefers-reduced-motion:reduce){.f{animation:none}.last{visibility:visible}}
</style>
<rect width="${width}" height="${height}" rx="8" fill="${GROUND}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${groups.join('\n')}
</g>
</svg>
`;
}

function drawn(piece: Piece, row: number): string {
  const x = (MARGIN + piece.column * CELL.width).toFixed(1);
  const y = (MARGIN + (row + 0.75) * CELL.height).toFixed(1);
  const length = ([...piece.text].length * CELL.width).toFixed(1);
  const look = `${piece.isDim ? ' opacity="0.6"' : ''}${piece.isBold ? ' font-weight="bold"' : ''}`;
  return `<text x="${x}" y="${y}" textLength="${length}" fill="${piece.colour}"${look}>${escaped(piece.text)}</text>`;
}

/** With blanks that no viewer draws together. */
function escaped(text: string): string {
  const marked = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return marked.replaceAll(' ', '\u00a0');
}
