import stringWidth from 'string-width';

/** Pure: measures and cuts text in terminal cells, by what a person sees as one character. */
export const cellsOf = (text: string): number => (isPlain(text) ? text.length : stringWidth(text));

/** Characters of one cell each, alone and side by side: Western letters, and the signs that we draw with. */
const PLAIN =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2022\u2026\u2190-\u2193\u2212\u23ce\u2500-\u257f\u258c\u25b8\u2713\u2717\u2800-\u28ff]*$/;

const isPlain = (text: string): boolean => PLAIN.test(text);

/** Created on first use: that takes as long as a whole frame. */
let segmenter: Intl.Segmenter | null = null;

/** More characters than any window is wide. */
const MAX = 2000;

/** At most `width` cells from its beginning; `mark` replaces the rest. */
export function cutEnd(text: string, width: number, mark: string): string {
  if (text.length <= MAX && cellsOf(text) <= width) return text;
  return headOf(text.slice(0, MAX), width - cellsOf(mark), false) + (width > 0 ? mark : '');
}

/** At most `width` cells of its end. */
export function cutStart(text: string, width: number, mark: string): string {
  if (text.length <= MAX && cellsOf(text) <= width) return text;
  return (width > 0 ? mark : '') + headOf(text.slice(-MAX), width - cellsOf(mark), true);
}

function headOf(text: string, width: number, isFromEnd: boolean): string {
  segmenter ??= new Intl.Segmenter();
  const characters = [...segmenter.segment(text)].map(({ segment }) => segment);
  if (isFromEnd) characters.reverse();
  let cells = 0;
  const kept: string[] = [];
  for (const character of characters) {
    cells += cellsOf(character);
    if (cells > width) break;
    kept.push(character);
  }
  return (isFromEnd ? kept.reverse() : kept).join('');
}
