/** Applies the hunks of one file where they fit: all of them completely, or none. */
import type { Interruptible } from '../../lib/interruptible.ts';
import { isMostlyWindows } from '../files/replace-text.ts';
import type { PatchHunk } from './file-patch.ts';

export type Fitted =
  | { readonly kind: 'fits'; readonly text: string }
  | {
      readonly kind: 'misfit';
      /** From 1. */
      readonly hunk: number;
      /** The text that the hunk expects. */
      readonly wanted: string;
      readonly isAmbiguous: boolean;
    };

/** Lines are compared without a Windows line ending. */
const plain = (line: string): string => line.replace(/\r$/, '');

/** Works in pieces, one for each hunk. */
export function* fittingHunks(text: string, hunks: readonly PatchHunk[]): Interruptible<Fitted> {
  const source = sourceOf(text, hunks.at(-1));
  const lines = source.map(plain);
  const ending = isMostlyWindows(text) ? '\r' : '';
  const made: string[] = [];
  let from = 0;
  let shift = 0;
  for (const [index, hunk] of hunks.entries()) {
    yield;
    const said = hunk.at === null ? null : numberedPlace(hunk, hunk.at);
    const place =
      said === null ? placeOf(hunk, lines, from) : nearestPlace(hunk, lines, from, said + shift);
    if (place === 'none' || place === 'many') return misfit(index, hunk, place === 'many');
    for (; from < place.at; from += 1) made.push(source[from] ?? '');
    for (const line of hunk.lines) {
      if (line.startsWith(' ')) made.push(source[from] ?? '');
      if (line.startsWith('+')) made.push(plain(line.slice(1)) + ending);
      if (/^[ -]/.test(line)) from += 1;
    }
    if (said !== null) shift = place.at - said;
  }
  yield;
  for (; from < source.length; from += 1) made.push(source[from] ?? '');
  const whole = made.join('\n');
  return { kind: 'fits', text: text.endsWith('\r') ? whole : whole.replace(/\r$/, '') };
}

/** A `\` line after a `+` or `-` line says that no line end follows that one, now or before. */
function sourceOf(text: string, { lines }: PatchHunk = NO_HUNK): readonly string[] {
  const isMarked = (sign: string): boolean =>
    lines.some((line, at) => line.startsWith('\\') && lines[at - 1]?.startsWith(sign));
  const source = text.split('\n');
  const isEnded = source.at(-1) === '';
  if (isMarked('+') === isMarked('-')) return source;
  if (isMarked('+')) return isEnded ? source.slice(0, -1) : source;
  return isEnded ? source : [...source, ''];
}

const NO_HUNK: PatchHunk = { at: null, under: '', lines: [] };

/** From 0. A hunk without old lines names the line after which it inserts, as `diff -u` writes it. */
const numberedPlace = (hunk: PatchHunk, said: number): number => {
  const at = Math.min(said, Number.MAX_SAFE_INTEGER);
  return oldLines(hunk).length === 0 ? at : Math.max(0, at - 1);
};

/** Where a hunk with a number fits: closest to that number, and of two such places the later one. */
function nearestPlace(
  hunk: PatchHunk,
  lines: readonly string[],
  from: number,
  near: number,
): { readonly at: number } | 'none' {
  const wanted = oldLines(hunk).map(plain);
  if (wanted.length === 0) return { at: Math.max(from, Math.min(near, endOf(lines))) };
  if (near >= from && wanted.every((line, offset) => lines[near + offset] === line))
    return { at: near };
  const isPast = (at: number): boolean => at >= near;
  const [last, before = last] = startsIn(lines, wanted, from, isPast).slice(-2).reverse();
  if (last === undefined || before === undefined) return 'none';
  return { at: Math.abs(near - before) < Math.abs(last - near) ? before : last };
}

const misfit = (index: number, hunk: PatchHunk, isAmbiguous: boolean): Fitted => ({
  kind: 'misfit',
  hunk: index + 1,
  wanted: oldLines(hunk).join('\n'),
  isAmbiguous,
});

