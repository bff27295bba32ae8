/** Pure: arranges words in rows, whatever their style; a word that fits nowhere does not get a row of its own. */
import { cellsOf } from './cells.ts';
import type { Style, Tone } from './style.ts';

/** A piece of text with one style. */
export interface StyledText {
  readonly text: string;
  readonly tone: Tone;
}

/** Spans without blanks between them, with the blanks before them. */
export interface Word {
  readonly blanks: string;
  readonly spans: readonly StyledText[];
}

export const unstyled = (text: string): StyledText => ({ text, tone: 'plain' });

export const paintSpans = (spans: readonly StyledText[], { paint }: Style): string =>
  spans.map(({ text, tone }) => (text === '' ? '' : paint(tone, text))).join('');

export const widthOfSpans = (spans: readonly StyledText[]): number =>
  cellsOf(spans.map(({ text }) => text).join(''));

/** @param hang the prefix of further rows */
export function wrapWords(
  words: readonly Word[],
  width: number,
  hang: readonly StyledText[],
): readonly (readonly StyledText[])[] {
  const rows: StyledText[][] = [];
  let row: StyledText[] = [];
  let cells = 0;
  const indent = widthOfSpans(hang);
  for (const { blanks, spans } of words) {
    const length = widthOfSpans(spans);
    const longer = cells + cellsOf(blanks) + length;
    const isFirst = row.every(({ text }) => text.trim() === '');
    if (isFirst || longer <= width || indent + length > width) {
      row.push(unstyled(blanks), ...spans);
      cells = longer;
    } else {
      rows.push(row);
      row = [...hang, ...spans];
      cells = indent + length;
    }
  }
  return [...rows, row];
}

/** Splits spans into words; blanks inside code do not split it, since it may be meant for copying. */
export function wordsIn(spans: readonly StyledText[]): readonly Word[] {
  const words: { blanks: string; spans: StyledText[] }[] = [];
  let blanks = '';
  let isOpen = false;
  for (const { text, tone } of spans) {
    for (const part of tone === 'code' ? [text] : text.split(/(\s+)/)) {
      if (part === '') continue;
      if (part.trim() === '') {
        blanks += part;
        isOpen = false;
        continue;
      }
      if (isOpen) words.at(-1)?.spans.push({ text: part, tone });
      else words.push({ blanks, spans: [{ text: part, tone }] });
      blanks = '';
      isOpen = true;
    }
  }
  return words;
}
