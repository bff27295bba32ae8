// Calls as JSON between tags: Hermes and Qwen's <tool_call>{…}</tool_call> and similar ones.
import type { Family } from './candidate.ts';
import { callsInJson } from './json-calls.ts';
import { type Piece, piecesAfter } from './pieces.ts';

const NAMES =
  'tool_call|tool_calls|toolcall|function_call|function_calls|functioncall|tools|tool|action|tools_prefix';

/** The closing tag is optional: some models leave it out, some repeat the opening one. */
const TAG = new RegExp(`<\\|?(?:${NAMES})\\|?>\\s{0,40}(?=[{[])`, 'gi');
const CLOSING = new RegExp(`</?\\|?/?(?:${NAMES})\\|?>`, 'i');

export const taggedCalls: Family = (text) =>
  piecesAfter(text, TAG).flatMap((piece) => callsInJson(withoutTag(piece), true));

/** JSON that lacks its last braces has run past its closing tag. */
function withoutTag(piece: Piece): Piece {
  if (!piece.isIncomplete || piece.isCut) return piece;
  const closing = CLOSING.exec(piece.text);
  return closing ? { ...piece, text: piece.text.slice(0, closing.index) } : piece;
}
