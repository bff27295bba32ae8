import { openRows } from '../render/markdown/page.ts';
import { cellsOf, cutEnd, cutStart } from '../render/text/cells.ts';
import { fill } from '../render/text/fold.ts';
import type { Style, Tone } from '../render/text/style.ts';
import { count, inLine, plural, sanitize } from '../render/text/text.ts';
import { draftTasksIn } from '../render/work/draft.ts';
import { linesAroundActive, type TreeLine } from '../render/work/plan-tree.ts';
import { statusWords } from '../render/work/status.ts';
import { draftTree, shortTree, workTree } from '../render/work/work-tree.ts';
import { activityText, conversationActivity } from './activity.ts';
import type { ChatView } from './chat-view.ts';
import type { Menu } from './complete.ts';
import type { InputDraft } from './editor.ts';
import { type MenuRoom, menuLines, searchLines } from './menu-lines.ts';
import type { Search } from './search.ts';
import type { RunView, Writing } from './view.ts';

/** Pure: the part of the screen that is redrawn, as lines that each fit the width. */
/** What a screen shows: a run or a conversation. */
export type ScreenView = RunView | ChatView;

export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
}

/** What a person has typed, and what of it waits. */
export interface TypedInput {
  readonly draft: InputDraft;
  /** The completions offered. */
  readonly menu?: Menu | null;
  /** The current search in the history. */
  readonly search?: Search | null;
  /** Submitted and not handed over yet. */
  readonly lines: readonly string[];
}

/** A shorter beginning of a task's text says nothing. */
const MIN_BEFORE = 10;
const STREAM_LINES = 3;
const WAITING_LINES = 3;
const INPUT_LINES = 8;
/** The lines for a question with its subject and its answers. */
const QUESTION_LINES = 12;

/** The last column stays empty: some terminals wrap when it is written. */
const widthIn = ({ columns }: Pick<FrameSize, 'columns'>): number => Math.max(10, columns - 1);

export function frameOf(
  view: ScreenView,
  typed: TypedInput,
  size: FrameSize,
  now: number,
  style: Style,
): string[] {
  const place = { width: widthIn(size), rows: size.rows, now, style };
  const isRun = view.kind === 'run';
  const below = isRun ? belowPlan(view, typed, place) : belowAnswer(view, typed, place);
  // The cursor has a line of its own below.
  const height = Math.max(1, size.rows - 1);
  const room = Math.max(0, height - below.length);
  const above = isRun ? planRows(view, room, place) : answerRows(view, room, place);
  return [...above, ...below].slice(-height);
}

interface FrameLayout extends MenuRoom {
  readonly now: number;
}

/** For a run, the typed text is between the stream and the activity. */
function belowPlan(
  view: RunView,
  { draft, lines }: TypedInput,
  place: FrameLayout,
): readonly string[] {
  const { width, rows, now, style } = place;
  const words = activityText(view.activity, now, fitsIn(place));
  return [
    ...streamLines(view.writing, width, style).slice(-(rows < 12 ? 1 : STREAM_LINES)),
    ...waitingLines([...view.waiting, ...lines], place),
    ...typedLines(draft, place),
    activityLine(words, 'active', place),
    ...statusLines(view, width, now, style),
  ];
}

/** For a conversation, the typed text comes last, above its menu. */
function belowAnswer(
  { activity, wayOut }: ChatView,
  { draft, menu = null, search = null, lines }: TypedInput,
  place: FrameLayout,
): readonly string[] {
  const { now, style } = place;
  const words =
    activity &&
    conversationActivity(activity, now, ` ${style.glyphs.dot} ${wayOut}`, fitsIn(place));
  return [
    ...(words === null ? [] : [activityLine(words, 'dim', place)]),
    ...waitingLines(lines, place),
    ...(search === null ? inputLines(draft, place) : searchLines(search, place)),
    ...(menu === null ? [] : menuLines(menu, place)),
  ];
}

const planRows = (
  view: RunView,
  room: number,
  { width, style }: Pick<FrameLayout, 'width' | 'style'>,
): readonly string[] =>
  room === 0 ? [] : treeLines(view, room, style).map((line) => treeLine(line, width, style));

const answerRows = (
  { answer }: ChatView,
  room: number,
  { width, style }: FrameLayout,
): readonly string[] => (room === 0 ? [] : openRows(answer, { width, style }).slice(-room));

function treeLines(view: RunView, room: number, { glyphs }: Style): readonly TreeLine[] {
  const draft = view.writing.kind === 'plan' ? draftTasksIn(view.writing.plan) : [];
  if (draft.length > 0) return draftTree(draft, glyphs).slice(-room);
  const whole = workTree(view, glyphs);
  return whole.length <= room ? whole : linesAroundActive(shortTree(view, glyphs), room, glyphs);
}

/** What was done and what is under way, above a question, so that both are visible. */
export const treeAbove = (view: RunView, size: FrameSize, style: Style): readonly string[] =>
  planRows(view, Math.max(0, size.rows - QUESTION_LINES), { width: widthIn(size), style });

