// What of a text that was cut off stood whole before the cut; pure.
import type { Candidate } from './candidate.ts';

/** What may stand directly before a call, and between two of them. */
const OPENING = /(?:```\w{0,10}|<[^<>\n]{1,40}>|\[[A-Z_/]{1,30}\])$/;
const BETWEEN = /^(?:[\s,]|```\w{0,10}|<[^<>\n]{1,40}>|\[[A-Z_/]{1,30}\])*$/;
/** Where something begins that is not text: in an argument of it calls may stand as content. */
const NO_TEXT = /[{<[`]/;
const CLOSING = /^(?:\s{0,20}(?:<\/?[^<>\n]{1,40}>|```))?/;
const GOES_ON = /^[\s,]*[{<[`]/;

/**
 * Where the calls end that come one after the other from the first on, each whole and followed by the
 * beginning of another one; 0 where there is none. Calls inside the arguments of one that was cut are
 * content: so nothing but text may stand before the first, and nothing but marks between two.
 */
export function endBeforeCut(text: string, calls: readonly Candidate[]): number {
  let end = 0;
  for (const [index, call] of calls.entries()) {
    const before = text.slice(end, call.at).trimEnd();
    const isPlain = index === 0 ? !NO_TEXT.test(before.replace(OPENING, '')) : BETWEEN.test(before);
    const after = text.slice(call.end);
    const isWhole = call.args !== null && !call.repaired && GOES_ON.test(after);
    if (!isPlain || !isWhole) return end;
    const closing = call.end + (CLOSING.exec(after)?.[0].length ?? 0);
    // A closing mark alone is no other call.
    if (text.slice(closing).trim() === '') return end;
    end = closing;
  }
  return end;
}
