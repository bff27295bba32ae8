/**
 * Programs that talk with their user. What they say is for a person to judge; that they answer, and
 * to different inputs differently, can be seen. Pure but for what it asks of the scratch copy.
 */
import { type Answer, type Ask, doubt, type Evidence, known, type Verdict } from './evidence.ts';
import { isExample } from './stated-output.ts';

const MAX_TRIED = 8;
/** A program that draws lots gives other answers to the same input, too. */
const TIMES = 5;
const LOTS = 3;
const MANY = 100;

/**
 * A goal that says what comes out of what goes in asks for something that can be wrong, and then two
 * different answers show nothing.
 */
const SPEAKS_OF_OUTPUT =
  /\b(?:print|show|display|output|say|tell|calculat|comput|convert|count|sum|add|multipl|divid|subtract|averag|report|list|answer|return|greet|sort|revers|translat|draw|generat|encod|decod|encrypt|decrypt|check|validat|find|format|give|how many|result|turns? into)\w*\b/i;

type Ran = Extract<Answer, { kind: 'ran' }>;
interface Tried {
  readonly stdin: string;
  readonly answer: Ran;
}

export async function talkVerdict(evidence: Evidence, ask: Ask): Promise<Verdict> {
  const { proof, goal, examples } = evidence;
  const isHeld = examples.held.length > 0;
  const isPlanned =
    proof.stdin !== undefined &&
    proof.prints !== undefined &&
    isExample(goal, proof.stdin, proof.prints);
  // One answer that is right may be the only one there is: that others differ is looked at all the same.
  const example = isHeld || isPlanned;
  if (!example && SPEAKS_OF_OUTPUT.test(goal))
    return doubt(
      `${proof.cmd} answers, but no example of what is right was found in the goal: try it`,
    );
  const tried = await tryInputs(evidence, ask);
  if (!Array.isArray(tried)) return doubt(`${proof.cmd} runs, but it could not be tried: ${tried}`);
  if (tried.length < 2)
    return doubt(`${proof.cmd} does not end by itself with two different inputs: try it`);
  const pair = await differentPair(tried, ask);
  if (pair === null)
    return doubt(
      `${proof.cmd} shows no sign that what it says depends on what is typed: try it with other inputs`,
    );
  if (!example && !tried.some(({ answer }) => saysWordsOf(goal, answer.output)))
    return doubt(`${proof.cmd} answers, but says nothing of what the goal speaks of: try it`);
  const [one, other] = pair.map(({ stdin }) => shown(stdin));
  const what = example ? 'as the goal says, and' : 'and';
  return known(
    `proof passed: ${proof.cmd}; it ends by itself ${what} answers ${one} and ${other} differently; what it says is for you to judge`,
  );
}

/** Those that it came to its end with, or why none could be tried. */
async function tryInputs({ inputs }: Evidence, ask: Ask): Promise<readonly Tried[] | string> {
  const tried: Tried[] = [];
  for (const stdin of inputs.slice(0, MAX_TRIED)) {
    const answer = await ask({ what: 'input', stdin, time: 1 });
    if (answer.kind === 'none' && tried.length === 0 && stdin === inputs[0]) return answer.why;
    if (answer.kind === 'ran' && answer.exitCode === 0) tried.push({ stdin, answer });
    if (tried.length >= 3) break;
  }
  return tried;
}

/** Two inputs that are answered differently, and not by lot. */
async function differentPair(
  tried: readonly Tried[],
  ask: Ask,
): Promise<readonly [Tried, Tried] | null> {
  for (const [index, one] of tried.entries())
    for (const other of tried.slice(index + 1))
      if (one.answer.word !== other.answer.word && (await areApart(one, other, ask)))
        return [one, other];
  const [one, other] = tried;
  const isApart = one && other && (await areApartByLot(one, other, ask));
  return isApart === true ? [one, other] : null;
}

/**
 * Where the same input is answered the same again, one different answer to another is enough. Of a
 * program that draws lots nothing is known by that, since each input may win and lose: with the same
 * lots it must answer them differently. Where these cannot be held still it must never answer one with
 * what it answered to the other.
 */
