/**
 * What the words of a goal ask for. A word alone says little ("a test plan", "package.json"), so
 * each rule stands on a table of goals, most of them traps (test/languages/goal-words.test.ts). Pure.
 */

const TESTS = /\b(?:unit[ -]?)?tests?\b/gi;
/** The name of a runner is never meant otherwise. */
const RUNNERS = /\b(?:pytest|unittest|test suites?|test cases for|node --test|node:test)\b/i;

/** What stands before tests that are to be made: `with tests`, `and a small test`. */
const WANTED =
  /\b(?:with|and|plus|including|has|have|having|needs?|wants?|add|adds|adding|write|writes|writing|create|creates|make|also)\s+(?:(?!(?:the|that|these|those|of|about|in)\s)[\w-]+\s+){0,3}$/i;
/** What stands behind them: they are of something, or the sentence is over. */
const OF_SOMETHING =
  /^(?:\s*(?:$|[.,;:!?)]+(?:\s|$))|\s+(?:for|of)\s+(?:it|them|this|that|all|each|every|both|the\s+\w+\s+(?:functions?|class|module|methods?)|`?[\w/]+(?:\.\w+\b|\()|[A-Za-z_]\w*\s*(?:$|[.,;!?]))|\s+(?:please|too|as well|included|in\s+\S+\.\w+|and|that\s+(?:cover|check|pass|run))\b)/i;
/** Another thing that is only named by the word, or the verb. */
const OTHER_THING = /^(?:\.\w|[-_/\\]\w|["'”`])/;

/**
 * True where a goal asks for tests of what is made. Where it is in doubt it is false: what a goal
 * does not ask for is not insisted on.
 */
export function asksForTests(goal: string): boolean {
  if (RUNNERS.test(goal)) return true;
  return [...goal.matchAll(TESTS)].some((found) => {
    const before = goal.slice(0, found.index);
    const behind = goal.slice(found.index + found[0].length);
    if (OTHER_THING.test(behind) || /["'“`./\\_-]$/.test(before)) return false;
    return WANTED.test(before) && OF_SOMETHING.test(behind);
  });
}

/** True where tests may be asked for, in whatever words: then none that were planned are left out. */
export const mayAskForTests = (goal: string): boolean => /test|spec|verif|check|assert/i.test(goal);
