// Calls behind the special tokens of one model family each, as they look when a server lets them through.
import { type Candidate, type Family, isRecord } from './candidate.ts';
import { callsInJson } from './json-calls.ts';
import { pieceAt, piecesAfter } from './pieces.ts';
import { readJson } from './read-json.ts';

/** A token, then JSON with the name in it. */
const BEFORE_JSON: readonly [form: string, token: RegExp][] = [
  ['mistral', /\[TOOL_CALLS\]\s*(?=[[{])/g],
  ['lm studio', /\[TOOL_REQUEST\]/g],
  ['cohere', /<\|START_ACTION\|>/g],
  ['llama', /<\|python_tag\|>(?=\s*\{)/g],
];

/** A name between tokens, then its arguments as JSON. */
const NAME_THEN_JSON: readonly [form: string, head: RegExp][] = [
  ['mistral', /\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[CALL_ID\][\w-]+\s*)?\[ARGS\]\s*(?=\{)/g],
  ['kimi', /<\|tool_call_begin\|>\s*([\w.:-]+)\s*<\|tool_call_argument_begin\|>\s*(?=\{)/g],
  [
    'deepseek',
    /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?\s*([\w.-]+)\s*(?:<｜tool▁sep｜>)?\s*(?:```json)?\s*(?=\{)/g,
  ],
];

export const markerCalls: Family = (text) => [
  ...NAME_THEN_JSON.flatMap(([form, head]) =>
    [...text.matchAll(head)].flatMap((match) => namedCall(text, match, form)),
  ),
  ...BEFORE_JSON.flatMap(([form, token]) =>
    piecesAfter(text, token).flatMap((piece) => callsInJson(piece.text, form, piece.at)),
  ),
];

function namedCall(text: string, match: RegExpExecArray, form: string): Candidate[] {
  const read = readJson(pieceAt(text, match.index + match[0].length).text);
  if (read === null || !isRecord(read.value)) return [];
  return [
    { name: match[1] ?? '', args: read.value, at: match.index, form, repaired: read.repaired },
  ];
}
