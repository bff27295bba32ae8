/**
 * Reads the model's brief and decides which parts count. Pure.
 * 1. An entry counts only if a passage of the goal supports it and contains its values. Keeping a file is
 *    never wrong, so a single sentence within a line supports that, too.
 * 2. An example is literal if the passage contains input and result unchanged, the result after the input.
 * 3. Two examples that contradict each other are both set aside.
 * Other entries are dropped silently, because nothing depends on them.
 */
import { isDeepStrictEqual } from 'node:util';
import { readLiteral } from '../../lib/text/literal.ts';
import { stands } from '../../probe/names-file.ts';
import type { Brief, BriefExample, BriefFile } from '../../schema/model/brief.ts';
import { exampleInput, inputPlaces, isStatedWhole, literalBehind } from './literal-example.ts';
import {
  MAX_LOOKED_AT,
  numberedPassage,
  occurrencesOf,
  quotedPassage,
  quotedSentences,
} from './passage.ts';
import type { QuotedRange } from './quotation-marks.ts';
import type { GoalPlace, StatedBrief, StatedExample, StatedFile } from './stated-brief.ts';

/** @param parts of the goal as shown to the model; none if the model quotes */
export function readBrief(said: StatedBrief, goal: string, parts: readonly string[] = []): Brief {
  const spanOf = (passage: GoalPlace): QuotedRange | null =>
    'quote' in passage
      ? quotedPassage(goal, passage.quote)
      : numberedPassage(goal, parts, passage.part);
  const tests = said.tests && spanOf(said.tests);
  const sentenceOf = (passage: GoalPlace): QuotedRange | null =>
    spanOf(passage) ?? ('quote' in passage ? quotedSentences(goal, passage.quote) : null);
  const files = (all: readonly StatedFile[], find: typeof spanOf): BriefFile[] =>
    all.flatMap((one) => fileIn(one, goal, find(one.passage)));
  return {
    ...(said.kind === undefined ? {} : { kind: said.kind }),
    examples: withoutContradictions(
      said.examples.flatMap((one) => exampleIn(one, goal, spanOf(one.passage))),
    ),
    keep: files(said.keep, sentenceOf),
    removes: files(said.removes, spanOf),
    ...(tests ? { tests: { quote: goal.slice(tests.start, tests.end) } } : {}),
  };
}

function fileIn({ path }: StatedFile, goal: string, span: QuotedRange | null): BriefFile[] {
  if (!span) return [];
  const quote = goal.slice(span.start, span.end);
  const name = path.trim().replaceAll('\\', '/');
  return name !== '' && stands(quote.replaceAll('\\', '/'), name) ? [{ path: name, quote }] : [];
}

function exampleIn(said: StatedExample, goal: string, span: QuotedRange | null): BriefExample[] {
  const input = exampleInput(said);
  if (!input || !span) return [];
  const quote = goal.slice(span.start, span.end);
  const places = inputPlaces(goal, span, input).slice(0, MAX_LOOKED_AT);
  if (places.length === 0) return [];
  const { gives } = said;
  if (gives === undefined) return [{ quote, input }];
  if (input.how === 'call') {
    const found = places.map(({ end }) => literalBehind(goal, end, span, gives)).find(Boolean);
    if (found) return [{ quote, input, gives: found.value, literal: true }];
  } else if (places.some(({ end }) => isStatedWhole(goal, end, span, gives)))
    return [{ quote, input, gives, literal: true }];
  const isHeld = occurrencesOf(goal, gives, span).length > 0;
  return isHeld ? [{ quote, input, gives: input.how === 'call' ? literalOr(gives) : gives }] : [];
}

function literalOr(said: string): unknown {
  const read = readLiteral(said.trim(), 0);
  return read?.end === said.trim().length ? read.value : said;
}

function withoutContradictions(examples: readonly BriefExample[]): BriefExample[] {
  const contradicts = (one: BriefExample, other: BriefExample): boolean =>
    isDeepStrictEqual(one.input, other.input) && !isDeepStrictEqual(one.gives, other.gives);
  const isSame = (one: BriefExample, other: BriefExample): boolean =>
    isDeepStrictEqual(one.input, other.input);
  return examples.filter(
    (one, at) =>
      !examples.some((other) => contradicts(one, other)) &&
      examples.findIndex((other) => isSame(one, other)) === at,
  );
}
