/**
 * Pure: finds tool calls that a model wrote as text.
 *
 * 1. Only text that `judge` accepts is a call: a declared name, and arguments that fit its schema.
 * 2. Thinking is never searched; an answer that was cut off contains no call.
 * 3. All or nothing: if one call of a reply cannot be carried out as it stands, none is, and the model is told why.
 *    Calls that may be examples count only for read-only tools; none is guessed.
 * 4. Linear in the length of any text, with a limited number of calls.
 */
import type { ToolCall } from '../../schema/model/messages.ts';
import { BOUNDS } from '../wire/bounds.ts';
import type { CallCandidate, Family } from './candidate.ts';
import { functionTagCalls } from './function-tag.ts';
import { bareJsonCalls, callsInJson } from './json-calls.ts';
import { type Judge, type JudgedCandidate, type Judgement, judgeCandidate } from './judge.ts';
import { type JsonPiece, piecesAfter } from './pieces.ts';
import { type CallStanding, callStandingOf, inventedFrom, placeholderIn } from './standing.ts';
import { CUT, withoutThinking } from './thinking.ts';
import { unreadCall } from './unread-call.ts';

const NAMES =
  'tool_call|tool_calls|toolcall|function_call|function_calls|functioncall|tools|tool|action|tools_prefix';

/** The closing tag is optional: some models leave it out, some repeat the opening one. */
const TAG = new RegExp(`<\\|?(?:${NAMES})\\|?>\\s{0,40}(?=[{[])`, 'gi');
const CLOSING = new RegExp(`</?\\|?/?(?:${NAMES})\\|?>`, 'i');

const taggedCalls: Family = (text) =>
  piecesAfter(text, TAG).flatMap((piece) => callsInJson(withoutTag(piece), true));

/** JSON that lacks its last braces has run past its closing tag. */
function withoutTag(piece: JsonPiece): JsonPiece {
  if (!piece.isIncomplete || piece.isCut) return piece;
  const closing = CLOSING.exec(piece.text);
  return closing ? { ...piece, text: piece.text.slice(0, closing.index) } : piece;
}

const FENCE = /```[ \t]{0,4}([A-Za-z][\w+-]{0,20})?[ \t]{0,4}\r?\n?[ \t\r\n]{0,40}(?=[{[])/g;
/** Fences of other languages contain code that is shown, not called. */
const FOR_CALLS =
  /^```[ \t]*(?:json5?|jsonc|tool_calls?|tool|function_call|xml|plaintext|text)?\s/i;

const fencedCalls: Family = (text) =>
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

export type TextReading =
  | { readonly kind: 'calls'; readonly calls: readonly ToolCall[] }
  /** There is a call, and it was not accepted: `error` is for the model. */
  | { readonly kind: 'shown_back'; readonly error: string }
  | { readonly kind: 'text' };

export interface RecoverOptions {
  judge(name: string, args: Record<string, unknown>): Judgement;
  /** Makes ids that no other call of the conversation has: `PREFIX_1`, `PREFIX_2`, … */
  readonly idPrefix: string;
  /** The answer ended because its room was used up, so its rest is unknown. */
  readonly cutOff: boolean;
}

/** If two formats begin at one place, the first of these wins. */
const FAMILIES: readonly Family[] = [functionTagCalls, taggedCalls, fencedCalls, bareJsonCalls];

const TEXT: TextReading = { kind: 'text' };

export function readTextCalls(text: string, options: RecoverOptions): TextReading {
  if (options.cutOff) return TEXT;
  const everything = (part: string) => FAMILIES.flatMap((family) => family(part));
  const thought = withoutThinking(text, everything);
  const { calls: judged, end } = callsOfOneFamily(thought, options);
  const visible = thought.slice(0, end);
  if (judged.length === 0) {
    const usage = unreadCall(visible, options.judge);
    return usage === null ? TEXT : { kind: 'shown_back', error: unreadable(usage) };
  }
  const meant = judged
    .map((call, index) => ({
      ...call,
      standing: callStandingOf(
        visible,
        call.candidate,
        judged[index - 1]?.candidate.end ?? 0,
        judged[index + 1]?.candidate.at ?? null,
      ),
    }))
    .filter((call) => call.standing !== 'shown');
  if (meant.length === 0) return TEXT;
  if (meant.length > BOUNDS.calls) return { kind: 'shown_back', error: tooMany(BOUNDS.calls) };
  const problem = meant.map((call) => problemOf(call, visible)).find((one) => one !== null);
  if (problem !== undefined && problem !== null) return { kind: 'shown_back', error: problem };
  const calls = meant.filter((call, index) => !isSame(call, meant[index - 1]));
  return {
    kind: 'calls',
    calls: calls.map(({ name, args }, index) => ({
      id: `${options.idPrefix}_${index + 1}`,
      name,
      args,
    })),
  };
}

