/** Pure: the completions below the typed line, and the hits of a search, as rows that each fit the width. */
import { cellsOf, cutEnd } from '../render/text/cells.ts';
import { fill } from '../render/text/fold.ts';
import type { Style } from '../render/text/style.ts';
import { inLine } from '../render/text/text.ts';
import type { CompletionChoice, Menu } from './complete.ts';
import type { Search } from './search.ts';

export interface MenuRoom {
  readonly width: number;
  /** The rows of the window. */
  readonly rows: number;
  readonly style: Style;
}

const MAX_ROWS = 8;
const WIDEST_NAME = 28;
const MIN_ABOUT = 12;
const ABOUT_INDENT = '    ';
const MAX_ABOUT_ROWS = 3;

export function menuLines(
  { choices, selected }: Menu,
  { width, rows, style }: MenuRoom,
): readonly string[] {
  const most = Math.max(1, Math.min(MAX_ROWS, Math.floor(rows / 3)));
  const isLong = choices.length > most;
  const shown = isLong ? Math.max(1, most - 1) : choices.length;
  const from = Math.max(0, Math.min(selected - shown + 1, choices.length - shown));
  const some = choices.slice(from, from + shown);
  const column = Math.min(WIDEST_NAME, Math.max(...some.map((one) => cellsOf(nameOf(one)))));
  const lines = some.map((choice, index) => {
    const isSelected = from + index === selected;
    const name = cutEnd(nameOf(choice), width - 2, style.glyphs.ellipsis);
    const gap = ' '.repeat(Math.max(0, column - cellsOf(name)) + 2);
    const room = width - 2 - cellsOf(name) - gap.length;
    const about =
      choice.about === '' || room < MIN_ABOUT
        ? ''
        : gap + cutEnd(inLine(choice.about), room, style.glyphs.ellipsis);
    const mark = isSelected ? `${style.glyphs.status.in_progress} ` : '  ';
    return style.paint(isSelected ? 'active' : 'plain', mark + name) + style.paint('dim', about);
  });
  const place = isLong ? [style.paint('dim', `  ${selected + 1} of ${choices.length}`)] : [];
  return [
    ...lines,
    ...place,
    ...restOf(choices[selected], width - 2 - column - 2, { width, style }),
  ];
}

/** The full description of the selected choice, if its row had to cut it. */
function restOf(
  choice: CompletionChoice | undefined,
  room: number,
  { width, style }: Pick<MenuRoom, 'width' | 'style'>,
): readonly string[] {
  const about = inLine(choice?.about ?? '');
  if (cellsOf(about) <= Math.max(0, room)) return [];
  const rows = fill(about, width - ABOUT_INDENT.length).slice(0, MAX_ABOUT_ROWS);
  return rows.map((row) =>
    style.paint('dim', cutEnd(ABOUT_INDENT + row, width, style.glyphs.ellipsis)),
  );
}

const nameOf = ({ text, takes = '' }: CompletionChoice): string =>
  inLine(takes === '' ? text : `${text} ${takes}`);

export function searchLines({ words, hit }: Search, { width, style }: MenuRoom): readonly string[] {
  const { glyphs, paint } = style;
  const shown = hit === null ? '' : inLine(hit.replaceAll('\n', glyphs.newline));
  const none = hit === null && words !== '' ? 'nothing said before has it' : '';
  return [
    cutEnd(`> ${shown}`, width, glyphs.ellipsis),
    paint(
      'dim',
      cutEnd(`  search: ${inLine(words)}${glyphs.cursor} ${none}`, width, glyphs.ellipsis),
    ),
  ];
}
