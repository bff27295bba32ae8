/** Pure: makes foreign text safe and short enough for one terminal line. */

import { HIDDEN_MARKS } from '../../../lib/text/plain-text.ts';

export { count, duration, plural, wholeSeconds } from '../../../lib/text/figures.ts';
export { inLine, oneLine, sanitize } from '../../../lib/text/plain-text.ts';

/** @param own what follows `ESC [` in the control sequences that stay; every other one goes */
function withOnly(own: string): (text: string) => string {
  const controls = new RegExp(`(\\u001b\\[(?:${own}))|[^\\P{Cc}\\n\\r\\t]|[${HIDDEN_MARKS}]`, 'gu');
  return (text) => text.replace(controls, (_, kept: string | undefined) => kept ?? '');
}

/** Our own text, which may contain foreign text: colours, cursor up and erasing to the end stay. */
export const withOwnCodesOnly = withOnly('\\d*[mAJK]');

/** The same for a drawn screen: it may also move, hide and show the cursor, mark pastes and report focus. */
export const drawnOutput = withOnly('\\d*[mABCDEFGJK]|\\?(?:7|1004|2004|2026)[hl]');

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const ZERO_WIDTH = /\p{M}|\u200c|\u200d/u;

function cellsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (ZERO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

export function widthOf(text: string): number {
  let cells = 0;
  for (const character of text) cells += cellsOf(character);
  return cells;
}

/** At most `width` cells; `mark` replaces the rest. */
export function cut(text: string, width: number, mark = '…'): string {
  if (text.length <= width && widthOf(text) <= width) return text;
  const room = width - widthOf(mark);
  if (room <= 0) return '';
  let cells = 0;
  let kept = '';
  for (const character of text) {
    cells += cellsOf(character);
    if (cells > room) break;
    kept += character;
  }
  return kept + mark;
}