const oldLines = ({ lines }: PatchHunk): readonly string[] =>
  lines.filter((line) => /^[ -]/.test(line)).map((line) => line.slice(1));

/**
 * The text of a new file; otherwise the first line that cannot belong to one, counted from 1. An empty line
 * needs no `+`.
 */
export function newText(
  hunks: readonly PatchHunk[],
): string | { readonly line: number; readonly text: string } {
  const all = hunks.flatMap((hunk) => hunk.lines);
  const hasNoEnd = all.at(-1)?.startsWith('\\') === true;
  const lines = hasNoEnd ? all.slice(0, -1) : all;
  const wrong = lines.findIndex((line) => !line.startsWith('+') && line !== ' ');
  if (wrong >= 0) return { line: wrong + 1, text: lines[wrong] ?? '' };
  return lines.length === 0
    ? ''
    : lines.map((line) => line.slice(1)).join('\n') + (hasNoEnd ? '' : '\n');
}

/** Where a hunk without a number begins, from 0: below the line that it names, otherwise at its only match. */
function placeOf(
  hunk: PatchHunk,
  lines: readonly string[],
  from: number,
): { readonly at: number } | 'none' | 'many' {
  const wanted = oldLines(hunk).map(plain);
  const anchor = hunk.under === '' ? -1 : anchorOf(hunk.under, lines, from);
  const start = anchor < 0 ? from : anchor;
  if (wanted.length === 0) return { at: anchor < 0 ? endOf(lines) : anchor + 1 };
  const found = startsIn(lines, wanted, start, isSecond);
  if (found.length > 1 && anchor < 0) return 'many';
  const [first] = found;
  return first === undefined ? 'none' : { at: first };
}

/** The index after the last line. A text with a final line end has an empty last piece, which is no line. */
const endOf = (lines: readonly string[]): number =>
  lines.at(-1) === '' ? lines.length - 1 : lines.length;

function anchorOf(under: string, lines: readonly string[], from: number): number {
  const isIt = (line: string): boolean => line.trim() === under.trim();
  const at = lines.findIndex((line, index) => index >= from && isIt(line));
  return at >= 0 ? at : lines.findIndex((line, index) => index >= from && line.includes(under));
}

/** True if the old lines of every hunk occur exactly once. */
export function eachStandsOnce(text: string, hunks: readonly PatchHunk[]): boolean {
  const lines = text.split('\n').map(plain);
  return hunks.every((hunk) => {
    const wanted = oldLines(hunk).map(plain);
    return wanted.length > 0 && startsIn(lines, wanted, 0, isSecond).length === 1;
  });
}

const isSecond = (_at: number, count: number): boolean => count === 2;

/**
 * The places of the wanted lines, up to the last one that matters. Each line is looked at once (Knuth, Morris
 * and Pratt), because many lines may be equal.
 */
function startsIn(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  isLast: (at: number, count: number) => boolean,
): readonly number[] {
  const found: number[] = [];
  const back = bordersOf(wanted);
  let matched = 0;
  for (let at = from; at < lines.length; at += 1) {
    while (matched > 0 && lines[at] !== wanted[matched]) matched = back[matched - 1] ?? 0;
    if (lines[at] === wanted[matched]) matched += 1;
    if (matched < wanted.length) continue;
    found.push(at + 1 - matched);
    if (isLast(at + 1 - matched, found.length)) break;
    matched = back[matched - 1] ?? 0;
  }
  return found;
}

/** For each index, how many lines that end there equal the first lines (Knuth, Morris and Pratt). */
function bordersOf(wanted: readonly string[]): readonly number[] {
  const borders = [0];
  let matched = 0;
  for (const line of wanted.slice(1)) {
    while (matched > 0 && line !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (line === wanted[matched]) matched += 1;
    borders.push(matched);
  }
  return borders;
}
