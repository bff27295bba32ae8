import stringWidth from 'string-width';

/** Pure: text measured and cut as a terminal shows it, by what a person sees as one character. */
export const cellsOf = (text: string): number => (isPlain(text) ? text.length : stringWidth(text));

const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** Made where it is first needed: it takes as long as a whole frame. */
let segmenter: Intl.Segmenter | null = null;

/** Far more characters than any window is wide. */
const MOST = 2000;

/** At most `width` cells from its beginning; what is left out shows as `mark`. */
export function cutEnd(text: string, width: number, mark: string): string {
  if (text.length <= MOST && cellsOf(text) <= width) return text;
  return headOf(text.slice(0, MOST), width - cellsOf(mark), false) + (width > 0 ? mark : '');
}

/** At most `width` cells of its end. */
export function cutStart(text: string, width: number, mark: string): string {
  if (text.length <= MOST && cellsOf(text) <= width) return text;
  return (width > 0 ? mark : '') + headOf(text.slice(-MOST), width - cellsOf(mark), true);
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
