// Makes docs/run.svg: the screen of a real run of the built program in a terminal of 80 columns. Its
// model's turns are recorded; program, renderer, files and proof are real. Only run by hand.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pty from '@lydell/node-pty';
import headless from '@xterm/headless';
import { JAVASCRIPT_GOAL } from '../src/cli/demo/goals.ts';

const COLUMNS = 80;
const ROWS = 30;
const PICTURE = 'docs/run.svg';
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

interface Piece {
  readonly text: string;
  readonly column: number;
  readonly colour: string;
  readonly isDim: boolean;
  readonly isBold: boolean;
}

const place = mkdtempSync(join(tmpdir(), 'picture-'));
const folder = join(place, 'hello');
mkdirSync(folder);
try {
  const recording = resolve('dist', 'demo', JAVASCRIPT_GOAL.recording);
  // The recording begins with a plan.
  const words = ['--plan-first', '--model', `recorded:${recording}`, JAVASCRIPT_GOAL.goal];
  const terminal = await screenOf([resolve('dist/bin.cjs'), ...words]);
  const lines = linesOn(terminal);
  const command = `$ agent '${JAVASCRIPT_GOAL.goal}'`;
  const head: Piece = { text: command, column: 0, colour: TEXT, isDim: false, isBold: true };
  const isOfRecording = (line: readonly Piece[]): boolean =>
    line.some(({ text }) => text.includes('turns are replayed from'));
  // Where the recording lies is of this machine alone.
  const from = lines.findIndex(isOfRecording);
  const shown = lines.filter((_line, at) => at > from + wrappedBy(lines, from));
  writeFileSync(PICTURE, svgOf([[head], ...shown]));
  process.stdout.write(`${PICTURE}: ${shown.length + 1} lines\n`);
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** A path that is too long for a line goes on in the next, which begins without a blank. */
function wrappedBy(lines: readonly (readonly Piece[])[], from: number): number {
  const isNext = /^(?:Goal|Allowed|[^/]*·)/;
  const next = lines.findIndex((line, at) => at > from && isNext.test(textOf(line)));
  return from < 0 || next < 0 ? 0 : next - from - 1;
}

function textOf(line: readonly Piece[]): string {
  return line.map(({ text }) => text).join('');
}

async function screenOf(words: readonly string[]): Promise<headless.Terminal> {
  const terminal = new headless.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: place,
    XDG_DATA_HOME: place,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  };
  const child = pty.spawn(process.execPath, [...words], {
    ...{ cols: COLUMNS, rows: ROWS, cwd: folder, env },
  });
  child.onData((data) => terminal.write(data));
  const exitCode = await new Promise<number>((ended) =>
    child.onExit((exit) => ended(exit.exitCode)),
  );
  if (exitCode !== 0) throw new Error(`the run ended with exit code ${exitCode}`);
  await new Promise<void>((written) => terminal.write('', () => written()));
  return terminal;
}

function linesOn(terminal: headless.Terminal): (readonly Piece[])[] {
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

function svgOf(lines: readonly (readonly Piece[])[]): string {
  const width = Math.round(COLUMNS * CELL.width + 2 * MARGIN);
  const height = Math.round(lines.length * CELL.height + 2 * MARGIN);
  const texts = lines.flatMap((line, row) =>
    line.map((piece) => {
      const x = (MARGIN + piece.column * CELL.width).toFixed(1);
      const y = (MARGIN + (row + 0.75) * CELL.height).toFixed(1);
      const length = ([...piece.text].length * CELL.width).toFixed(1);
      const look = `${piece.isDim ? ' opacity="0.6"' : ''}${piece.isBold ? ' font-weight="bold"' : ''}`;
      return `  <text x="${x}" y="${y}" textLength="${length}" fill="${piece.colour}"${look}>${escaped(piece.text)}</text>`;
    }),
  );
  const title = `A run of agent in a terminal: ${JAVASCRIPT_GOAL.goal}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
  <title>${escaped(title)}</title>
  <rect width="${width}" height="${height}" rx="8" fill="${GROUND}"/>
  <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
${texts.join('\n')}
  </g>
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