/** The plan at full length and width, for when nothing more is redrawn. */
export const wholeTree = (view: RunView, width: number, style: Style): readonly string[] =>
  workTree(view, style.glyphs).flatMap((line) => wholeLine(line, width, style));

function wholeLine(line: TreeLine, width: number, style: Style): readonly string[] {
  const text = inLine(line.text);
  const whole = [text, inLine(line.note ?? '')].filter(Boolean).join('  ');
  if (cellsOf(whole) <= width) return [treeLine(line, width, style)];
  const hang = text.length - text.trimStart().length + 2;
  return fill(whole, width, hang).map((part) => style.paint(line.tone, part));
}

/** The text is shortened, its note is not. */
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
    cellsOf(whole) > room && before >= MIN_BEFORE
      ? cutEnd(whole.slice(0, whole.length - last.length), before, glyphs.ellipsis) + last
      : cutEnd(whole, room, glyphs.ellipsis);
  const head = paint(tone, fitted);
  return shown === '' ? head : `${head}  ${paint(noteTone, cutEnd(shown, width, glyphs.ellipsis))}`;
}

/** The end of what is being written, and the end of its last line. */
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
  { width, style: { paint, glyphs } }: FrameLayout,
): readonly string[] {
  const more = lines.length - WAITING_LINES;
  const shown = lines
    .slice(-WAITING_LINES)
    .map((text) => `queued: ${inLine(firstLine(text))}`)
    .map((line) => paint('dim', cutEnd(line, width, glyphs.ellipsis)));
  return more > 0 ? [paint('dim', `queued: ${more} more`), ...shown] : shown;
}

function firstLine(text: string): string {
  const [first = '', ...more] = text.split('\n');
  return more.length === 0 ? first : `${first} (and ${plural(more.length, 'more line')})`;
}

/** Everything on one line, if something is typed. */
function typedLines(
  { text, cursor }: InputDraft,
  { width, style }: FrameLayout,
): readonly string[] {
  if (text === '') return [];
  const shown = (part: string): string => inLine(part.replaceAll('\n', style.glyphs.newline));
  const [before, behind] = [shown(text.slice(0, cursor)), shown(text.slice(cursor))];
  return [style.paint('strong', PROMPT + withCursor(before, behind, width - 2, style))];
}

const PROMPT = '> ';
const NEXT = '  ';

/** The lines around the cursor; says how many there are if not all are shown. */
function inputLines(
  { text, cursor }: InputDraft,
  { width, rows, style }: FrameLayout,
): readonly string[] {
  const most = Math.min(INPUT_LINES, rows - 4);
  const lines = text.split('\n');
  const at = text.slice(0, cursor).split('\n').length - 1;
  const isLong = lines.length > most;
  const shown = Math.max(1, isLong ? most - 1 : lines.length);
  const from = Math.max(0, Math.min(at - shown + 1, lines.length - shown));
  const column = cursor - (text.slice(0, cursor).lastIndexOf('\n') + 1);
  const room = width - 3;
  const parts = lines.slice(from, from + shown).map((line, index) => {
    const mark = from + index === 0 ? PROMPT : NEXT;
    return from + index === at
      ? mark + withCursor(inLine(line.slice(0, column)), inLine(line.slice(column)), room, style)
      : mark + cutEnd(inLine(line), room, style.glyphs.ellipsis);
  });
  return isLong ? [style.paint('dim', `  ${count(lines.length)} lines`), ...parts] : parts;
}

/** The cursor is drawn, because the real one is below the frame. */
function withCursor(before: string, behind: string, width: number, { glyphs }: Style): string {
  const half = Math.floor(width / 2);
  const room = Math.max(half, width - cellsOf(behind.slice(0, half)) - 1);
  const left = cutStart(before, room, glyphs.ellipsis);
  return `${left}${glyphs.cursor}${cutEnd(behind, Math.max(0, width - cellsOf(left) - 1), glyphs.ellipsis)}`;
}

const SPIN_MS = 120;

/** True if words fit after the spinner. */
const fitsIn =
  ({ width, style: { glyphs } }: FrameLayout) =>
  (text: string): boolean =>
    cellsOf(`${glyphs.spinner[0]} ${text}`) <= width;

function activityLine(words: string, tone: Tone, { width, now, style }: FrameLayout): string {
  const { spinner, ellipsis } = style.glyphs;
  const mark = spinner[Math.floor(now / SPIN_MS) % spinner.length] ?? '';
  return style.paint(tone, cutEnd(`${mark} ${words}`, width, ellipsis));
}

/** One line if everything fits; otherwise the hint about Ctrl+C has its own line. */
function statusLines(view: RunView, width: number, now: number, style: Style): readonly string[] {
  const { paint, glyphs } = style;
  const between = ` ${glyphs.dot} `;
  const all = statusWords(view, now).join(between);
  const words = cellsOf(all) <= width ? all : statusWords(view, now, 'short').join(between);
  const one = [words, view.wayOut].filter(Boolean).join(between);
  const lines = cellsOf(one) <= width ? [one] : [words, view.wayOut];
  return lines.map((line) => paint('dim', cutEnd(line, width, glyphs.ellipsis)));
}