async function areApart(one: Tried, other: Tried, ask: Ask): Promise<boolean> {
  const [ofOne, ofOther] = [[one.answer], [other.answer]];
  // Lots may fall the same twice or three times.
  let isSteady = true;
  for (let time = 2; time <= TIMES; time += 1) {
    for (const [{ stdin }, answers] of [
      [one, ofOne],
      [other, ofOther],
    ] as const) {
      const again = await ask({ what: 'input', stdin, time });
      if (again.kind !== 'ran') return false;
      answers.push(again);
    }
    const wasSteady = isSteady;
    isSteady &&= [ofOne, ofOther].every((all) => all.at(-1)?.word === all[0]?.word);
    const byLot = wasSteady && !isSteady ? await areApartByLot(one, other, ask) : null;
    if (byLot !== null) return byLot;
  }
  if (isSteady) return true;
  const answered = withoutEcho(one, other);
  const said = new Set(ofOne.map(({ output }) => answered(output)));
  return !ofOther.some(({ output }) => said.has(answered(output)));
}

/** `null` where its lots cannot be held still. */
async function areApartByLot(one: Tried, other: Tried, ask: Ask): Promise<boolean | null> {
  const answered = withoutEcho(one, other);
  for (let lots = 1; lots <= LOTS; lots += 1) {
    const first = await ask({ what: 'input', stdin: one.stdin, time: 1, lots });
    const again = await ask({ what: 'input', stdin: one.stdin, time: 2, lots });
    const second = await ask({ what: 'input', stdin: other.stdin, time: 1, lots });
    if (first.kind !== 'ran' || again.kind !== 'ran' || second.kind !== 'ran') return null;
    if (first.word !== again.word) return null;
    if (answered(first.output) !== answered(second.output)) return true;
  }
  return false;
}

/** That it says what was typed is no answer of a program that draws lots. */
function withoutEcho(one: Tried, other: Tried): (output: string) => string {
  const typed = new Set([...wordsOf(one.stdin), ...wordsOf(other.stdin)]);
  const heard = (word: string): string => (typed.has(word.toLowerCase()) ? '' : word);
  return (output) => sayings(output.replace(/\p{L}{3,}/gu, heard));
}

/** Its different lines without figures; where it is cut the lines beside the cut are no lines. */
const sayings = (output: string): string =>
  [
    ...new Set(
      output
        .replace(/[^\n]*\n…\n[^\n]*/, '')
        .toLowerCase()
        .split('\n'),
    ),
  ]
    .map((line) => line.replaceAll(/[\d\s]+/g, ' ').trim())
    .sort()
    .join('\n');

const shown = (stdin: string): string => {
  const lines = stdin.trim().split('\n');
  return JSON.stringify(`${lines.slice(0, 3).join(' ')}${lines.length > 3 ? ' …' : ''}`);
};

const saysWordsOf = (goal: string, output: string): boolean => {
  const said = wordsOf(output);
  return contentWords(goal).some((word) => said.some((one) => areAkin(word, one)));
};

/** `guess` and `guessing`. */
const areAkin = (one: string, other: string): boolean =>
  one === other ||
  (Math.min(one.length, other.length) >= 4 && (one.startsWith(other) || other.startsWith(one)));

/**
 * What a user might type: what the plan typed, with words of the goal that the program knows in its
 * place, and numbers up and down for programs that want one until it is right.
 */
export function inputsFor(goal: string, program: string, stdin: string | undefined): string[] {
  const knows = new Set(wordsOf(program));
  const words = contentWords(goal).filter((word) => knows.has(word));
  const first = stdin?.split('\n')[0] ?? '';
  const instead = (word: string): string =>
    first === ''
      ? `${word}\n`
      : `${(stdin ?? '')
          .split('\n')
          .map((line) => (line === first ? word : line))
          .join('\n')
          .trimEnd()}\n`;
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(first.trim());
  const others = isNumber
    ? [String(Number(first) + 1), String(Number(first) * 2 + 3)].map(instead)
    : words.slice(0, 3).map(instead);
  const numbers = Array.from({ length: MANY }, (_, at) => at + 1);
  const counting = [numbers, numbers.toReversed()].map((list) => `${list.join('\n')}\n`);
  const given = first === '' ? [] : [`${(stdin ?? '').trimEnd()}\n`];
  const repeated = words.slice(0, 2).map((word) => `${word}\n`.repeat(MANY));
  const all = isNumber
    ? [...given, ...others, ...counting]
    : [...given, ...others, ...counting, ...repeated];
  return [...new Set(all)].slice(0, MAX_TRIED);
}

/** Words that say nothing of what a goal is about. */
const COMMON = new Set(
  'the and for with that this from into onto over under make makes made create creates write writes build builds program programme script file files code please want would should can could will one two three user users input which where when what who how you your its are has have does using use uses called named'.split(
    ' ',
  ),
);

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

const contentWords = (goal: string): readonly string[] => [
  ...new Set(wordsOf(goal).filter((word) => !COMMON.has(word))),
];
