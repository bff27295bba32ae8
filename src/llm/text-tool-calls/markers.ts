// Calls behind the special tokens of one model family each, as they look when a server lets them through.
import { type Candidate, type Family, isRecord, MOST_CANDIDATES } from './candidate.ts';
import { callsInJson } from './json-calls.ts';
import { pieceAt, piecesAfter } from './pieces.ts';
import { readJson } from './read-json.ts';

/** A token, then JSON with the name in it. */
const BEFORE_JSON: readonly [form: string, token: RegExp][] = [
  ['mistral', /\[TOOL_CALLS\]\s{0,20}(?=[[{])/g],
  ['lm studio', /\[TOOL_REQUEST\]/g],
  ['cohere', /<\|START_ACTION\|>/g],
  ['llama', /<\|python_tag\|>\s{0,20}(?=\{)/g],
  ['internlm', /<\|action_start\|>\s{0,20}<\|plugin\|>/g],
];

/** A name between tokens, then its arguments as JSON. */
const NAME_THEN_JSON: readonly [form: string, head: RegExp][] = [
  [
    'mistral',
    /\[TOOL_CALLS\]\s{0,20}([\w.-]{1,80})\s{0,20}(?:\[CALL_ID\][\w-]{1,40}\s{0,20})?(?:\[ARGS\]\s{0,20})?(?=\{)/g,
  ],
  [
    'kimi',
    /<\|tool_call_begin\|>\s{0,20}([\w.:-]{1,80})\s{0,20}<\|tool_call_argument_begin\|>\s{0,20}(?=\{)/g,
  ],
  [
    'deepseek',
    /<[｜|]tool[▁_]call[▁_]begin[｜|]>(?:function<[｜|]tool[▁_]sep[｜|]>)?\s{0,20}([\w.-]{1,80})\s{0,20}(?:<[｜|]tool[▁_]sep[｜|]>)?\s{0,20}(?:```json)?\s{0,20}(?=\{)/g,
  ],
  [
    'harmony',
    /\bto=([\w.:-]{1,80})\s{0,4}(?:<\|channel\|>\w{1,20}\s{0,4})?(?:<\|constrain\|>)?(?:json)?\s{0,4}<\|message\|>\s{0,20}(?=\{)/g,
  ],
  [
    'react',
    /^[ \t]{0,8}Action:[ \t]{0,8}([\w.:-]{1,80})[ \t]{0,8}\r?\n[ \t]{0,8}Action Input:[ \t]{0,8}(?=\{)/gm,
  ],
];

export const markerCalls: Family = (text) => [
  ...NAME_THEN_JSON.flatMap(([form, head]) => namedBefore(text, head, form)),
  ...BEFORE_JSON.flatMap(([form, token]) =>
    piecesAfter(text, token).flatMap((piece) => callsInJson(piece, { form, isMarked: true })),
  ),
];

/** A token inside the arguments of an earlier call is part of their strings. */
function namedBefore(text: string, head: RegExp, form: string): readonly Candidate[] {
  const found: Candidate[] = [];
  let consumed = 0;
  for (const match of text.matchAll(head)) {
    if (match.index < consumed) continue;
    if (found.length >= MOST_CANDIDATES) break;
    const piece = pieceAt(text, match.index + match[0].length);
    consumed = piece.end;
    const read = piece.isCut ? null : readJson(piece.text);
    found.push({
      ...{ name: match[1] ?? '', form, at: match.index, end: piece.end, weight: 'marked' },
      args: read !== null && isRecord(read.value) ? read.value : null,
      repaired: read?.repaired ?? true,
    });
  }
  return found;
}
