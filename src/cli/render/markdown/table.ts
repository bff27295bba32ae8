/** Pure: a Markdown table in columns that fit the width; if they would be too narrow, each row becomes a list. */
import { Lexer, type Tokens } from 'marked';
import { cellsOf } from '../text/cells.ts';
import type { Style, Tone } from '../text/style.ts';
import {
  paintSpans,
  type StyledText,
  unstyled,
  widthOfSpans,
  wordsIn,
  wrapWords,
} from '../text/words.ts';
import { LONGEST, spansOf } from './inline.ts';

/** The smallest useful width of a column. */
const MIN = 7;
/** A person does not read a larger table at once. */
const MAX_CHARS = 100_000;

type Cell = readonly StyledText[];

/** `null` if the lines form no table. */
export function tableRows(
  lines: readonly string[],
  width: number,
  style: Style,
): readonly string[] | null {
  const text = lines.map((line) => line.trim()).join('\n');
  const isLong = text.length > MAX_CHARS || lines.some((line) => line.length > LONGEST);
  const [token, ...others] = isLong ? [] : Lexer.lex(text);
  if (token?.type !== 'table' || others.length > 0) return null;
  const table = token as Tokens.Table;
  const cellOf = ({ tokens }: Tokens.TableCell, tone: Tone = 'plain'): Cell =>
    spansOf(tokens, tone);
  const head = table.header.map((cell) => cellOf(cell, 'strong'));
  const body = table.rows.map((row) => row.map((cell) => cellOf(cell)));
  const between = style.glyphs.bar === '|' ? ' | ' : ` ${style.glyphs.bar} `;
  const room = width - cellsOf(between) * (head.length - 1);
  const widths = shares(
    head.map((_, column) =>
      Math.max(...[head, ...body].map((row) => widthOfSpans(row[column] ?? []))),
    ),
    room,
  );
  if (widths === null) return listed(head, body, width, style);
  const rowOf = (cells: readonly Cell[]): readonly string[] => {
    const parts = widths.map((cells_, column) =>
      wrapWords(wordsIn(cells[column] ?? []), cells_, []).flatMap((row) => divided(row, cells_)),
    );
    const height = Math.max(1, ...parts.map((rows) => rows.length));
    return Array.from({ length: height }, (_, index) =>
      widths
        .map((cells_, column) =>
          aligned(parts[column]?.[index] ?? [], cells_, table.align[column] ?? null, style),
        )
        .join(style.paint('dim', between))
        .trimEnd(),
    );
  };
  const line = style.glyphs.bar === '|' ? '-' : '─';
  const cross = style.glyphs.bar === '|' ? '-+-' : '─┼─';
  const rule = style.paint('dim', widths.map((cells) => line.repeat(cells)).join(cross));
  return [...rowOf(head), rule, ...body.flatMap(rowOf)];
}

/** Each column gets the width it wants; the wide ones share the rest equally. `null`: too narrow. */
function shares(wanted: readonly number[], room: number): readonly number[] | null {
  const widths = wanted.map(() => 0);
  let left = room;
  let open = wanted.map((_, column) => column);
  for (;;) {
    const share = Math.floor(left / Math.max(1, open.length));
    const modest = open.filter((column) => (wanted[column] ?? 0) <= share);
    if (modest.length === 0) {
      if (open.length > 0 && share < MIN) return null;
      for (const column of open) widths[column] = share;
      return widths;
    }
    for (const column of modest) {
      widths[column] = wanted[column] ?? 0;
      left -= widths[column] ?? 0;
    }
    open = open.filter((column) => !modest.includes(column));
    if (open.length === 0) return widths;
  }
}

/** Splits a word that is wider than its column. */
function divided(row: readonly StyledText[], width: number): readonly (readonly StyledText[])[] {
  if (widthOfSpans(row) <= width) return [row];
  const rows: StyledText[][] = [[]];
  let cells = 0;
  for (const { text, tone } of row) {
    for (const { segment } of new Intl.Segmenter().segment(text)) {
      const wide = cellsOf(segment);
      if (cells + wide > width) {
        rows.push([]);
        cells = 0;
      }
      rows.at(-1)?.push({ text: segment, tone });
      cells += wide;
    }
  }
  return rows;
}

function aligned(
  row: readonly StyledText[],
  width: number,
  align: string | null,
  style: Style,
): string {
  const left = Math.max(0, width - widthOfSpans(row));
  const before = align === 'right' ? left : align === 'center' ? Math.floor(left / 2) : 0;
  return ' '.repeat(before) + paintSpans(row, style) + ' '.repeat(left - before);
}

function listed(
  head: readonly Cell[],
  body: readonly (readonly Cell[])[],
  width: number,
  style: Style,
): readonly string[] {
  const rows = body.map((cells) =>
    cells.flatMap((cell, column) => {
      const words = wordsIn([...(head[column] ?? []), { text: ': ', tone: 'strong' }, ...cell]);
      const hang = column === 0 ? '  ' : '    ';
      const [first = [], ...more] = wrapWords(words, width - (column === 0 ? 0 : 2), [
        unstyled(hang),
      ]);
      const indent = column === 0 ? [] : [unstyled('  ')];
      return [[...indent, ...first], ...more].map((row) => paintSpans(row, style));
    }),
  );
  return rows.flat();
}
