/**
 * Pure: lays out Markdown as it arrives. A finished line is laid out once; an unfinished one is laid out again with
 * each piece. Without colours the Markdown marks stay, since nothing else would show them.
 */
import { cellsOf } from '../text/cells.ts';
import { folded, isFence, LAID_OUT, MARK, proseRows } from '../text/prose.ts';
import type { Style } from '../text/style.ts';
import { paintSpans, type StyledText, unstyled, wordsIn, wrapWords } from '../text/words.ts';
import { codeSpans } from './code.ts';
import { inlineSpans } from './inline.ts';
import { tableRows } from './table.ts';

/** The unfinished part: the current line, and the block that it belongs to. */
export interface Page {
  readonly line: string;
  readonly code: { readonly language: string; readonly lines: readonly string[] } | null;
  /** Lines of a table, which is laid out once it is whole. */
  readonly table: readonly string[];
}

export const NO_PAGE: Page = { line: '', code: null, table: [] };

interface Look {
  readonly width: number;
  readonly style: Style;
}

/** The state after a piece of text, and the rows of the lines that it finished. */
export function pageAfter(before: Page, text: string, look: Look) {
  const ended = (before.line + text).split('\n');
  const line = ended.pop() ?? '';
  let page: Page = { ...before, line: '' };
  const rows: string[] = [];
  for (const one of ended) {
    const next = lineAfter(page, one, look);
    page = next.page;
    rows.push(...next.rows);
  }
  return { page: { ...page, line }, rows };
}

/** The rows of everything that is left. */
export function endOfPage(page: Page, look: Look): readonly string[] {
  const { rows, page: last } = page.line === '' ? { rows: [], page } : pageAfter(page, '\n', look);
  return [...rows, ...heldRows(last.table, look)];
}

/** The rows of the unfinished part, as if it ended here. */
export const openRows = (page: Page, look: Look): readonly string[] =>
  endOfPage(page, look).flatMap((row) => {
    const bare = row.replace(COLORS, '');
    return cellsOf(bare) <= look.width ? [row] : folded(bare, look.width);
  });

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no cells
const COLORS = /\u001b\[\d*m/g;

export function markdownRows(text: string, look: Look): readonly string[] {
  const { page, rows } = pageAfter(NO_PAGE, text, look);
  return [...rows, ...endOfPage(page, look)];
}

const IN_TABLE = /^\s*\|/;
const MAX_HELD = 400;

function lineAfter(page: Page, line: string, look: Look) {
  const { code, table } = page;
  if (isFence(line)) {
    const language = code === null ? (/^\s*(?:`+|~+)\s*([^\s`{]*)/.exec(line)?.[1] ?? '') : '';
    const next = code === null ? { language, lines: [] } : null;
    const shown = fenceRows(line, language, look);
    return { page: { ...NO_PAGE, code: next }, rows: [...heldRows(table, look), ...shown] };
  }
  if (code !== null) {
    const lines = [...code.lines, line];
    const rows = [paintSpans(codeSpans(lines, code.language), look.style)];
    return { page: { ...page, code: { ...code, lines } }, rows };
  }
  if (IN_TABLE.test(line) && table.length < MAX_HELD)
    return { page: { ...page, table: [...table, line] }, rows: [] };
  return { page: NO_PAGE, rows: [...heldRows(table, look), ...lineRows(line, look)] };
}

function heldRows(table: readonly string[], look: Look): readonly string[] {
  if (table.length === 0) return [];
  return tableRows(table, look.width, look.style) ?? table;
}

/** Colours show where code begins and ends, so only a known language is named. */
function fenceRows(line: string, language: string, { style }: Look): readonly string[] {
  if (!style.hasColor) return [line];
  return language === '' ? [] : [style.paint('dim', language)];
}

const HEADING = /^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
const QUOTE = /^ {0,3}>\s?/;

function lineRows(line: string, look: Look): readonly string[] {
  const { width, style } = look;
  const { glyphs, hasColor, paint } = style;
  if (!hasColor) return proseRows(line, width);
  if (RULE.test(line)) return [paint('dim', glyphs.rule.repeat(Math.min(width, 40)))];
  const title = HEADING.exec(line)?.[1];
  if (title !== undefined) return wrapped(inlineSpans(title, 'strong'), [], look);
  if (QUOTE.test(line)) {
    const mark: readonly StyledText[] = [{ text: `${glyphs.bar} `, tone: 'dim' }];
    const words = inlineSpans(line.replace(QUOTE, ''), 'emphasis');
    return wrapped([...mark, ...words], mark, look);
  }
  const mark = MARK.exec(line)?.[0] ?? '';
  if (mark === '' && LAID_OUT.test(line)) return [line];
  const indent = mark === '' ? (/^\s*/.exec(line)?.[0] ?? '') : mark;
  const hang = [unstyled(' '.repeat(cellsOf(indent)))];
  return wrapped([unstyled(indent), ...inlineSpans(line.slice(indent.length))], hang, look);
}

const wrapped = (
  spans: readonly StyledText[],
  hang: readonly StyledText[],
  { width, style }: Look,
): readonly string[] => wrapWords(wordsIn(spans), width, hang).map((row) => paintSpans(row, style));
