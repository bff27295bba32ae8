import { cellsOf, cutEnd, cutStart } from '../render/cells.ts';
import { draftOf } from '../render/draft.ts';
import { fill } from '../render/fold.ts';
import { type TreeLine, windowOf } from '../render/plan-tree.ts';
import { statusWords, WAY_OUT } from '../render/status.ts';
import type { Style, Tone } from '../render/style.ts';
import { inLine, sanitize } from '../render/text.ts';
import { draftTree, shortTree, workTree } from '../render/work-tree.ts';
import { activityText } from './activity.ts';
import type { View, Writing } from './view.ts';

/** Pure: the part of the screen that is redrawn, as lines that each fit the width. */
export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
}

/** What a person has typed and not sent. */
export interface Typed {
  readonly lines: readonly string[];
  readonly line: string;
}

/** Less of what a task is about tells nothing. */
const LEAST_BEFORE = 10;
const STREAM_LINES = 3;
const WAITING_LINES = 3;
/** A question with what it is about and its answers. */
const QUESTION_LINES = 12;

export function frameOf(
  view: View,
  typed: Typed,
  { columns, rows }: FrameSize,
  now: number,
  style: Style,
): string[] {
  // The last column stays empty: some terminals wrap when it is written.
  const width = Math.max(10, columns - 1);
  const stream = streamLines(view.writing, width, style).slice(-(rows < 12 ? 1 : STREAM_LINES));
  const bottom = [
    ...waitingLines([...view.waiting, ...typed.lines], width, style),
    ...typedLines(typed.line, width, style),
    activityLine(view, width, now, style),
    ...statusLines(view, width, now, style),
  ];
  // The cursor stands on a line of its own below.
  const room = Math.max(0, rows - 1 - stream.length - bottom.length);
  const tree = room === 0 ? [] : treeLines(view, room, style);
  const frame = [...tree.map((line) => treeLine(line, width, style)), ...stream, ...bottom];
  return frame.slice(-Math.max(1, rows - 1));
}

function treeLines(view: View, room: number, { glyphs }: Style): readonly TreeLine[] {
  const draft = view.writing.kind === 'plan' ? draftOf(view.writing.plan) : [];
  if (draft.length > 0) return draftTree(draft, glyphs).slice(-room);
  const whole = workTree(view, glyphs);
  return whole.length <= room ? whole : windowOf(shortTree(view, glyphs), room, glyphs);
}

/** What was done and is under way, above a question: both are seen at once. */
export function treeAbove(view: View, { columns, rows }: FrameSize, style: Style): string[] {
  const room = rows - QUESTION_LINES;
  const width = Math.max(10, columns - 1);
  return room <= 0 ? [] : treeLines(view, room, style).map((line) => treeLine(line, width, style));
}

/** The plan as it stands, however long and wide, for when nothing more is drawn over it. */
export const wholeTree = (view: View, width: number, style: Style): readonly string[] =>
  workTree(view, style.glyphs).flatMap((line) => wholeLine(line, width, style));

function wholeLine(line: TreeLine, width: number, style: Style): readonly string[] {
  const text = inLine(line.text);
  const whole = [text, inLine(line.note ?? '')].filter(Boolean).join('  ');
  if (cellsOf(whole) <= width) return [treeLine(line, width, style)];
  const hang = text.length - text.trimStart().length + 2;
  return fill(whole, width, hang).map((part) => style.paint(line.tone, part));
}

/** The text gives way, what it brought does not. */
function treeLine(
  { text, end = '', tone, note = '', noteTone = tone }: TreeLine,
  width: number,
  style: Style,
): string {
  const { paint, glyphs } = style;
  const shown = inLine(note);
  const room = shown === '' ? width : Math.max(8, width - cellsOf(shown) - 2);
  const [whole, last] = [inLine(text), inLine(end)];
  const before = room - cellsOf(last);
  const fitted =
    cellsOf(whole) > room && before >= LEAST_BEFORE
      ? cutEnd(whole.slice(0, whole.length - last.length), before, glyphs.ellipsis) + last
      : cutEnd(whole, room, glyphs.ellipsis);
  const head = paint(tone, fitted);
  return shown === '' ? head : `${head}  ${paint(noteTone, cutEnd(shown, width, glyphs.ellipsis))}`;
}

/** The end of what is being written; of its last line the end, too. */
function streamLines({ kind, tail }: Writing, width: number, style: Style): readonly string[] {
  const { paint, glyphs } = style;
  const lines = sanitize(tail.value)
    .split('\n')
    .filter((line) => line.trim() !== '' && !(kind === 'answer' && /^\s*```/.test(line)))
    .slice(-STREAM_LINES);
  const room = width - 4;
  return lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    const text = isLast
      ? cutStart(line, room, glyphs.ellipsis)
      : cutEnd(line, room, glyphs.ellipsis);
    return paint('dim', `  ${glyphs.bar} ${text}`);
  });
}

function waitingLines(
  lines: readonly string[],
  width: number,
  { paint, glyphs }: Style,
): readonly string[] {
  const more = lines.length - WAITING_LINES;
  const shown = lines
    .slice(-WAITING_LINES)
    .map((line) => `queued: ${inLine(line)}`)
    .map((line) => paint('dim', cutEnd(line, width, glyphs.ellipsis)));
  return more > 0 ? [paint('dim', `queued: ${more} more`), ...shown] : shown;
}

function typedLines(line: string, width: number, { paint, glyphs }: Style): readonly string[] {
  if (line === '') return [];
  const shown = inLine(line.replaceAll('\n', glyphs.newline));
  const room = width - 2 - cellsOf(glyphs.cursor);
  return [paint('strong', `> ${cutStart(shown, room, glyphs.ellipsis)}${glyphs.cursor}`)];
}

const spinner = (now: number, { glyphs }: Style): string =>
  glyphs.spinner[Math.floor(now / 120) % glyphs.spinner.length] ?? '';

function activityLine({ activity }: View, width: number, now: number, style: Style): string {
  const { paint, glyphs } = style;
  const mark = `${spinner(now, style)} `;
  const words = activityText(activity, now, (text) => cellsOf(mark + text) <= width);
  return paint('active', cutEnd(mark + words, width, glyphs.ellipsis));
}

/** One line where it fits, else the way out has one of its own. */
function statusLines(view: View, width: number, now: number, style: Style): readonly string[] {
  const { paint, glyphs } = style;
  const between = ` ${glyphs.dot} `;
  const all = statusWords(view, now).join(between);
  const words = cellsOf(all) <= width ? all : statusWords(view, now, 'short').join(between);
  const one = [words, WAY_OUT].filter(Boolean).join(between);
  const fitted = (text: string, tone: Tone): string =>
    paint(tone, cutEnd(text, width, glyphs.ellipsis));
  if (cellsOf(one) <= width) return [fitted(one, 'dim')];
  return [fitted(words, 'dim'), fitted(WAY_OUT, 'dim')];
}
