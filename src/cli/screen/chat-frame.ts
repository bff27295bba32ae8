/** Pure: what stands below a conversation and is drawn again and again. */
import { cellsOf, cutEnd, cutStart } from '../render/cells.ts';
import { folded, proseRows } from '../render/prose.ts';
import type { Style } from '../render/style.ts';
import { count, plural } from '../render/text.ts';
import type { Draft } from './editor.ts';

export interface ChatView {
  /** The end of the answer that has no line end yet. */
  readonly partial: string;
  /** Whether that stands within a block of code. */
  readonly isCode: boolean;
  /** What is going on; '' while the person has the word. */
  readonly activity: string;
  readonly draft: Draft;
  /** Messages that wait until the model has answered. */
  readonly queued: readonly string[];
  readonly choices: readonly string[];
}

interface Window {
  readonly columns: number;
  readonly rows: number;
}

const MOST_INPUT = 8;
const PROMPT = '> ';
const NEXT = '  ';

export function chatFrame(view: ChatView, window: Window, style: Style): readonly string[] {
  const width = Math.max(10, window.columns - 1);
  const { glyphs, paint } = style;
  const input = inputRows(view.draft, width, Math.min(MOST_INPUT, window.rows - 4), style);
  const below = [
    ...(view.activity === '' ? [] : [paint('dim', cutEnd(view.activity, width, glyphs.ellipsis))]),
    ...view.queued.map((text) =>
      paint('dim', cutEnd(`queued: ${firstLine(text)}`, width, glyphs.ellipsis)),
    ),
    ...choiceRows(view.choices, width).map((row) => paint('dim', row)),
    ...input,
  ].slice(-(window.rows - 2));
  const room = Math.max(1, window.rows - below.length - 2);
  const partial = proseRows(view.partial, width, view.isCode).flatMap((row) => folded(row, width));
  return [...partial.slice(-room), ...below];
}

function firstLine(text: string): string {
  const lines = text.split('\n');
  const more = lines.length - 1;
  return `${lines[0] ?? ''}${more > 0 ? ` (and ${plural(more, 'more line')})` : ''}`;
}

function choiceRows(choices: readonly string[], width: number): readonly string[] {
  if (choices.length === 0) return [];
  const all = choices.join('  ');
  return cellsOf(all) <= width ? [all] : [cutEnd(all, width, '…')];
}

/** The lines around the cursor; how many there are is said where not all are shown. */
function inputRows(draft: Draft, width: number, most: number, style: Style): readonly string[] {
  const { text, cursor } = draft;
  const lines = text.split('\n');
  const at = text.slice(0, cursor).split('\n').length - 1;
  const isLong = lines.length > most;
  const shown = Math.max(1, isLong ? most - 1 : lines.length);
  const from = Math.max(0, Math.min(at - shown + 1, lines.length - shown));
  const start = text.slice(0, cursor).lastIndexOf('\n') + 1;
  const rows = lines.slice(from, from + shown).map((line, index) => {
    const mark = from + index === 0 ? PROMPT : NEXT;
    const isHere = from + index === at;
    return (
      mark +
      (isHere
        ? withCursor(line, cursor - start, width - 3, style)
        : cutEnd(line, width - 3, style.glyphs.ellipsis))
    );
  });
  return isLong ? [style.paint('dim', `  ${count(lines.length)} lines`), ...rows] : rows;
}

/** The cursor is drawn, for the real one stands below the frame. */
function withCursor(line: string, at: number, width: number, { glyphs }: Style): string {
  const before = line.slice(0, at);
  const behind = line.slice(at);
  const half = Math.floor(width / 2);
  const room = Math.max(half, width - cellsOf(behind.slice(0, half)) - 1);
  const left = cutStart(before, room, glyphs.ellipsis);
  return `${left}${glyphs.cursor}${cutEnd(behind, Math.max(0, width - cellsOf(left) - 1), glyphs.ellipsis)}`;
}
