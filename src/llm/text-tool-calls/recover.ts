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
import { faulty, tooMany, unclear, unfilled, unreadable } from './answers.ts';
import type { Candidate, Family } from './candidate.ts';
import { fencedCalls } from './fenced.ts';
import { functionTagCalls } from './function-tag.ts';
import { bareJsonCalls } from './json-calls.ts';
import { type Judge, type Judged, type Judgement, judgeCandidate } from './judge.ts';
import { inventedFrom, placeholderIn, type Standing, standingOf } from './standing.ts';
import { taggedCalls } from './tagged.ts';
import { CUT, withoutThinking } from './thinking.ts';
import { unreadCall } from './unread-call.ts';

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
      standing: standingOf(
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
      ...{ id: `${options.idPrefix}_${index + 1}`, name, args },
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
): { readonly calls: readonly Judged[]; readonly end: number } {
  let first = visible.length;
  let calls: readonly Judged[] = [];
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
function firstJudged(found: readonly Candidate[], judge: Judge): Judged[] {
  const judged: Judged[] = [];
  for (const candidate of found) {
    if (judged.length > BOUNDS.calls) break;
    const one = judgeCandidate(candidate, judge);
    if (one !== null) judged.push(one);
  }
  return judged;
}

/** Why a call is not carried out, for the model; `null` if it is. */
function problemOf(
  { candidate, name, args, judgement, standing }: Judged & { readonly standing: Standing },
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
const isSame = (one: Judged, other: Judged | undefined): boolean =>
  other !== undefined &&
  one.name === other.name &&
  JSON.stringify(one.args) === JSON.stringify(other.args);
