/** Pure: makes foreign text safe and short enough for one terminal line. */

import { HIDDEN_MARKS } from '../../../lib/text/plain-text.ts';

export { inLine, oneLine, sanitize } from '../../../lib/text/plain-text.ts';

// Colours, cursor up, erase to the end: the only control sequences that we draw with here.
const OWN_OR_OTHER = new RegExp(
  `(\\u001b\\[\\d*[mAJK])|[^\\P{Cc}\\n\\r\\t]|[${HIDDEN_MARKS}]`,
  'gu',
);

/** Our own text, which may contain foreign text, with no control sequences but ours. */
export const plainOutput = (text: string): string =>
  text.replace(OWN_OR_OTHER, (_, own: string | undefined) => own ?? '');

/** The same for a drawn screen: it may also move, hide and show the cursor, mark pastes and report focus. */
export const drawnOutput = (text: string): string =>
  text.replace(DRAWN_OR_OTHER, (_, own: string | undefined) => own ?? '');

const DRAWN_OR_OTHER = new RegExp(
  `(\\u001b\\[(?:\\d*[mABCDEFGJK]|\\?(?:7|1004|2004|2026)[hl]))|[^\\P{Cc}\\n\\r\\t]|[${HIDDEN_MARKS}]`,
  'gu',
);

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

/** `1,234`: the same in every locale. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 file`, `2 files`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** `12 ms`, `3.4 s`, then as `wholeSeconds`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  return wholeSeconds(ms);
}

/** `0 s`, `25 s`, `2 min 05 s`, `1 h 02 min`: for a clock that ticks. */
export function wholeSeconds(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
