/** How a goal says that a program is called, where it quotes it. Pure. */
import { baseName } from './hint-words.ts';
import { languageOf } from './languages.ts';

/** That its user is asked as well may be meant. */
const MAY_ASK =
  /\b(?:ask(?:s|ed|ing)?|inputs?|enter(?:s|ed)?|prompt(?:s|ed)?|questions?|types?|typed|stdin|keyboard|interactive(?:ly)?)\b/i;

/**
 * What speaks against a program that asks its user where the goal calls it with arguments; `null`: nothing.
 * Whoever calls it so waits for an answer that never comes.
 */
export function asksInVain(goal: string, path: string, prompts: readonly string[]): string | null {
  const place = languageOf(path).runs?.argumentsIn;
  if (prompts.length === 0 || place === undefined || MAY_ASK.test(goal)) return null;
  const call = callIn(goal, baseName(path));
  return call === null
    ? null
    : `it asks its user, but the goal calls it as ${call}: take what it works on from ${place} instead`;
}

function callIn(goal: string, name: string): string | null {
  const quoted = [...goal.matchAll(/(["`'])((?:(?!\1)[^\n])+)\1|[“]([^”\n]+)”/g)];
  const texts = quoted.map(([, , text, curly]) => text ?? curly ?? '');
  const isCall = (text: string): boolean => {
    const words = text.trim().split(/\s+/);
    const at = words.findIndex((word) => baseName(word) === name);
    return at >= 0 && at < words.length - 1;
  };
  return texts.find(isCall)?.trim() ?? null;
}