/**
 * The calls in the order of the text, up to the first invented result, and the place of that. The format whose first
 * call begins first is used for the whole text: what the others find lies inside its arguments.
 */
function callsOfOneFamily(
  visible: string,
  { judge }: RecoverOptions,
): { readonly calls: readonly JudgedCandidate[]; readonly end: number } {
  let first = visible.length;
  let calls: readonly JudgedCandidate[] = [];
  for (const family of FAMILIES) {
    const found = firstJudged(family(visible), judge).sort(
      (a, b) => a.candidate.at - b.candidate.at,
    );
    const at = found[0]?.candidate.at ?? visible.length;
    if (at < first) [first, calls] = [at, found];
  }
  const end = inventedFrom(
    visible,
    calls.map((call) => call.candidate),
  );
  return { calls: calls.filter((call) => call.candidate.at < end), end };
}

/** One more than the limit, so that an excess is seen; calls are judged one by one, since judging is expensive. */
function firstJudged(found: readonly CallCandidate[], judge: Judge): JudgedCandidate[] {
  const judged: JudgedCandidate[] = [];
  for (const candidate of found) {
    if (judged.length > BOUNDS.calls) break;
    const one = judgeCandidate(candidate, judge);
    if (one !== null) judged.push(one);
  }
  return judged;
}

/** Why a call is not carried out, for the model; `null` if it is. */
function problemOf(
  {
    candidate,
    name,
    args,
    judgement,
    standing,
  }: JudgedCandidate & { readonly standing: CallStanding },
  visible: string,
): string | null {
  const { fault, usage, isReadOnly } = judgement;
  if (judgement.tool === null && fault !== null) return faulty(fault);
  const acrossThinking = visible.slice(candidate.at, candidate.end).includes(CUT);
  const isNameless = judgement.tool === null;
  if (candidate.args === null || acrossThinking || isNameless) return unreadable(usage);
  if (fault !== null) return faulty(fault);
  const placeholder = placeholderIn(args);
  if (placeholder !== null) return unfilled(name, placeholder);
  return standing === 'unclear' && !isReadOnly ? unclear(name, args) : null;
}

/** Small models repeat a call; repeating it is not requesting it twice. */
const isSame = (one: JudgedCandidate, other: JudgedCandidate | undefined): boolean =>
  other !== undefined &&
  one.name === other.name &&
  JSON.stringify(one.args) === JSON.stringify(other.args);

// Tells the model about a call in its text that was not carried out, and how to send it correctly.

const SHOWN = 300;

const asJson = (name: string, args: Record<string, unknown>): string => {
  const json = JSON.stringify({ name, arguments: args });
  return json.length <= SHOWN ? json : `${json.slice(0, SHOWN)}…`;
};

const ALONE = 'If you mean it, answer with the call alone, as valid JSON';

/** @param usage the tool and its arguments, '' if no tool is known */
const unreadable = (usage: string): string =>
  `A call${usage === '' ? '' : ` of ${usage}`} was begun in your answer but could not be read to its end: it was not carried out. ` +
  'Answer with the call alone, as valid JSON: {"name": TOOL, "arguments": {…}}';

const faulty = (fault: string): string => `The call was not carried out. ${fault}`;

const unclear = (name: string, args: Record<string, unknown>): string =>
  `It is not clear whether the call of ${name} in your answer was meant or only shown, so it was not carried out. ` +
  `${ALONE}: ${asJson(name, args)}`;

const unfilled = (name: string, value: string): string =>
  `The call of ${name} was not carried out: ${JSON.stringify(value)} in it is only a placeholder. Call it with the real value.`;

const tooMany = (most: number): string =>
  `There are more than ${most} calls in your answer: none of them was carried out. Answer with the next few.`;
