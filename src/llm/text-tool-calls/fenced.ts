// Calls as JSON inside a Markdown fence: ```json {"name": …} ```.
import type { Family } from './candidate.ts';
import { callsInJson } from './json-calls.ts';
import { piecesAfter } from './pieces.ts';

/** Fences of programming languages hold code that is shown, not called. */
const FENCE =
  /```[ \t]*(?:json5?|jsonc|tool_call|tool|xml|plaintext|text)?[ \t]*\r?\n?\s*(?=[{[])/gi;

export const fencedCalls: Family = (text) =>
  piecesAfter(text, FENCE).flatMap((piece) =>
    callsInJson(withoutFence(piece.text), 'fenced json', piece.at),
  );

/** A piece that lacks its last braces has run over the end of its fence. */
const withoutFence = (text: string): string => text.replace(/\s*```\s*$/, '');
