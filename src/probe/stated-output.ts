/**
 * Whether the goal itself says what a program prints. Pure, and strict on purpose: every line of the
 * output must stand in the goal as what is to be printed, since a heading that is right says nothing
 * of the figures below it.
 */

const VERB =
  '(?:prints?|printing|printed|says?|saying|outputs?|outputting|displays?|displaying|shows?|showing|writes? out|echo(?:es)?|greets? with|answers?|reads?|print(?:s|ed)? out)';
/** What may stand between the verb and the words themselves. */
const BETWEEN = String.raw`(?:\s+(?:exactly|just|only|simply|this|out|the (?:text|words?|line|lines|message|string|sentence)))*\s*:?\s*["'“‘«\x60]?\s*$`;
const INTRODUCED = new RegExp(`\\b${VERB}${BETWEEN}`, 'i');
const SAYS = new RegExp(`\\b${VERB}\\b`, 'i');
/** Where a clause ends: `prints 10 numbers` does not say that 10 is printed. */
const CLAUSE_ENDS =
  /^["'”’»\x60]?\s*(?:$|[.,;:!?)\n]|(?:and|then|when|if)\b|(?:to|on) (?:the |your )?(?:screen|console|terminal|standard output|stdout)\b)/i;
/** `prints the total` tells what is printed, and not the words. */
const DESCRIBES =
  /^(?:the|an?|all|each|every|its|their|his|her|your|my|how|what|which|whether|one|some|any|to|in|of|for|from|with|out|it|them|this|that)\b/i;
/** The one program that everybody calls by what it prints. */
const CALLED_BY_ITS_OUTPUT = /\bhello,?[ _-]world\b/i;
const QUOTED = /"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`|(?<!\w)'([^'\n]+)'(?!\w)/g;

export function isStated(goal: string, output: string): boolean {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) return false;
  if (lines.length > 1 && isWholeBlock(goal, lines)) return true;
  const [line = ''] = lines;
  if (lines.length === 1 && CALLED_BY_ITS_OUTPUT.test(goal) && plain(line) === 'hello world')
    return true;
  const quoted = quotedOutput(goal);
  return (
    lines.every((one) => isIntroduced(goal, one) || quoted.has(plain(one))) &&
    [...quoted].every((one) => plain(output).includes(one))
  );
}

function isIntroduced(goal: string, line: string): boolean {
  if (DESCRIBES.test(line.trim())) return false;
  return occurrences(goal, line).some(
    ({ start, end }) => INTRODUCED.test(goal.slice(0, start)) && CLAUSE_ENDS.test(goal.slice(end)),
  );
}

/** Texts in marks that end a clause of a sentence which speaks of printing. */
function quotedOutput(goal: string): ReadonlySet<string> {
  const sentences = goal.split(/(?<=[.!?])\s+(?=\p{Lu})/u);
  const quoted = sentences
    .filter((sentence) => SAYS.test(sentence))
    .flatMap((sentence) =>
      [...sentence.matchAll(QUOTED)]
        .filter((found) => SAYS.test(sentence.slice(0, found.index)))
        .filter((found) => CLAUSE_ENDS.test(sentence.slice(found.index + found[0].length)))
        .map((found) => plain(found.slice(1).find(Boolean) ?? '')),
    );
  return new Set(quoted.filter((text) => text !== ''));
}

interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const wordsIn = (text: string): readonly Word[] =>
  [...text.matchAll(/(?<![\p{L}\p{N}])-?\d+(?:\.\d+)*(?![\p{L}\p{N}])|[\p{L}\p{N}]+/gu)].map(
    (found) => ({
      word: found[0].normalize('NFKC').toLowerCase(),
      start: found.index,
      end: found.index + found[0].length,
    }),
  );

const plain = (text: string): string =>
  wordsIn(text)
    .map(({ word }) => word)
    .join(' ');

function occurrences(goal: string, text: string): readonly { start: number; end: number }[] {
  const wanted = wordsIn(text);
  const words = wordsIn(goal);
  return words.flatMap(({ start }, index) => {
    const found = words.slice(index, index + wanted.length);
    const fits =
      wanted.length > 0 &&
      found.length === wanted.length &&
      found.every(({ word }, at) => word === wanted[at]?.word);
    return fits ? [{ start, end: found.at(-1)?.end ?? start }] : [];
  });
}

/**
 * True where the output is the whole text that the goal shows, line for line, white space apart: from the
 * start of a block to its end, as fences, empty lines or the goal itself bound it.
 */
function isWholeBlock(goal: string, lines: readonly string[]): boolean {
  const shown = goal.split(/\r?\n/).map(tight);
  const wanted = lines.map(tight);
  const fences = shown.flatMap((line, at) => (FENCE.test(line) ? [at] : []));
  const isIn = (at: number): boolean => fences.filter((fence) => fence < at).length % 2 === 1;
  const isEnd = (line: string, isFenced: boolean): boolean =>
    FENCE.test(line) || (!isFenced && line === '');
  return shown.some((_line, start) => {
    const isFenced = isIn(start);
    const before = shown[start - 1] ?? '';
    const begins = isFenced
      ? FENCE.test(before)
      : // Before the second line of a goal stand its own words.
        start === 1 || before === '' || before.endsWith(':') || SAYS.test(before);
    if (!begins) return false;
    let at = start;
    for (const line of wanted) {
      while (isFenced && shown[at] === '') at += 1;
      if (shown[at] !== line) return false;
      at += 1;
    }
    while (isFenced && shown[at] === '') at += 1;
    return isEnd(shown[at] ?? '', isFenced);
  });
}

const FENCE = /^(?:```|~~~)/;
const tight = (line: string): string => line.trim().replace(/[ \t]+/g, ' ');
