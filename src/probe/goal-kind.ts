/** What kind of end a goal wants. Pure. It may only take a claim away, never give one. */

/** A mark alone may end a request too, in words that `MAKES` does not know. */
const ASKS =
  /\b(?:what|which|whose?|how|why|when|where)\b[\s\S]*\?\s*$|^\s*(?:please\s+)?(?:what|which|who|how|why|when|where|is|are|was|were|has|have|does|did|do|list|show|tell|describe|summari[sz]e|explain|count|compare|find out)\b|\b(?:tell|say|answer|explain|summari[sz]e|describe)\b/i;
/** A word that asks for something to be made or changed: then it is no mere question. */
const MAKES =
  /\b(?:write|create|make|add|fix|change|rename|remove|delete|replace|update|implement|build|refactor|convert|save|generate|move|install|edit|correct|repair|sort|extract|put|set up|translate|format|should|must|needs? to)\b/i;

/** True for a goal that wants to know something and wants nothing made: looking is work on it. */
export const isQuestion = (goal: string): boolean => ASKS.test(goal) && !MAKES.test(goal);
