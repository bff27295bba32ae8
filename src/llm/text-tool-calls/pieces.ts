// Pure: finds where JSON begins and ends inside a text; brackets inside its strings do not count.
import { MAX_CANDIDATES } from './candidate.ts';

export interface JsonPiece {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** The piece lacks its last braces and reaches to the end of the text. */
  readonly isIncomplete: boolean;
  /** The piece breaks off inside a string: the rest is unknown. */
  readonly isCut: boolean;
}

/** The number of unclosed brackets behind which the search continues, for prose with a stray one. */
const MAX_UNBALANCED = 8;

/**
 * The balanced objects or lists of a text, only outermost ones, without those in fences, which are code that is merely
 * shown.
 */
export function barePieces(text: string): readonly JsonPiece[] {
  const pieces: JsonPiece[] = [];
  let unbalanced = 0;
  let position = 0;
  for (;;) {
    const opening = /[{[]|```/g;
    opening.lastIndex = position;
    const next = opening.exec(text);
    const isEnough = pieces.length >= MAX_CANDIDATES || unbalanced > MAX_UNBALANCED;
    if (!next || isEnough) return pieces;
    const start = next.index;
    if (next[0] === '```') {
      const close = text.indexOf('```', start + 3);
      position = close < 0 ? text.length : close + 3;
      continue;
    }
    const piece = pieceAt(text, start);
    pieces.push(piece);
    if (piece.isIncomplete) unbalanced += 1;
    position = piece.isIncomplete ? start + 1 : piece.end;
  }
}

/**
 * The pieces that follow each match of `opener`, one after the other, separated only by white space and commas. A match
 * inside an earlier piece is part of its strings. `at` is where the opener begins.
 */
export function piecesAfter(text: string, opener: RegExp): readonly JsonPiece[] {
  const pieces: JsonPiece[] = [];
  let consumed = 0;
  for (const match of text.matchAll(opener)) {
    if (match.index < consumed) continue;
    if (pieces.length >= MAX_CANDIDATES) break;
    let position = match.index + match[0].length;
    while (pieces.length < MAX_CANDIDATES) {
      const followed = /[\s,]*(?=[{[])/y;
      followed.lastIndex = position;
      const gap = followed.exec(text);
      if (!gap) break;
      const piece = pieceAt(text, position + gap[0].length);
      const isFirst = position === match.index + match[0].length;
      pieces.push({ ...piece, at: isFirst ? match.index : piece.at });
      position = piece.end;
    }
    consumed = position;
  }
  return pieces;
}

/** The piece whose first bracket is at `start`. */
export function pieceAt(text: string, start: number): JsonPiece {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) {
        const end = index + 1;
        return { text: text.slice(start, end), at: start, end, isIncomplete: false, isCut: false };
      }
    }
  }
  const end = text.length;
  return { text: text.slice(start), at: start, end, isIncomplete: true, isCut: inString };
}
