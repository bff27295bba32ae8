/**
 * Commands of which a goal says what they print: `node area.mjs 3 4 prints 12`. Which of the words are
 * the command is for the languages to say. Pure, and as strict as all examples of a goal are.
 */
import { readLiteral } from '../lib/literal.ts';
import { BEHIND, behind, isPlain, isWord } from './goal-examples.ts';

export interface SaidCommand {
  readonly kind: 'command';
  /** As the goal has it. */
  readonly says: string;
  /** The words before the verb: the command is all of them, or the last ones. */
  readonly words: readonly string[];
  /** What stands in its output. */
  readonly gives: string;
}

const MOST = 8;
const PRINTS = /["'`”]?\s+(?:prints|outputs|displays|writes|shows|gives|returns|->|→|=>)\s+`?/g;
const LONGEST_COMMAND = 200;
/** In marks, or the words up to the verb: neither holds marks of its own. */
const COMMAND_AT_END = /["'`“]([^"'`“”\n]+)$|((?:[^\s"'`“”,;:()]+[ \t]+)*[^\s"'`“”,;:()]+)$/;

export function saidCommands(goal: string): readonly SaidCommand[] {
  const said = [...goal.matchAll(PRINTS)].flatMap((verb): SaidCommand[] => {
    const before = goal.slice(Math.max(0, verb.index - LONGEST_COMMAND), verb.index);
    const found = COMMAND_AT_END.exec(before);
    const words = (found?.[1] ?? found?.[2] ?? '').trim().split(/\s+/);
    const value = readLiteral(goal, verb.index + verb[0].length);
    if (words.length < 2 || !value || behind(BEHIND, goal, value.end) === null) return [];
    if (!isPlain(goal, verb.index, value.end) || !isWord(value.value)) return [];
    const says = `${words.join(' ')}${goal.slice(verb.index, value.end)}`;
    return [{ kind: 'command', says, words, gives: String(value.value) }];
  });
  return said.slice(0, MOST);
}
