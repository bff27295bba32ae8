// Pure: detects a call in a format that is not read here: the tokens of one model family, or code.
import { MAX_CANDIDATES } from './candidate.ts';
import type { Judge } from './judge.ts';

/** What precedes such a call, unless it begins the reply: a token, a tag or a fence. */
const OPENING = /\bto=|<[^<>\s]{1,40}>|\[[A-Z_]{3,30}\]|```\w{0,20}\n/g;
/** Names and separators up to the arguments: `call:NAME{`, `[NAME(`, `functions.NAME:0<`. */
const HEAD = /[\s[(]{0,20}([\w.:(-]{1,100})\s{0,20}(?=([{([<=])?)/y;
const MAX_NAMES = 4;
/** The name as an attribute: `<invoke name="NAME">`. */
const NAMED_TAG = /<[\w｜]{1,20}\s{1,4}name="([\w.:-]{1,100})"/g;

/**
 * The tool, as its owner describes it, whose call was begun; `null`: none. Its arguments are not guessed: the model is
 * asked to repeat the call in a format that is read.
 */
export function unreadCall(text: string, judge: Judge): string | null {
  for (const [, name = ''] of [...text.matchAll(NAMED_TAG)].slice(0, MAX_CANDIDATES)) {
    const { tool, usage } = judge(name, {});
    if (tool !== null) return usage;
  }
  for (const opening of openingsIn(text)) {
    HEAD.lastIndex = opening;
    const [, head = '', bracket] = HEAD.exec(text) ?? [];
    if (bracket === undefined || (bracket === '=' && !head.includes('('))) continue;
    for (const name of head
      .split(/[^\w-]+/)
      .filter(Boolean)
      .slice(0, MAX_NAMES)) {
      const { tool, usage } = judge(name, {});
      if (tool !== null) return usage;
    }
  }
  return null;
}

function openingsIn(text: string): readonly number[] {
  const openings = [0];
  for (const { index, 0: mark } of text.matchAll(OPENING)) {
    if (openings.length >= MAX_CANDIDATES) break;
    openings.push(index + mark.length);
  }
  return openings;
}
