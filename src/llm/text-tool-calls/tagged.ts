// Calls as JSON between tags: Hermes and Qwen's <tool_call>{…}</tool_call> and its relatives.
import type { Family } from './candidate.ts';
import { callsInJson } from './json-calls.ts';
import { piecesAfter } from './pieces.ts';

const NAMES = 'tool_call|tool_calls|function_call|function_calls|functioncall|tools|tool|action';

/** The closing tag is not asked for: some leave it out, some write the opening one again. */
const TAG = new RegExp(`<\\|?(?:${NAMES})\\|?>\\s*(?=[{[])`, 'gi');
const CLOSING = new RegExp(`\\s*</?\\|?(?:${NAMES})\\|?>[\\s\\S]*$`, 'i');

export const taggedCalls: Family = (text) =>
  piecesAfter(text, TAG).flatMap((piece) => callsInJson(withoutTag(piece.text), 'tag', piece.at));

/** A piece that lacks its last braces has run over its closing tag. */
const withoutTag = (text: string): string =>
  /[}\]]$/.test(text) ? text : text.replace(CLOSING, '');
