/** Exact replacement that does not care how lines end. Pure. */

export type Replaced =
  | { readonly kind: 'replaced'; readonly text: string; readonly count: number }
  | { readonly kind: 'missing' }
  /** Line numbers where it was found, from 1. */
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[] };

/**
 * Replaces `oldText` in `text`. Both sides are compared with `\n` as line ending; what is put in
 * gets the ending of its place, and every byte outside of the match stays.
 */
export function replaceText(
  text: string,
  oldText: string,
  newText: string,
  replaceAll: boolean,
): Replaced {
  const flat = flatten(text);
  const wanted = oldText.replaceAll('\r\n', '\n');
  const starts = occurrences(flat.text, wanted);
  if (starts.length === 0) return { kind: 'missing' };
  if (starts.length > 1 && !replaceAll) {
    return { kind: 'ambiguous', lines: starts.map((start) => lineAt(flat.text, start)) };
  }
  const parts: string[] = [];
  let done = 0;
  for (const start of starts) {
    const from = flat.original(start);
    const to = flat.original(start + wanted.length);
    parts.push(text.slice(done, from), withEnding(newText, endingAt(text, from, to)));
    done = to;
  }
  return { kind: 'replaced', text: parts.join('') + text.slice(done), count: starts.length };
}

interface Flat {
  readonly text: string;
  /** Position in the text as it was, of a position in the flat one. */
  original(position: number): number;
}

function flatten(text: string): Flat {
  if (!text.includes('\r\n')) return { text, original: (position) => position };
  const dropped: number[] = [];
  const flat = text.replace(/\r\n/g, (_, offset: number) => {
    dropped.push(offset - dropped.length);
    return '\n';
  });
  return {
    text: flat,
    original: (position) => position + countBelow(dropped, position),
  };
}

/** How many of the ascending numbers are smaller than `limit`. */
function countBelow(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function occurrences(text: string, wanted: string): readonly number[] {
  const starts: number[] = [];
  if (wanted === '') return starts;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    starts.push(at);
  }
  return starts;
}

const lineAt = (text: string, position: number): number =>
  text.slice(0, position).split('\n').length;

/** The ending of the first line inside the match, else of the one around it. */
function endingAt(text: string, from: number, to: number): '\r\n' | '\n' {
  const inside = text.slice(from, to).indexOf('\n');
  const after = text.indexOf('\n', to);
  const newline = inside >= 0 ? from + inside : after >= 0 ? after : text.lastIndexOf('\n', from);
  return newline > 0 && text[newline - 1] === '\r' ? '\r\n' : '\n';
}

const withEnding = (text: string, ending: '\r\n' | '\n'): string =>
  text.replaceAll('\r\n', '\n').replaceAll('\n', ending);
