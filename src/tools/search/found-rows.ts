/** Formats what a search found: lines, or files with their counts. Pure. */
import { inLine, jsonText } from '../../lib/text/plain-text.ts';
import type { LineMatch } from './match-lines.ts';

/** The most lines or files in one answer. */
export const MAX_SHOWN = 100;
const MAX_SHOWN_LINE = 200;

/** Says that there is more after what is shown. */
export function moreText(offset: number, isFiles: boolean): string {
  const [from, to] = [offset + 1, offset + MAX_SHOWN];
  const which = offset === 0 ? `the first ${MAX_SHOWN}` : `${from} to ${to} of the`;
  return `only ${which} ${isFiles ? 'files' : 'lines'} are shown; offset ${to} goes on`;
}

/** Shows every line that was found. */
export class LineRows {
  readonly #rows: string[] = [];

  add(path: string, match: LineMatch): void {
    this.#rows.push(formatMatch(path, match));
  }

  rows = (): readonly string[] => this.#rows;
}

/** Shows every file once, with its count. */
export class FileCounts {
  readonly #counts = new Map<string, number>();

  add(path: string): void {
    this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
  }

  rows = (): readonly string[] =>
    [...this.#counts].map(([path, count]) => `${nameInLine(path)}: ${count}`);
}

/** Shows the part of a long line around the match. */
function formatMatch(path: string, { line, content, at }: LineMatch): string {
  const start = content.length <= MAX_SHOWN_LINE ? 0 : Math.max(0, at - MAX_SHOWN_LINE / 4);
  const part = content.slice(start, start + MAX_SHOWN_LINE);
  const before = start > 0 ? '…' : '';
  const after = start + MAX_SHOWN_LINE < content.length ? '…' : '';
  return `${nameInLine(path)}:${line}: ${before}${part}${after}`;
}

/** A name must not break its line or read as a different one. */
export const nameInLine = (path: string): string => (inLine(path) === path ? path : jsonText(path));
