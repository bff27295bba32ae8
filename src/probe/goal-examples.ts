/**
 * Examples that a goal itself states: what a call gives, what a program answers. They are the
 * user's own word on what is right, in whatever goal they stand. Pure; what is not plainly an
 * example is none, since a wrong one would speak against right work.
 */
import { afterItem, readLiteral, skipSpace } from '../lib/literal.ts';

export interface CallExample {
  readonly kind: 'call';
  /** As the goal has it. */
  readonly says: string;
  readonly name: string;
  /** Values as JSON has them. */
  readonly args: readonly unknown[];
  readonly gives: unknown;
}

export interface TypedExample {
  readonly kind: 'typed';
  readonly says: string;
  /** What the program is given as a line of input. */
  readonly typed: string;
  /** What stands in its output then. */
  readonly gives: string;
}

export type GoalExample = CallExample | TypedExample;

const MAX_EXAMPLES = 8;
const CALL = /(?<![\w$.])(?:[A-Za-z_]\w*\.)*([A-Za-z_$][\w$]*)\(/g;
const STATES = /`?\s*(?:gives|returns|yields|equals|evaluates to|is|->|→|=>|===?|=)\s*`?/y;
const DEMANDS = /`?\s*(?:should|must|shall|has to)\s+(?:give|return|yield|equal|be)\s+`?/y;
/** What may follow the value: `is 3 words long` states no value. */
export const BEHIND =
  /\s*`?(?:$|[.;:!?)\]](?!\w)|,(?!\d)|\s+(?:and|or|for|while|because|since|when|if|as|with)\b)/y;
/** In a sentence with such a word a statement may tell what is wrong today. */
const CONTRAST =
  /\b(?:but|instead|although|though|wrong(?:ly)?|incorrect(?:ly)?|currently|rather|not)\b/i;
/** So may every statement of a goal that speaks of a fault. */
const FAULT = /\b(?:bugs?|wrong|broken|fail(?:s|ing|ed|ure)?|fix(?:es|ed)?|incorrect|mistakes?)\b/i;
/** A value that begins a clause, or follows a word that introduces an example. */
const BEFORE_TYPED =
  /(?:(?:^|[.;:(\n])\s{0,4}|\b(?:so|e\.g\.|example|typing|entering|input|given)[,:]?\s{1,4})$/i;
const LONGEST_BEFORE = 20;
const BECOMES = /\s+(?:gives|yields|becomes|prints|->|→|=>)\s+/y;
const TYPED = /"[^"\n]{1,80}"|(?<![\w.])-?\d+(?:\.\d+)?/g;

export function goalExamples(goal: string): readonly GoalExample[] {
  const found = [...callExamples(goal), ...typedExamples(goal)];
  const keyOf = (one: GoalExample) =>
    one.kind === 'call' ? `${one.name}(${JSON.stringify(one.args)}` : one.typed;
  const values = new Map<string, Set<string>>();
  for (const one of found) {
    const key = keyOf(one);
    values.set(key, (values.get(key) ?? new Set()).add(JSON.stringify(one.gives)));
  }
  const unique = new Map(found.map((one) => [keyOf(one), one]));
  // Two values for one call: at least one of them is not what is wanted.
  return [...unique]
    .filter(([key]) => values.get(key)?.size === 1)
    .map(([, one]) => one)
    .slice(0, MAX_EXAMPLES);
}

function callExamples(goal: string): readonly CallExample[] {
  return [...goal.matchAll(CALL)].flatMap((head) => {
    const args = readArguments(goal, head.index + head[0].length);
    const value = args && valueBehind(goal, args.end, head.index);
    if (!args || !value) return [];
    const says = goal.slice(head.index, value.end).replaceAll('`', '');
    const name = head[1] ?? '';
    return [{ kind: 'call', says, name, args: args.values, gives: value.value }];
  });
}

/** Literals up to the closing bracket; `null` where anything else stands there. */
function readArguments(text: string, start: number): { values: unknown[]; end: number } | null {
  const values: unknown[] = [];
  let position = skipSpace(text, start);
  while (text[position] !== ')') {
    const value = readLiteral(text, position);
    const next = value && afterItem(text, value.end, ')');
    if (!value || next === null) return null;
    values.push(value.value);
    position = next;
  }
  return { values, end: position + 1 };
}

/** The value that is stated, or demanded, of what ends at `end`. */
function valueBehind(goal: string, end: number, start: number) {
  const demanded = behind(DEMANDS, goal, end);
  const at = demanded ?? behind(STATES, goal, end);
  const value = at === null ? null : readLiteral(goal, at);
  if (!value || behind(BEHIND, goal, value.end) === null) return null;
  return demanded !== null || isPlain(goal, start, value.end) ? value : null;
}

export function behind(pattern: RegExp, text: string, start: number): number | null {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** True for a statement of what shall be, not of what is wrong. */
export function isPlain(goal: string, start: number, end: number): boolean {
  if (FAULT.test(goal)) return false;
  const before =
    goal
      .slice(0, start)
      .split(/[.!?]\s|\n/)
      .at(-1) ?? '';
  const after = goal.slice(end).split(/[.!?](?:\s|$)|\n/)[0] ?? '';
  return !CONTRAST.test(before) && !CONTRAST.test(after);
}

function typedExamples(goal: string): readonly TypedExample[] {
  return [...goal.matchAll(TYPED)].flatMap((input) => {
    const end = input.index + input[0].length;
    const before = goal.slice(Math.max(0, input.index - LONGEST_BEFORE), input.index);
    const at = BEFORE_TYPED.test(before) ? behind(BECOMES, goal, end) : null;
    const value = at === null ? null : readLiteral(goal, at);
    if (!value || behind(BEHIND, goal, value.end) === null) return [];
    if (!isPlain(goal, input.index, value.end) || !isWord(value.value)) return [];
    const typed = input[0].replaceAll('"', '');
    const says = goal.slice(input.index, value.end);
    return [{ kind: 'typed', says, typed, gives: String(value.value) }];
  });
}

export const isWord = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
