import type { CommandSeen, KnownNames } from './command-seen.ts';

/** What one well-known outcome asks for next; `null` where it is another one. */
export type HintRule = (seen: CommandSeen, known: KnownNames) => string | null;

/** The first that has something to say, says it. */
export function firstHint(
  rules: readonly HintRule[],
  seen: CommandSeen,
  known: KnownNames,
): string | null {
  for (const rule of rules) {
    const said = rule(seen, known);
    if (said !== null) return said;
  }
  return null;
}
