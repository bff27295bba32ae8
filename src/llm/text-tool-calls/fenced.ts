// Calls as JSON inside a Markdown fence: ```json {"name": …} ```.
import type { Family } from './candidate.ts';
import { callsInJson } from './json-calls.ts';
import { piecesAfter } from './pieces.ts';

const FENCE = /```[ \t]{0,4}([A-Za-z][\w+-]{0,20})?[ \t]{0,4}\r?\n?[ \t\r\n]{0,40}(?=[{[])/g;
/** Fences of other languages contain code that is shown, not called. */
const FOR_CALLS =
  /^```[ \t]*(?:json5?|jsonc|tool_calls?|tool|function_call|xml|plaintext|text)?\s/i;

export const fencedCalls: Family = (text) =>
  piecesAfter(text, FENCE).flatMap((piece) =>
    callsInJson({ ...piece, text: withoutFence(piece.text) }).map((call) => ({
      ...call,
      isInCode: !isForCalls(text, piece.at),
    })),
  );

/** Also accepts a call that follows another in the same fence: its own text begins with a bracket. */
const isForCalls = (text: string, at: number): boolean => {
  const opening = text.slice(at, at + 40);
  return !opening.startsWith('```') || /^```[{[]/.test(opening) || FOR_CALLS.test(opening);
};

/** JSON that lacks its last braces has run past the end of its fence. */
const withoutFence = (text: string): string => {
  const trimmed = text.trimEnd();
  return trimmed.endsWith('```') ? trimmed.slice(0, -3) : text;
};
